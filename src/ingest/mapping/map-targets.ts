import { callFields } from '../../calls/call-fields.js'
import type { FieldType } from '../../calls/field-type.js'

/** Columns of a table of turns. */
export const turnTargets = [
  'turn.speaker',
  'turn.text',
  'turn.start_s',
  'turn.start_ms',
  'turn.end_s',
  'turn.end_ms',
] as const

/** Where the turns of a document are: those of `turnTargets` are read from each of them. */
export const TURNS_TARGET = 'turns'

const types = new Map<string, FieldType>()
for (const { name, type } of callFields) {
  types.set(name, type)
  if (type.kind === 'struct') for (const [inner, of] of type.fields) types.set(`${name}.${inner}`, of)
}

/** Every field that can be mapped by name; further ones go below `session_metadata.`. */
export const mapTargets: readonly string[] = [...types.keys(), ...turnTargets, TURNS_TARGET]

/** The type of a mapped field; undefined below session_metadata, where anything may stand. */
export function targetType(target: string): FieldType | undefined {
  if (target === 'session_metadata.audio_length_seconds') return { kind: 'double' }
  return types.get(target)
}
