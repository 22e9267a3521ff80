import { isDeepStrictEqual } from 'node:util'
import { Problem } from '../base/problem.js'
import type { KeyRecord } from '../store/records/key.js'
import type { Admin } from './admin.js'
import { type KeyPatch, newKey, type NewKey } from './key-fields.js'

/** What a key says about itself: given at minting, taken over by a rotation. */
export type KeyFields = Pick<KeyRecord, keyof NewKey>

/** Who changes keys: an administrator, or the operator (who may do what a SuperAdmin may). */
export type KeyAuthor = Pick<Admin, 'name' | 'role'>

/** @throws Problem `forbidden` where only others may give one of the roles */
export function mayGive(author: KeyAuthor, roles: readonly string[]): void {
  if (roles.includes('SuperAdmin') && author.role !== 'SuperAdmin') {
    throw new Problem('forbidden', 'Only a SuperAdmin may give the role SuperAdmin, or change a key that has it')
  }
}

type Written<T> = { [Name in keyof T]: Exclude<T[Name], undefined> }

/** The fields that were written. */
export function given<T extends object>(fields: T): Written<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Written<T>
}

/** A key after a change of it: null takes away what a key need not have. */
export function changedKey<Key extends KeyFields>(key: Key, patch: Partial<KeyPatch>): Key {
  const said = Object.entries({ ...key, ...given(patch) }).filter(([, value]) => value !== null)
  return Object.fromEntries(said) as unknown as Key
}

/** What a key says of itself, and nothing of which key it is: every field that can be given, so that a rotation keeps each. */
export function rightsOf(fields: KeyFields): KeyFields {
  const names = new Set(Object.keys(newKey.shape))
  return Object.fromEntries(Object.entries(fields).filter(([name]) => names.has(name))) as unknown as KeyFields
}

/** What each key of a rotation has of its own: revoking is of one alone. */
interface OwnFields {
  readonly name?: unknown
  readonly expires_at?: unknown
  readonly active?: unknown
}

/** What of a key, or of a change of one, is of all keys of its rotation. */
export function sharedOf<Fields extends OwnFields>(fields: Fields): Omit<Fields, keyof OwnFields> {
  const { name: _name, expires_at: _end, active: _active, ...shared } = fields
  return shared
}

/** The first of the keys that rotations put in one another's place: it is the same for all of them. */
export const firstOf = ({ spends_as: first, key_id: id }: KeyRecord): string => first ?? id

/** Whether two keys of one rotation may the same: whoever changes one changes both. */
export function haveSameRights(one: KeyRecord, other: KeyRecord): boolean {
  return isDeepStrictEqual(sharedOf(rightsOf(one)), sharedOf(rightsOf(other)))
}

/** @throws Problem `conflict` where keys do not say any more what they said */
export function refuseChangedKeys(keys: readonly KeyFields[], before: readonly KeyFields[]): void {
  if (isDeepStrictEqual(keys.map(rightsOf), before.map(rightsOf))) return
  throw new Problem('conflict', 'The key was changed meanwhile: look at it, and ask again')
}
