import { z } from 'zod'
import type { CallRecord } from '../../calls/call-record.js'
import type { evaluatedFieldNames } from '../../calls/evaluated-fields.js'
import type { CallToEvaluate, EvaluationStore } from '../../store/store.js'
import { agreementOf } from '../model/agreement.js'
import { difference, differencesOf, type NamedPair } from '../model/differences.js'
import { type MakeEvaluator, rulesInBatches, rulesInTurns, type SharedThreads } from './batch-evaluator.js'
import type { CallEvaluated } from '../stored-call.js'
import type { RunRubric } from './evaluate-batch.js'
import { type EvaluationProgress, modelUsage } from './evaluation-report.js'

const count = z.int().min(0)
const share = z.number().min(-1).max(1)
const agreement = {
  n: count.meta({ description: 'Calls to which at least one evaluator says it applies' }),
  agreement: share.meta({ description: 'Share of these on whose state they agree, 0–1' }),
  kappa: share.optional().meta({ description: 'Cohen’s kappa; absent where both always say the same one thing' }),
  only_one: count.meta({ description: 'Present by the model and not by the rules' }),
  only_other: count.meta({ description: 'Present by the rules and not by the model' }),
}
const numbers = z.strictObject({
  n: count,
  mean_difference: z.number().optional().meta({ description: 'By the model less by the rules' }),
  mean_distance: z.number().optional(),
})

const examples = z
  .array(difference)
  .meta({ description: 'Up to five calls in which they differ, by the model and by the rules, with what each quotes' })

/**
 * How far the model and the rules agree on a sample. Nothing of it is written to the calls. It holds words of calls: who gives
 * it gives it to the operator alone.
 */
export const comparison = z.strictObject({
  rubric: z.string(),
  rubric_version: z.string(),
  sample: count.meta({ description: 'Calls that were looked at' }),
  compared: count.meta({ description: 'Calls that both evaluated' }),
  reasons: z.array(z.strictObject({ reason: z.string(), calls: count })),
  signals: z.array(z.strictObject({ key: z.string(), ...agreement, examples })),
  overall: z.strictObject(agreement),
  score: numbers,
  predicted_csat: numbers,
  model: modelUsage.optional(),
})
export type Comparison = z.output<typeof comparison>

const END_OF_TIME = Date.UTC(2200, 0)

interface CompareOptions {
  readonly store: Pick<EvaluationStore, 'chooseToEvaluate' | 'toEvaluate'>
  readonly projectId: string
  readonly rubric: RunRubric
  /** Calls to compare on, whether they are evaluated or not; the same ones each time. */
  readonly sample: number
  readonly evaluator: MakeEvaluator
  /** Where the rules do their work, and for whom; in this thread when absent. */
  readonly shared?: SharedThreads | undefined
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: ((progress: EvaluationProgress) => void | Promise<void>) | undefined
  readonly clock?: () => number
}

/** Evaluates a sample with an evaluator and by the rules, and says how far they agree. The calls stay as they are. */
export async function compareEvaluators(options: CompareOptions): Promise<Comparison> {
  const { store, projectId, rubric, sample, signal, onProgress, clock = Date.now } = options
  const ended = new AbortController()
  const ending = signal === undefined ? ended.signal : AbortSignal.any([signal, ended.signal])
  const evaluator = options.evaluator(ending, options.shared)
  const rules =
    options.shared === undefined
      ? rulesInBatches(rubric, 0)
      : rulesInTurns(rubric, options.shared.threads, { requester: options.shared.requester, signal: ending })
  const pairs: NamedPair[] = []
  const reasons = new Map<string, number>()
  let done = 0
  try {
    const chosen = await store.chooseToEvaluate(projectId, {
      which: 'everything',
      rubric: rubric.rubric.name,
      rubricVersion: rubric.version,
      // What was evaluated since is looked at too.
      before: END_OF_TIME,
      sample,
    })
    const compare = async ({ session_id, json }: CallToEvaluate): Promise<void> => {
      const batch = { calls: [json], at: clock() }
      const [[one], [other]] = await Promise.all([evaluator.run(batch), rules.run(batch)])
      if ([one, other].some(found => found !== undefined && 'left' in found)) return
      const reason = [one, other].flatMap(found => (found !== undefined && 'none' in found ? [found.none] : []))[0]
      if (reason !== undefined) reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
      const [mine, theirs] = [fieldsOf(one), fieldsOf(other)]
      if (mine !== undefined && theirs !== undefined) pairs.push({ session_id, one: mine, other: theirs })
      done += 1
      await onProgress?.({ done, total: chosen.count })
    }
    for (let from: bigint | undefined = chosen.count > 0 ? chosen.first : undefined; from !== undefined;) {
      signal?.throwIfAborted()
      const page = await store.toEvaluate(projectId, chosen, from)
      from = page.next
      await Promise.all(page.calls.map(call => compare(call)))
    }
    signal?.throwIfAborted()
  } finally {
    ended.abort()
    await Promise.all([evaluator.close(), rules.close()])
  }
  const asked = evaluator.asked?.()
  const inOrder = rubric.rubric.signals.map(({ key }) => key).filter(key => asked?.has(key) !== false)
  const found = agreementOf(pairs, inOrder)
  return {
    rubric: rubric.rubric.name,
    rubric_version: rubric.version,
    sample: done,
    compared: pairs.length,
    reasons: [...reasons].map(([reason, calls]) => ({ reason, calls })),
    ...found,
    signals: found.signals.map(one => ({ ...one, examples: differencesOf(pairs, one.key) })),
    ...(evaluator.model !== undefined && { model: evaluator.model() }),
  }
}

type Fields = Pick<CallRecord, (typeof evaluatedFieldNames)[number]>

/** What an evaluator of ours wrote. */
function fieldsOf(found: CallEvaluated | undefined): Fields | undefined {
  return found !== undefined && 'json' in found ? (JSON.parse(found.json) as Fields) : undefined
}
