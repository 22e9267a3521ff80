import { z } from 'zod'
import { isObject } from '../base/is-object.js'
import { callRecord } from './call-record.js'

type Json = z.core.JSONSchema.BaseSchema

/** A field of the call record, as whoever asks about calls reads of it. Derived from the record's schema. */
export interface RecordField {
  /** Its path; steps through lists are written like steps through objects, as pipelines do. */
  readonly field: string
  readonly type: 'string' | 'number' | 'integer' | 'date' | 'object' | 'list' | 'list of numbers' | 'list of strings'
  /** The only values there are. */
  readonly values?: readonly string[]
  readonly meaning: string
  /** Every call has it (or every element of the list it lies in). */
  readonly required: boolean
}

const isSchema = (node: unknown): node is Json => isObject(node)

const inside = (node: Json): Json => (node.type === 'array' && isSchema(node.items) ? node.items : node)

function typeOf(node: Json): RecordField['type'] {
  if (node['field'] === 'date') return 'date'
  switch (node.type) {
    case 'array': {
      const { type } = inside(node)
      return type === 'number' ? 'list of numbers' : type === 'string' ? 'list of strings' : 'list'
    }
    case 'string':
    case 'number':
    case 'integer':
    case 'object':
      return node.type
    default:
      throw new TypeError(`No word for the type of ${JSON.stringify(node)}`)
  }
}

function fieldsIn({ properties = {}, required = [] }: Json, before: string): readonly RecordField[] {
  return Object.entries(properties).flatMap(([name, node]): readonly RecordField[] => {
    if (!isSchema(node)) return []
    const field = `${before}${name}`
    const { enum: values } = node
    const own: RecordField = {
      field,
      type: typeOf(node),
      ...(values === undefined ? {} : { values: values.map(String) }),
      meaning: node.description ?? '',
      required: required.includes(name),
    }
    return [own, ...fieldsIn(inside(node), `${field}.`)]
  })
}

const schema = z.toJSONSchema(callRecord, { io: 'input', reused: 'inline' })

/** Every field of the call record, nested ones after the field they lie in. */
export const recordFields: readonly RecordField[] = fieldsIn(schema, '')

/** What a field holds in a line: `[{key, state: present|absent|unclear}]`; nothing where its name says it. */
function outline(node: Json): string {
  if (node['field'] === 'date') return 'date'
  if (node.enum !== undefined) return node.enum.join('|')
  if (node.type === 'array') return `[${outline(inside(node))}]`
  if (node.type !== 'object') return node.type === 'string' ? '' : 'number'
  const fields = Object.entries(node.properties ?? {}).map(([name, child]) => {
    const held = isSchema(child) ? outline(child) : ''
    return held === '' || held === 'number' ? name : `${name}: ${held}`
  })
  return `{${[...fields, ...(node.additionalProperties === false ? [] : ['…'])].join(', ')}}`
}

/** Field and what it holds, such as `channel: phone|chat|email|sms`, for the top-level fields of the record. */
export const recordOutlines: ReadonlyMap<string, string> = new Map(
  Object.entries(schema.properties ?? {}).map(([name, node]) => [name, isSchema(node) ? outline(node) : '']),
)
