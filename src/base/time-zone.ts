import { z } from 'zod'

/** The IANA name of a time zone, written right. */
export const timeZone = z
  .string()
  .max(100)
  .refine(isTimeZone, 'must be the IANA name of a time zone, such as Europe/Berlin')
  .transform(writtenRight)

function resolved(zone: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}

// Newer engines also take offsets ("+01:00"), which have no daylight saving and are no names.
function isTimeZone(zone: string): boolean {
  return /^[A-Za-z]/.test(zone) && resolved(zone) !== undefined
}

// "europe/berlin" is kept as Europe/Berlin; an alias such as Asia/Kolkata stays as written.
function writtenRight(zone: string): string {
  const canonical = resolved(zone)
  return canonical?.toLowerCase() === zone.toLowerCase() ? canonical : zone
}
