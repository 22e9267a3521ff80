import { callFields } from '../calls/call-fields.js'
import type { FieldType } from '../calls/field-type.js'

/** The fields of calls as callers' pipelines see them: what dates are read and unknown names are advised about by. */
export const callSchema: ReadonlyMap<string, FieldType> = new Map([
  ['_id', { kind: 'string' }],
  ...callFields.map(({ name, type }): [string, FieldType] => [name, type]),
])
