import type { CallRecord } from '../../calls/call-record.js'
import type { Spot } from './finding.js'
import type { SignalFound } from './evaluate-signals.js'

type Conditions = NonNullable<CallRecord['conditions']>

/** Most conditions kept for one signal. */
const MOST_CONDITIONS = 5

/** The events signals were decided by: what was said, or measured, in which turn. */
export function signalConditions(found: readonly SignalFound[]): Conditions {
  const conditions: Conditions = []
  for (const { compiled, spots } of found) {
    for (const spot of spots.length > MOST_CONDITIONS ? spots.slice(0, MOST_CONDITIONS) : spots) {
      conditions.push({ key: compiled.signal.key, turn: spot.turn.turn, text: eventOf(spot) })
    }
  }
  return conditions
}

/** What decided, at one spot. */
export function eventOf({ turn, from, to, measured }: Spot): string {
  if (measured !== undefined) return measured
  const { words } = turn.said
  const first = words[from ?? 0]
  const last = words[Math.min(to ?? words.length, words.length) - 1]
  if (first === undefined || last === undefined) return turn.text.slice(0, 200).toWellFormed()
  return turn.text.slice(first.start, Math.min(Math.max(first.end, last.end), first.start + 300)).toWellFormed()
}
