import { isObject } from '../base/is-object.js'

/** JSON in one spelling: the members of every object in order of their names, absent ones left out. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => (isObject(member) ? sorted(member) : member))
}

function sorted(record: Record<string, unknown>): object {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)))
}
