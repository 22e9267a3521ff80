import type { CallRecord } from '../../src/calls/call-record.js'
import { rubric } from '../../src/evaluation/rubric/rubric.js'
import { signalCatalogs } from '../../src/evaluation/rubric/signal-catalogs.js'
import { RulesEvaluator } from '../../src/evaluation/rules/rules-evaluator.js'
import { isUntouched } from './is-untouched.js'
import type { LabelledSentence } from './labelled-sentences.js'
import type { Counted } from './trade-calls.js'

export const chosenSignals = signalCatalogs.get('en')!

/** Finds the signals that projects choose, all of them, and nothing else. */
const rules = new RulesEvaluator({
  rubric: rubric.parse({
    name: 'catalog',
    title: 'Catalog',
    language: 'en',
    dimensions: [{ key: 'opening', name: 'Opening', weight: 1 }],
    signals: chosenSignals,
  }),
  version: '1',
})

export const chosenIn = (call: CallRecord): readonly string[] =>
  rules.evaluate(call, new Date(0)).fields?.signals?.flatMap(({ key, state }) => (state === 'present' ? [key] : [])) ??
  []

/** Half of the sentences, by the hash of the line, never decided what a phrase is like. */
export const isUntouchedSentence = ({ line }: LabelledSentence): boolean => isUntouched(line)

/** What is heard of each signal in sentences that are labelled for it, and the sentences that are heard otherwise. */
export function measureChosen(sentences: readonly LabelledSentence[]): {
  readonly bySignal: ReadonlyMap<string, Counted>
  readonly wrong: readonly string[]
} {
  const bySignal = new Map<string, Counted>(chosenSignals.map(({ key }) => [key, { hit: 0, extra: 0, missed: 0 }]))
  const wrong: string[] = []
  for (const { id, labels, call } of sentences) {
    const found = chosenIn(call)
    for (const [key, state] of Object.entries(labels)) {
      const is = { wanted: state === 'present', found: found.includes(key) }
      if (is.wanted !== is.found) wrong.push(id)
      if (is.wanted || is.found) bySignal.get(key)![is.wanted ? (is.found ? 'hit' : 'missed') : 'extra'] += 1
    }
  }
  return { bySignal, wrong }
}

/** Calls in which each signal is found. */
export function chosenAlarms(calls: readonly CallRecord[]): ReadonlyMap<string, number> {
  const alarms = new Map<string, number>()
  for (const call of calls) for (const key of chosenIn(call)) alarms.set(key, (alarms.get(key) ?? 0) + 1)
  return alarms
}

export function totalOf(counted: Iterable<Counted>): Counted {
  const total = { hit: 0, extra: 0, missed: 0 }
  for (const one of counted) for (const what of ['hit', 'extra', 'missed'] as const) total[what] += one[what]
  return total
}
