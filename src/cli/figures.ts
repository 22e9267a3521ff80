/** Numbers, times and pictures of numbers as people read them. */

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'] as const
const LEVELS = '▁▂▃▄▅▆▇█'

export const count = (value: number): string => whole.format(value)

/** 1 call, 2 calls. */
export const calls = (value: number): string => `${count(value)} ${value === 1 ? 'call' : 'calls'}`

export const mean = (value: number | undefined): string => (value === undefined ? '–' : value.toFixed(2))

/** A share as a percentage: 0.0033 is `0.3 %`. */
export function percent(share: number | undefined): string {
  if (share === undefined) return '–'
  return `${(share * 100).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`
}

/** A difference with its sign; one that rounds to nothing has none. */
export function signed(value: number, digits = 2): string {
  const text = Math.abs(value).toFixed(digits)
  if (Number(text) === 0) return text
  return `${value < 0 ? '−' : '+'}${text}`
}

/** Seconds as players show them: 86.6 is `1:27`. */
export function clock(seconds: number | undefined): string {
  if (seconds === undefined) return '–'
  const all = Math.round(seconds)
  const two = (value: number) => String(value).padStart(2, '0')
  const hours = Math.floor(all / 3600)
  const minutes = Math.floor(all / 60) % 60
  return hours > 0 ? `${hours}:${two(minutes)}:${two(all % 60)}` : `${minutes}:${two(all % 60)}`
}

/** Seconds as a length of time: 86.6 is `1 min 27 s`. */
export function duration(seconds: number | undefined): string {
  if (seconds === undefined) return '–'
  const all = Math.round(seconds)
  const hours = Math.floor(all / 3600)
  const minutes = Math.floor(all / 60) % 60
  if (hours > 0) return `${hours} h ${minutes} min`
  return minutes > 0 ? `${minutes} min ${all % 60} s` : `${all} s`
}

/** An instant in a time zone, to the minute: `2026-03-01 13:00`. */
export function localTime(instant: string | undefined, timeZone: string): string {
  if (instant === undefined) return '–'
  const at = new Date(instant)
  if (Number.isNaN(at.getTime())) return instant
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(at)
  const part = (type: string) => parts.find(one => one.type === type)?.value ?? ''
  return `${part('year')}-${part('month')}-${part('day')} ${part('hour')}:${part('minute')}`
}

/** A bar as long as a share of its width, in eighths of a character. What is more than nothing shows. */
export function bar(share: number, width: number): string {
  const eighths = Math.max(share > 0 ? 1 : 0, Math.round(Math.min(1, Math.max(0, share)) * width * 8))
  return '█'.repeat(Math.floor(eighths / 8)) + (EIGHTHS[eighths % 8] ?? '')
}

/**
 * Values as a line of columns, a gap where there is none.
 * @param least what the lowest column stands for, and `most` the highest: the lowest and the highest value by default
 */
export function sparkline(values: readonly (number | undefined)[], least?: number, most?: number): string {
  const there = values.filter(value => value !== undefined)
  const low = Math.min(least ?? Infinity, ...there)
  const high = Math.max(most ?? -Infinity, ...there)
  const level = (value: number) =>
    high === low ? 3 : Math.min(LEVELS.length - 1, Math.floor(((value - low) / (high - low)) * LEVELS.length))
  return values.map(value => (value === undefined ? ' ' : (LEVELS[level(value)] ?? ' '))).join('')
}
