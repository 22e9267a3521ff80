import { type Span, readPeriod } from '../../base/period.js'
import { Problem } from '../../base/problem.js'
import { echo } from '../../base/text.js'

/** A period and what it is compared with, as resolved. */
export interface ComparedPeriods {
  readonly window: Span
  /** From the first instant that is compared to the last. */
  readonly baseline: Span
  /** What of the baseline is outside of the period: all of it, or its ends. */
  readonly parts: readonly Span[]
  /** The baseline that was asked for overlaps the period. */
  readonly isCut: boolean
}

/**
 * Reads the periods to compare. A call that counted on both sides would make them more alike than they are, and the tests
 * are of samples that have nothing in common: what a baseline has in common with the period is left out of it.
 * @throws Problem `invalid_input`, also when nothing is left of the baseline
 */
export function readPeriods(
  { period, baseline }: { readonly period: string; readonly baseline?: string | undefined },
  now: number,
  timeZone: string,
): ComparedPeriods {
  const window = readPeriod(period, 'period', now, timeZone)
  if (baseline === undefined) return { window, baseline: window.before, parts: [window.before], isCut: false }
  const { from, until } = readPeriod(baseline, 'baseline', now, timeZone)
  const parts = [
    { from, until: Math.min(until, window.from) },
    { from: Math.max(from, window.until), until },
  ].filter(part => part.from < part.until)
  const [first, last] = [parts[0], parts.at(-1)]
  if (first === undefined || last === undefined) throw nothingLeft(period, baseline)
  const left = { from: first.from, until: last.until }
  return { window, baseline: left, parts, isCut: parts.length > 1 || left.from !== from || left.until !== until }
}

function nothingLeft(period: string, baseline: string): Problem {
  const advice = 'there is nothing left to compare with; leave it out to compare with the time just before'
  const message = `Argument "baseline" ${echo(baseline)} lies within the period ${echo(period)}: ${advice}`
  return new Problem('invalid_input', message, { details: [{ path: 'baseline', message: 'Lies within the period' }] })
}
