import type { CompiledRubric } from '../rules/compile-rubric.js'
import { evaluateSignal, type SignalFound, someoneSpeaks } from '../rules/evaluate-signals.js'
import { type Spot, spotAt } from '../rules/finding.js'
import type { HeardCall } from '../rules/heard-call.js'
import type { Reading, SignalState } from '../rules/reading.js'
import { isAsked } from './asked-signals.js'
import type { Findings, SpotFound } from './findings.js'

/**
 * The signals of a call: what is said as the model found it, and what the clock or other signals decide by the rubric's
 * rules, in the order of dependence. The states go into `states`, where rules look them up.
 */
export function signalsFound(
  { signals }: CompiledRubric,
  reading: Reading,
  states: Map<string, SignalState>,
  findings: Findings,
): readonly SignalFound[] {
  const answers = new Map(findings.signals.map(one => [one.key, one]))
  const found: SignalFound[] = []
  for (const compiled of signals) {
    const { key } = compiled.signal
    let one: SignalFound | undefined
    if (isAsked(compiled)) {
      const answer = answers.get(key)
      if (answer === undefined || answer.state === 'not_applicable' || !someoneSpeaks(compiled, reading)) continue
      // Where that hangs on other signals alone, the rubric knows whether it applies.
      const { applies } = compiled
      if (applies !== undefined && !applies.words && applies.find(reading).truth === 'no') continue
      one = {
        compiled,
        state: answer.state,
        spots: answer.spots.flatMap(spot => spotOf(spot, reading.heard)),
        byModel: true,
      }
    } else {
      // The driver was found by the model, in whatever language: its rules are about that, not about words.
      one = evaluateSignal(compiled, compiled.words && !compiled.times ? { ...reading, readable: true } : reading)
    }
    if (one === undefined) continue
    states.set(key, one.state)
    found.push(one)
  }
  return found
}

/** A part of a turn as the words it holds. */
export function spotOf({ place, start, end }: SpotFound, { spoken }: HeardCall): readonly Spot[] {
  const turn = spoken.find(one => one.place === place)
  if (turn === undefined) return []
  const { words } = turn.said
  const from = words.findIndex(word => word.end > start)
  const after = words.findIndex(word => word.start >= end)
  return from < 0 ? [] : [spotAt(turn, from, Math.max(from + 1, after < 0 ? words.length : after))]
}
