import { putField } from '../base/fields.js'
import { isObject } from '../base/is-object.js'
import type { FieldType } from '../calls/field-type.js'
import { Problem } from '../base/problem.js'
import { readExtended, besideDate } from './extended-json.js'
import type { Shape } from './parse-context.js'
import { type Document, type Value, Double } from './value.js'

/** Deepest nesting of a document, as in MongoDB. */
const MOST_LEVELS = 100

function fault(where: string, reason: string): Problem {
  return new Problem('invalid_input', `${where} ${reason}`, { details: [{ path: where, message: reason }] })
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  // An object of another realm has another Object.prototype; its own prototype is null all the same.
  return prototype === null || prototype === Object.prototype || Object.getPrototypeOf(prototype) === null
}

function readValue(value: unknown, type: FieldType | undefined, where: string, level: number): Value {
  if (level > MOST_LEVELS) throw fault(where, `is nested deeper than ${MOST_LEVELS} levels`)
  if (value === null || typeof value === 'boolean' || typeof value === 'number' || typeof value === 'bigint')
    return value
  if (typeof value === 'string') return type?.kind === 'date' ? besideDate(value) : value
  if (value instanceof Date) {
    if (Number.isNaN(value.getTime())) throw fault(where, 'is no valid date')
    return new Date(value)
  }
  if (value instanceof Double) return value
  if (Array.isArray(value)) {
    const of = type?.kind === 'list' ? type.of : undefined
    return value.map((item, i) => readValue(item ?? null, of, `${where}[${i}]`, level + 1))
  }
  if (typeof value === 'object' && isPlain(value)) {
    const extended = readExtended(value, where)
    if (extended !== undefined) return extended
    return readFields(value, type?.kind === 'struct' ? type.fields : undefined, where, level)
  }
  throw fault(
    where,
    `is a ${typeof value === 'object' ? value.constructor.name : typeof value}, which no document holds`,
  )
}

function readFields(
  value: object,
  fields: ReadonlyMap<string, FieldType | undefined> | undefined,
  where: string,
  level: number,
): Document {
  const read: Record<string, Value> = {}
  for (const [name, inner] of Object.entries(value) as [string, unknown][])
    if (inner !== undefined) putField(read, name, readValue(inner, fields?.get(name), `${where}.${name}`, level + 1))
  return read
}

/**
 * A copy of a document of plain JavaScript as pipelines take it: extended JSON read, ISO texts read as dates where the
 * schema says so, fields that are `undefined` left out.
 * @param where what the document is called in an error
 * @throws Problem for what no document can hold
 */
export function readDocument(document: unknown, schema: Shape | undefined, where: string): Document {
  if (!isObject(document) || !isPlain(document)) {
    throw fault(where, 'is no document: an object of fields')
  }
  return readFields(document, schema, where, 1)
}
