import { z } from 'zod'
import { isObject } from '../base/is-object.js'
import { callRecord, textMarks } from './call-record.js'
import type { FieldType } from './field-type.js'

/** A field of the record with what a reader needs to know of it. */
export interface Field {
  readonly name: string
  readonly type: FieldType
  readonly required: boolean
  readonly description: string
  /** Its type for whoever sees no text; undefined: there is no such field then. */
  readonly withoutText: FieldType | undefined
}

/** Magnitude of numbers that count as bounded: a sum of 2^63 of them is no more than 1e119. */
const BOUND = 1e100

const INTEGER_FORMATS = new Set(['int32', 'uint32', 'safeint'])

/** The fields of an object schema; zod types a shape it does not know as any. */
const shapeOf = (schema: z.ZodObject) => Object.entries<z.core.$ZodType>(schema.shape)

const isRequired = (schema: z.core.$ZodType) => !(schema instanceof z.ZodOptional)

function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  return schema instanceof z.ZodOptional ? unwrap(schema.unwrap()) : schema
}

/** The field type of a zod schema. Throws for a schema no store has a column for: a mistake in the record's schema. */
function fieldTypeOf(schema: z.core.$ZodType): FieldType {
  const meta = z.globalRegistry.get(schema)
  const inner = unwrap(schema)
  // Every date of the record is an instant of call-record.ts, which says of which years.
  if ([meta, z.globalRegistry.get(inner)].some(one => one?.['field'] === 'date')) return { kind: 'date', bounded: true }
  if (inner instanceof z.ZodString) return { kind: 'string' }
  if (inner instanceof z.ZodEnum) return { kind: 'string', values: inner.options.map(String) }
  if (inner instanceof z.ZodBoolean) return { kind: 'bool' }
  if (inner instanceof z.ZodNumberFormat && INTEGER_FORMATS.has(inner._zod.def.format)) return { kind: 'int' }
  if (inner instanceof z.ZodNumber) return isBounded(inner) ? { kind: 'double', bounded: true } : { kind: 'double' }
  if (inner instanceof z.ZodArray) return { kind: 'list', of: fieldTypeOf(inner.element) }
  if (inner instanceof z.ZodObject) {
    if (inner.def.catchall !== undefined && !(inner.def.catchall instanceof z.ZodNever)) return { kind: 'open' }
    return {
      kind: 'struct',
      fields: new Map(shapeOf(inner).map(([name, field]) => [name, fieldTypeOf(field)])),
      required: new Set(shapeOf(inner).flatMap(([name, field]) => (isRequired(field) ? [name] : []))),
    }
  }
  throw new TypeError(`No field type for a schema of type ${inner._zod.def.type}`)
}

function isBounded({ minValue, maxValue }: z.ZodNumber): boolean {
  return minValue !== null && maxValue !== null && minValue >= -BOUND && maxValue <= BOUND
}

/**
 * What of a type is left where the texts in it are not there; the same type where there are none, undefined where nothing
 * is. A field without a mark counts as text.
 */
function withoutText(type: FieldType, mark: unknown): FieldType | undefined {
  if (mark === 'plain') return type
  if (!isObject(mark)) return undefined
  if (type.kind === 'list') {
    const of = withoutText(type.of, mark)
    return of === undefined || of === type.of ? of && type : { kind: 'list', of }
  }
  if (type.kind !== 'struct') return undefined
  const kept = [...type.fields].flatMap(([name, field]): [string, FieldType][] => {
    const left = withoutText(field, mark[name])
    return left === undefined ? [] : [[name, left]]
  })
  if (kept.length === type.fields.size && kept.every(([name, field]) => type.fields.get(name) === field)) return type
  return {
    ...type,
    fields: new Map(kept),
    required: new Set(kept.flatMap(([name]) => (type.required?.has(name) === true ? name : []))),
  }
}

/** The fields of the record in their order. */
function fieldsOf(schema: z.ZodObject, marks: Readonly<Record<string, unknown>>): readonly Field[] {
  return shapeOf(schema).map(([name, field]) => {
    const type = fieldTypeOf(field)
    return {
      name,
      type,
      required: isRequired(field),
      description: z.globalRegistry.get(field)?.description ?? z.globalRegistry.get(unwrap(field))?.description ?? '',
      withoutText: withoutText(type, marks[name]),
    }
  })
}

/** The fields of the call record, in their order: the one list that columns, references and advice derive from. */
export const callFields: readonly Field[] = fieldsOf(callRecord, textMarks)
