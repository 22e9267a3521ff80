const TIMESTAMP = /^(\d+)-(\d\d)-(\d\d)(?: \(BC\))? (\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?$/

/**
 * A date from the text the engine writes of a timestamp, such as `2026-03-01 12:00:00.5`; years of any number of digits,
 * and before the year 1 counted back from 1 BC.
 */
export function readTimestamp(text: string): Date {
  const found = TIMESTAMP.exec(text)
  if (found === null) throw new TypeError('The engine wrote a timestamp in another form')
  const [, year, month, day, hour, minute, second, fraction = ''] = found
  const date = new Date(0)
  date.setUTCFullYear(text.includes('(BC)') ? 1 - Number(year) : Number(year), Number(month) - 1, Number(day))
  date.setUTCHours(Number(hour), Number(minute), Number(second), Number(fraction.padEnd(3, '0').slice(0, 3)))
  return date
}
