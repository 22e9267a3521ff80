/** What of a value is shown where it is not known. */
export const UNKNOWN = '—'

const MINUTE_S = 60
const HOUR_S = 3_600

/** Seconds as a clock shows them: 1:34, 1:02:07. */
export function clock(seconds: number | undefined): string {
  if (seconds === undefined || !Number.isFinite(seconds)) return UNKNOWN
  const whole = Math.round(seconds)
  const two = (value: number) => String(value).padStart(2, '0')
  const [hours, minutes] = [Math.floor(whole / HOUR_S), Math.floor((whole % HOUR_S) / MINUTE_S)]
  const rest = two(whole % MINUTE_S)
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`
}

/** A number with so many decimals, or the sign for what is not known; what rounds to nothing has no minus. */
export function fixed(value: number | undefined, decimals = 1): string {
  if (value === undefined || !Number.isFinite(value)) return UNKNOWN
  const text = value.toFixed(decimals)
  return text.replace('-', Number(text) === 0 ? '' : '−')
}

/** The same with its sign, a plus too; what rounds to nothing has none. */
export function signed(value: number | undefined, decimals = 2): string {
  const text = fixed(value, decimals)
  return value !== undefined && Number(text) > 0 ? `+${text}` : text
}

/** A share as a percentage, below a tenth with a decimal: 0.0033 is `0.3 %`. */
export function percent(share: number | undefined): string {
  if (share === undefined || !Number.isFinite(share)) return UNKNOWN
  return `${(share * 100).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`
}

export function whole(count: number): string {
  return count.toLocaleString('en')
}

/** A day, and the minute of it. */
const MINUTE = {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
} as const satisfies Intl.DateTimeFormatOptions

/** An instant in the project's zone: 21 Nov, 15:41; of another year than this one with its year. */
export function moment(iso: string | undefined, timeZone: string, now: Date = new Date()): string {
  const year = { timeZone, year: 'numeric' } as const
  return formatted(iso, {
    timeZone,
    ...MINUTE,
    ...(formatted(iso, year) !== formatted(now.toISOString(), year) && { year: 'numeric' }),
  })
}

/** The same with its year and its seconds, of what comes many times a minute. */
export function second(iso: string | undefined, timeZone: string): string {
  return formatted(iso, { timeZone, ...MINUTE, year: 'numeric', second: '2-digit' })
}

/** The same with its year and weekday. */
export function fullMoment(iso: string | undefined, timeZone: string): string {
  return formatted(iso, { timeZone, ...MINUTE, year: 'numeric', weekday: 'short' })
}

/** Its day alone: 21 Nov 2026. */
export function day(iso: string | undefined, timeZone: string): string {
  return formatted(iso, { timeZone, day: 'numeric', month: 'short', year: 'numeric' })
}

const formats = new Map<string, Intl.DateTimeFormat>()

function formatted(iso: string | undefined, options: Intl.DateTimeFormatOptions): string {
  const at = iso === undefined ? Number.NaN : Date.parse(iso)
  if (Number.isNaN(at)) return UNKNOWN
  const name = JSON.stringify(options)
  const format = formats.get(name) ?? new Intl.DateTimeFormat('en-GB', options)
  formats.set(name, format)
  return format.format(at)
}

const DAY_MS = 86_400_000

/** A date so many days later, both as 2026-03-01. */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
}

/** The date of an instant in a zone, as 2026-03-01. */
export function dateIn(iso: string, timeZone: string): string {
  // Sweden writes dates so.
  return new Date(iso).toLocaleDateString('sv-SE', { timeZone })
}
