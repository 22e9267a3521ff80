import { instant } from '../calls/call-record.js'

const CANONICAL = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/**
 * An instant as it is kept: in UTC with milliseconds (smaller parts are cut off). What is no instant comes back as it
 * is, for the check of the record to say so.
 */
export function canonicalInstant(value: unknown): unknown {
  if (typeof value !== 'string') return value
  const text = value.trim()
  if (!instant.safeParse(text).success) return value
  return CANONICAL.test(text) ? text : new Date(text).toISOString()
}
