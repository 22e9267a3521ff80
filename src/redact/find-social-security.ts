import type { DigitRun } from './digit-runs.js'
import type { FoundSpans } from './found-spans.js'
import { groupWindows } from './group-windows.js'
import type { Span } from './mask.js'

/** Words that say what nine digits are, so many characters before them at most. */
const ANNOUNCED = /\bsocial\b|\bssn\b|\bitin\b|national insurance/i
const ANNOUNCED_WITHIN = 80
const DIGITS = 9
/** A separator as in 123-45-6789. */
const SEPARATED = /^\p{Nd}{3}[-\u2010-\u2015 .]\p{Nd}{2}[-\u2010-\u2015 .]\p{Nd}{4}$/u
/** British national insurance numbers; letters that are never used are left out. */
const NATIONAL_INSURANCE =
  /(?<![\p{L}\p{N}])[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D](?![\p{L}\p{N}])/giu

/**
 * Social security numbers of the United States: written as 123-45-6789, or nine digits of any form where words before
 * say what they are.
 */
export function findSocialSecurity(
  run: DigitRun,
  text: string,
  found: FoundSpans,
  before: (at: number, length: number) => string,
): void {
  for (const group of run.groups.keys()) {
    for (const { start, end } of groupWindows(run, group, DIGITS, DIGITS)) {
      if (SEPARATED.test(text.slice(start, end)) || ANNOUNCED.test(before(start, ANNOUNCED_WITHIN))) {
        found.take({ start, end, kind: 'ssn' })
      }
    }
  }
}

/** National insurance numbers of the United Kingdom. */
export function findNationalInsurance(text: string): readonly Span[] {
  return Array.from(text.matchAll(NATIONAL_INSURANCE), ({ index, 0: { length } }) => ({
    start: index,
    end: index + length,
    kind: 'ssn' as const,
  }))
}
