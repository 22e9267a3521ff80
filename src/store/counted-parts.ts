import { firstPlace } from '../base/first-place.js'
import type { TimeSpan } from '../pipeline/index.js'

/** A day whose counts are those of its calls, or several of them together. Milliseconds since 1970. */
export interface CountedDay {
  /** Local midnight, written as if it were UTC. */
  readonly day: number
  /** Of several days the last one. */
  readonly last?: number | undefined
  readonly from: number
  readonly until: number
  /** Of a day that calls still come to: the last write whose calls are counted. Those of later ones are read; it is added up with no others. */
  readonly countedTo?: bigint
  /** When the first and the last call of it began; absent without any. */
  readonly calls?: { readonly first: number; readonly last: number }
}

/** Days in a row that a span takes from counts. */
export interface DaysInRow {
  readonly span: number
  readonly first: number
  readonly last: number
  /** Of a day that calls still come to: one by itself. */
  readonly isOpen?: true
}

/** A time in which a span takes calls one by one. */
export interface Rest {
  readonly span: number
  readonly from?: number | undefined
  readonly until?: number | undefined
  /** Only those of later writes. */
  readonly after?: bigint
}

export interface CountedParts {
  readonly days: readonly DaysInRow[]
  readonly rests: readonly Rest[]
}

/** Most rows of days that one statement names; the calls of shorter ones are read. */
const MOST_ROWS = 64

interface Island extends DaysInRow {
  readonly from: number
  readonly until: number
  readonly after?: bigint
}

/**
 * What of each span whole days can say, and which times are left over: together they are the span, and nothing twice. A day
 * counts as whole where all its calls lie in the span, even if the span ends before the day does.
 * @param days in order
 */
export function countedParts(spans: readonly TimeSpan[], days: readonly CountedDay[]): CountedParts {
  const islands = spans.flatMap((span, i) => islandsOf(span, i, days))
  const kept = new Set(islands.toSorted((a, b) => b.until - b.from - (a.until - a.from)).slice(0, MOST_ROWS))
  const used = islands.filter(island => kept.has(island))
  return {
    days: used.map(({ from: _from, until: _until, after: _after, ...run }) => run),
    rests: spans.flatMap(({ from, before }, span) => {
      const own = used.filter(island => island.span === span)
      const begins = [from?.getTime(), ...own.map(({ until }) => until)]
      const ends = [...own.map(island => island.from), before?.getTime()]
      const between = begins.map((begin, i): Rest => ({ span, from: begin, until: ends[i] }))
      const later = own.flatMap(({ after, ...day }): Rest[] => {
        if (after === undefined) return []
        const [start, end] = [from?.getTime() ?? -Infinity, before?.getTime() ?? Infinity]
        return [{ span, from: Math.max(day.from, start), until: Math.min(day.until, end), after }]
      })
      return [...between, ...later].filter(
        one => one.from === undefined || one.until === undefined || one.from < one.until,
      )
    }),
  }
}

/** All days that are counted, in rows. @param days in order */
export const runsOf = (days: readonly CountedDay[]): readonly DaysInRow[] => islandsOf({}, 0, days)

function islandsOf({ from, before }: TimeSpan, span: number, days: readonly CountedDay[]): readonly Island[] {
  const [start, end] = [from?.getTime() ?? -Infinity, before?.getTime() ?? Infinity]
  const islands: Island[] = []
  // Those in the span follow one another: of years of days, few are looked at.
  for (let at = firstPlace(days, day => begins(day) >= start); at < days.length; at += 1) {
    const { day, last = day, from: begin, until, countedTo: after } = days[at]!
    if (ends(days[at]!) >= end) break
    const before = islands.at(-1)
    const isOpen = after !== undefined
    if (!isOpen && before?.isOpen === undefined && before?.until === begin)
      islands[islands.length - 1] = { ...before, last, until }
    else islands.push({ span, first: day, last, from: begin, until, ...(isOpen && { isOpen, after }) })
  }
  return islands
}

/** Whether all calls of a day lie in a span. */
export const liesIn = ({ from, before }: TimeSpan, day: CountedDay): boolean =>
  begins(day) >= (from?.getTime() ?? -Infinity) && ends(day) < (before?.getTime() ?? Infinity)

/** No call of a day begins before it, and none after the other. */
const begins = ({ calls, from }: CountedDay): number => calls?.first ?? from
const ends = ({ calls, until }: CountedDay): number => calls?.last ?? until - 1
