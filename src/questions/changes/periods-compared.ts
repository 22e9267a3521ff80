import { Temporal } from 'temporal-polyfill'
import type { Span } from '../../base/period.js'
import type { Comparison, Pair } from '../../statistics/periods/look.js'
import { FEWEST_PAIRS } from '../../statistics/periods/usual-moves.js'
import type { ComparedPeriods } from './read-periods.js'

/** The times that calls are counted in, and what is compared of them. */
export interface PeriodsCompared {
  /** Pieces of time that have nothing in common, oldest first: what is counted. */
  readonly pieces: readonly Span[]
  /** What each column holds, by numbers of pieces. */
  readonly columns: readonly (readonly number[])[]
  readonly comparison: Omit<Comparison, 'agents' | 'least'>
}

/** Most earlier pairs: more tell little, and are calls to read. */
const MOST_PAIRS = 6
/** Periods so far apart, in days, come in a row, as weeks and quarters do: earlier ones are as far apart. */
const IN_A_ROW_DAYS = 100
/** Periods count as equally long whose lengths differ by this part. */
const ALIKE = 0.2

/**
 * What a comparison rests on: the two periods, and as many earlier pairs as there are calls for, each as long and as far
 * apart, shifted back by days of the calendar. With fewer than two pairs neighbouring thirds of each period take their
 * place, which show how agents drift within a period only.
 * @param first when the first call began; undefined for none
 */
export function periodsCompared(
  { window, parts }: Pick<ComparedPeriods, 'window' | 'parts'>,
  first: number | undefined,
  timeZone: string,
): PeriodsCompared {
  const spans: (readonly Span[])[] = []
  const column = (of: readonly Span[]) => {
    const found = spans.findIndex(one => JSON.stringify(one) === JSON.stringify(of))
    return found >= 0 ? found : spans.push(of) - 1
  }
  const pair = (now: readonly Span[], before: readonly Span[]): Pair => ({ now: column(now), before: column(before) })
  const present = pair([window], parts)
  const history = first === undefined ? [] : earlierPairs(window, parts, first, timeZone)
  const hasHistory = history.length >= FEWEST_PAIRS
  const earlier = hasHistory
    ? history.map(({ now, before }) => pair(now, before))
    : [window, longest(parts)].flatMap(span => {
        const thirds = thirdsOf(span, timeZone)
        return thirds.slice(1).map((later, i) => pair([later], [thirds[i]!]))
      })
  const pieces = piecesOf(spans.flat())
  const columns = spans.map(of =>
    pieces.flatMap(({ from, until }, i) => (of.some(span => from >= span.from && until <= span.until) ? [i] : [])),
  )
  return { pieces, columns, comparison: { columns: columns.length, present, earlier, hasHistory } }
}

const local = (at: number, timeZone: string) => Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone)

/** Whole days of the calendar from one instant to another, begun ones too. */
function daysBetween(from: number, until: number, timeZone: string): number {
  const start = local(from, timeZone)
  const { days } = start.until(local(until, timeZone), { largestUnit: 'days' })
  return days + (start.add({ days }).epochMilliseconds < until ? 1 : 0)
}

const shifted = (spans: readonly Span[], days: number, timeZone: string): readonly Span[] =>
  spans.map(({ from, until }) => ({
    from: local(from, timeZone).subtract({ days }).epochMilliseconds,
    until: local(until, timeZone).subtract({ days }).epochMilliseconds,
  }))

function earlierPairs(window: Span, parts: readonly Span[], first: number, timeZone: string) {
  const baseline = { from: parts[0]!.from, until: parts.at(-1)!.until }
  const days = Math.max(1, daysBetween(window.from, window.until, timeZone))
  const isBefore = baseline.until <= window.from
  const length = window.until - window.from
  const isAlike = Math.abs(baseline.until - baseline.from - length) <= ALIKE * length
  const apart = isBefore ? daysBetween(baseline.from, window.from, timeZone) : 0
  const step = isBefore && isAlike && apart <= IN_A_ROW_DAYS ? Math.max(days, apart) : days
  // What is looked at for a change is no part of what is usual; the baseline is, where it comes before.
  const end = isBefore ? window.from : Math.min(window.from, baseline.from)
  const pairs: { now: readonly Span[]; before: readonly Span[] }[] = []
  for (let shift = step; pairs.length < MOST_PAIRS; shift += step) {
    const now = shifted([window], shift, timeZone)
    const before = shifted(parts, shift, timeZone)
    const all = [...now, ...before]
    if (all.some(span => span.from < first)) break
    if (all.every(span => span.until <= end)) pairs.push({ now, before })
  }
  return pairs
}

const longest = (spans: readonly Span[]): Span => spans.reduce((a, b) => (b.until - b.from > a.until - a.from ? b : a))

const THIRDS = 3

/** A span cut at midnights into thirds, oldest first; none of a span of fewer than three days. */
function thirdsOf({ from, until }: Span, timeZone: string): readonly Span[] {
  const days = daysBetween(from, until, timeZone)
  if (days < THIRDS) return []
  const start = local(from, timeZone).startOfDay()
  const cut = (third: number) => start.add({ days: Math.round((days * third) / THIRDS) }).epochMilliseconds
  return [
    { from, until: cut(1) },
    { from: cut(1), until: cut(2) },
    { from: cut(2), until },
  ]
}

/** The times between all bounds that lie within a span. */
function piecesOf(spans: readonly Span[]): readonly Span[] {
  const bounds = [...new Set(spans.flatMap(({ from, until }) => [from, until]))].toSorted((a, b) => a - b)
  return bounds.slice(0, -1).flatMap((from, i): Span[] => {
    const until = bounds[i + 1]!
    return spans.some(span => from >= span.from && until <= span.until) ? [{ from, until }] : []
  })
}
