import { toInstant } from '../../mapping/to-instant.js'
import type { Fault } from '../../piece.js'

const CLOCK = /^(?:(\d{1,4}):)?(\d{1,3}):(\d{1,2}(?:[.,]\d{1,6})?)$/
const NUMBER = /^\d{1,12}(?:\.\d{1,9})?$/

interface Times {
  readonly start: number | undefined
  readonly end: number | undefined
}

/**
 * When a turn was said, seconds from the start of its call.
 *
 * @param cell the row's cell of a field such as turn.start_ms, empty where there is none
 * @param clock the time of day of the call's first row and of this one, where rows have it: it serves where no column
 *   says the start
 */
export function turnSeconds(
  cell: (field: string) => string,
  clock: { readonly from: string; readonly at: string } | undefined,
  timeZone: string | undefined,
): Times | { readonly fault: Fault } {
  const start = secondsOf(cell, 'start')
  if (typeof start === 'object') return start
  const end = secondsOf(cell, 'end')
  if (typeof end === 'object') return end
  if (start !== undefined || clock === undefined) return { start, end }
  const from = toInstant(clock.from, timeZone)
  const at = toInstant(clock.at, timeZone)
  if ('message' in from || 'message' in at) return { start: undefined, end }
  return { start: (Date.parse(at.instant) - Date.parse(from.instant)) / 1000, end }
}

function secondsOf(cell: (field: string) => string, which: 'start' | 'end'): number | undefined | { fault: Fault } {
  for (const [field, unit] of [
    [`turn.${which}_s`, 1],
    [`turn.${which}_ms`, 1000],
    [`turn.${which}`, undefined],
  ] as const) {
    const text = cell(field)
    if (text === '') continue
    const clock = CLOCK.exec(text)
    if (clock !== null) {
      return Number(clock[1] ?? 0) * 3600 + Number(clock[2]) * 60 + Number((clock[3] ?? '0').replace(',', '.'))
    }
    const fault = (message: string) => ({ fault: { path: field, message } })
    if (!NUMBER.test(text)) return fault('must be a number or a time such as 00:01:02.5')
    // Seconds with a fraction can be nothing else; whole numbers can.
    const per = unit ?? (text.includes('.') ? 1 : undefined)
    if (per === undefined) {
      return fault(
        `does not say whether it is seconds or milliseconds: name the column ${which}_s or ${which}_ms, or map it (--map turn.${which}_ms=…)`,
      )
    }
    return Number(text) / per
  }
  return undefined
}
