import { callFields } from '../calls/call-fields.js'
import type { FieldType } from '../calls/field-type.js'

/** The fields of calls as callers' pipelines see them: what dates are read and unknown names are advised about by. */
export const callSchema: ReadonlyMap<string, FieldType> = new Map([
  ['_id', { kind: 'string' }],
  ...callFields.map(({ name, type }): [string, FieldType] => [name, type]),
])

/** The same as pipelines of a key that sees no text see it. */
export const textFreeCallSchema: ReadonlyMap<string, FieldType> = new Map([
  ['_id', { kind: 'string' }],
  ...callFields.flatMap(({ name, withoutText }): [string, FieldType][] => (withoutText ? [[name, withoutText]] : [])),
])

/** The paths of a type's texts. */
function textsIn(path: string, type: FieldType, left: FieldType | undefined): readonly string[] {
  if (left === undefined) return [path]
  if (type.kind === 'list' && left.kind === 'list') return textsIn(path, type.of, left.of)
  if (type.kind !== 'struct' || left.kind !== 'struct') return []
  return [...type.fields].flatMap(([name, field]) => textsIn(`${path}.${name}`, field, left.fields.get(name)))
}

/** Every field of a call that holds text, by the path at which all of it is text. */
export const callTexts: readonly string[] = callFields.flatMap(({ name, type, withoutText }) =>
  textsIn(name, type, withoutText),
)
