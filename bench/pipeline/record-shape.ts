import { callFields } from '../../src/calls/call-fields.js'
import type { FieldType } from '../../src/calls/field-type.js'

/** The types of the record's fields, as the parser takes them. */
export const recordShape: ReadonlyMap<string, FieldType> = new Map([
  ['_id', { kind: 'string' }],
  ...callFields.map((field): [string, FieldType] => [field.name, field.type]),
])
