import type { Document, Value } from '../../value.js'

/** A document of computed fields; a later field of the same name replaces the value in its place. */
export function documentOf(entries: Iterable<readonly [string, Value]>): Document {
  // Object.fromEntries defines fields and never runs the setter of __proto__.
  return Object.fromEntries(entries)
}
