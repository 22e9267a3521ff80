import { compileRubric } from '../../src/evaluation/rules/compile-rubric.js'
import { askedSignals } from '../../src/evaluation/model/asked-signals.js'
import { RulesEvaluator } from '../../src/evaluation/rules/rules-evaluator.js'
import type { VersionedRubric } from '../../src/evaluation/rubric/built-in-rubrics.js'
import { type DistilledSignal, distilSignal } from '../../src/evaluation/distil/distil-signal.js'
import { seenTurns } from '../../src/evaluation/distil/turn-features.js'
import type { LabelledCall } from './calibration.js'

export interface OpinionTried extends DistilledSignal {
  readonly key: string
}

/**
 * What a second opinion learnt from labelled calls is worth, by cross-validation over these calls, beside the rules. Where both the label
 * and the rules say that a signal is present, the turns that the rules quote are those that show it; of the others none is known.
 * @param keys signals; default those that words decide
 */
export function tryOpinions(
  one: VersionedRubric,
  calls: readonly LabelledCall[],
  keys: readonly string[] = askedSignals(compileRubric(one.rubric)).map(({ signal: { key } }) => key),
): readonly OpinionTried[] {
  const rules = new RulesEvaluator(one)
  const read = calls.map(({ call, labels }) => {
    const { fields } = rules.evaluate(call, new Date(0))
    return {
      labels,
      turns: seenTurns(call),
      text: JSON.stringify(call.transcript?.map(({ actor, text }) => [actor, text])),
      found: fields && new Map(fields.signals?.map(({ key, state, evidence }) => [key, { state, evidence }])),
    }
  })
  return keys.map(key => {
    const labelled = read.flatMap(({ labels, turns, text, found }) => {
      const label = labels[key]
      if (label === undefined || label === 'unclear') return []
      const { state, evidence = [] } = found?.get(key) ?? {}
      const shown = label === 'present' && state === 'present' ? evidence.map(({ turn }) => turn) : []
      return [{ turns, text, present: label === 'present', shown, rules: found && state === 'present' }]
    })
    return { key, ...distilSignal(labelled) }
  })
}
