import { callRecords } from './call-records.js'
import type { Format } from './format.js'
import { harperValley } from './harper-valley.js'

/**
 * The formats import reads, the more particular ones first: the first that recognises a file reads it. A new format is
 * a file beside this one and a line here.
 */
export const formats: readonly Format[] = [harperValley, callRecords]

/** The format of that name. Throws for a name that is not in the list: callers check against it first. */
export function formatNamed(name: string): Format {
  const format = formats.find(candidate => candidate.name === name)
  if (format === undefined) throw new TypeError(`No import format named ${name}`)
  return format
}
