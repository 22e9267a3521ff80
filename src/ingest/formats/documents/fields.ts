import { z } from 'zod'
import { isAddress, recordingPlace } from '../../../calls/call-record.js'

/** A text that may be absent or null; undefined then, and where it is blank. */
export const text = z
  .string()
  .nullish()
  .transform(value => (value === null || value === undefined || value.trim() === '' ? undefined : value))

/** An id, which some sources write as a number. */
export const id = z
  .union([z.string(), z.number()])
  .nullish()
  .transform(value => (value === null || value === undefined || value === '' ? undefined : String(value)))

/** Where a recording is kept elsewhere; what is no such address is left out. */
export const address = text.transform(value =>
  recordingPlace.safeParse(value).success && isAddress(value ?? '') ? value : undefined,
)

export const number = z
  .number()
  .nullish()
  .transform(value => value ?? undefined)

/** inbound or outbound, of whatever word for it: `Inbound`, `INBOUND`, `inboundPhoneCall`, `outbound-api`. */
export function directionOf(word: string | undefined): 'inbound' | 'outbound' | undefined {
  const lower = word?.toLowerCase()
  if (lower?.startsWith('in') === true) return lower.startsWith('internal') ? undefined : 'inbound'
  return lower?.startsWith('out') === true ? 'outbound' : undefined
}

/** Talk patterns of a call of which the source says no more than how long it was. */
export function lasting(seconds: number | undefined): object | undefined {
  return seconds === undefined || seconds < 0 ? undefined : { total_duration_s: seconds }
}
