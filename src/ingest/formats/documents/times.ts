import { z } from 'zod'
import { toInstant, unixMs } from '../../mapping/to-instant.js'

/**
 * Times as sources write them, read as seconds; absent and null are undefined. Each is a schema of its own, so that what is
 * none is a fault with its place.
 */

const NUMBER = /^-?\d{1,15}(?:\.\d{1,15})?$/
/** `00:01:02.5`, `1:02`, `00:00:05.7197695`, `00:00:05,719`. */
const CLOCK = /^(?:(\d{1,4}):)?(\d{1,3}):(\d{1,2}(?:[.,]\d{1,9})?)$/
/** `1.400s`, as Google writes a duration. */
const WITH_UNIT = /^(-?\d{1,15}(?:\.\d{1,9})?)s$/
/** `PT1M2.5S`, `PT4.12S`: ISO 8601, without days. */
const ISO_DURATION = /^PT(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,9}(?:\.\d{1,9})?)S)?$/

/** Seconds since the start of the call. */
export const seconds = z
  .number()
  .nullish()
  .transform(value => value ?? undefined)

/** Milliseconds since the start of the call. */
export const milliseconds = z
  .number()
  .nullish()
  .transform(value => (value === null || value === undefined ? undefined : value / 1000))

/** Seconds as a number or its text, `"4.86"`. */
export const textSeconds = reading(text => (NUMBER.test(text) ? Number(text) : undefined))

/** A time of day counted from the start: `00:01:02.5`. */
export const clock = reading(clockSeconds)

/** `1.400s`, or `{seconds, nanos}`: both ways in which Google writes a duration. */
export const duration = z
  .union([
    reading(text => (WITH_UNIT.test(text) ? Number(text.slice(0, -1)) : undefined)),
    z
      .object({ seconds: z.union([z.number(), z.string().regex(NUMBER)]).nullish(), nanos: z.number().nullish() })
      .transform(({ seconds: whole, nanos }) => Number(whole ?? 0) + (nanos ?? 0) / 1e9),
  ])
  .nullish()
  .transform(value => value ?? undefined)

/** `PT4.12S`. */
export const isoDuration = reading(text => {
  const parts = ISO_DURATION.exec(text)
  if (parts === null || text === 'PT') return undefined
  const [, hours = '0', minutes = '0', rest = '0'] = parts
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(rest)
})

/** Seconds of `1:02:03.5`; undefined for what is no such time. */
export function clockSeconds(text: string): number | undefined {
  const parts = CLOCK.exec(text)
  if (parts === null) return undefined
  const [, hours = '0', minutes = '0', rest = '0'] = parts
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(rest.replace(',', '.'))
}

/** Zone of times that say none, while a document is read. */
let zoneOfDocument: string | undefined

/** Reads a document, which takes no turn of the loop: times in it that say no zone are in this one, and refused without. */
export function inTimeZone<T>(timeZone: string | undefined, read: () => T): T {
  zoneOfDocument = timeZone
  try {
    return read()
  } finally {
    zoneOfDocument = undefined
  }
}

/** What says its zone, in ISO 8601 or as e-mail writes it. */
const ZONED = /(?:\d ?Z|GMT|UTC?|[+-]\d\d:?\d\d)(?: ?\(\w+\))?$/i

/**
 * An instant as sources write it, as milliseconds since 1970: with an offset, or a Unix time; without an offset in the zone of the
 * reading, never in that of this machine. 0 is how some write none.
 */
export const instantMs = z
  .union([z.number(), z.string()])
  .nullish()
  .transform((value, context) => {
    if (value === null || value === undefined || value === '') return undefined
    const unix = typeof value === 'number' || NUMBER.test(value) ? Number(value) : undefined
    if (unix === 0) return undefined
    const read = unix === undefined ? textMs(String(value)) : unixMs(unix)
    if ('ms' in read) return read.ms
    context.addIssue({ code: 'custom', message: read.message })
    return z.NEVER
  })

function textMs(text: string): ReturnType<typeof unixMs> {
  if (ZONED.test(text.trim())) {
    const ms = Date.parse(text)
    return Math.abs(ms) < 8e15 ? { ms } : { message: 'is not a time' }
  }
  const read = toInstant(text, zoneOfDocument)
  return 'instant' in read ? { ms: Date.parse(read.instant) } : read
}

/** ISO 8601 of milliseconds since 1970. */
export function instantOf(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : new Date(ms).toISOString()
}

/** Seconds from one instant to another, milliseconds both. */
export function since(began: number | undefined, ms: number | undefined): number | undefined {
  return began === undefined || ms === undefined ? undefined : (ms - began) / 1000
}

/** The earliest of some instants. */
export function earliest(all: readonly (number | undefined)[]): number | undefined {
  return all.reduce(
    (first, one) => (first === undefined || (one !== undefined && one < first) ? one : first),
    undefined,
  )
}

function reading(read: (text: string) => number | undefined) {
  return z
    .union([z.number(), z.string()])
    .nullish()
    .transform((value, context) => {
      if (value === null || value === undefined || value === '') return undefined
      const found = typeof value === 'number' ? value : read(value.trim())
      if (found !== undefined && Number.isFinite(found)) return found
      context.addIssue({ code: 'custom', message: 'is not a time' })
      return z.NEVER
    })
}
