import type { LiftQuery, LiftStore, OutcomeLift, PlacedLift } from '../../store/lift-store.js'
import type { Rubric } from '../rubric/rubric.js'
import { COUNTED, outcomeConditions } from '../outcome-csat.js'
import { fitApart } from './fit-apart.js'
import { GatheredCalls } from './gather-calls.js'
import { FOLDS, type LiftFit } from './lift-groups.js'
import { liftOf } from './lift-of.js'
import type { LiftReport } from './lift-report.js'

/** Lifts written in one go: each time the store looks through the keys of all its calls. */
const BATCH = 16_384
/** Below these there is no lift: too little to tell anything from. */
const FEWEST_CALLS = 50
const FEWEST_OF_EITHER = 10

export interface RefitOptions {
  readonly store: LiftStore
  readonly projectId: string
  /** The project's rubric as it is; calls evaluated by another one or version have no lift. */
  readonly rubric: { readonly rubric: Rubric; readonly version: string }
  /** Ends the work early: what was written stays, the next fit does the rest. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Fits outcome lift to a project's evaluated calls and writes it where it is another than before. Calls are compared with
 * calls that the same evaluator read. The same calls give the same lifts, to the bit.
 * @throws the signal's reason when it was aborted, and whatever the store throws
 */
export async function refitLift(options: RefitOptions): Promise<readonly LiftReport[]> {
  try {
    const rules = await refitOf('rules', options)
    const model = await refitOf('model', options)
    // What a language model evaluated is nothing to tell of where there is none.
    return model.calls + model.changed === 0 ? [rules] : [rules, model]
  } catch (error) {
    options.signal?.throwIfAborted()
    throw error
  }
}

async function refitOf(evaluator: LiftReport['evaluator'], options: RefitOptions): Promise<LiftReport> {
  const { store, projectId, rubric, signal } = options
  const query: LiftQuery = {
    evaluator,
    rubric: rubric.rubric.name,
    rubricVersion: rubric.version,
    signals: agentSignals(rubric.rubric),
    parts: outcomeConditions(rubric.rubric),
    times: COUNTED,
  }
  const gathered = new GatheredCalls(rubric.rubric, query.signals.length)
  for await (const calls of store.liftCalls(projectId, query, signal)) gathered.add(calls)
  signal?.throwIfAborted()
  const { calls, positive } = gathered
  const none = whyNone(calls, positive)
  const fit = none === undefined ? await fitApart(gathered.groups(), signal) : undefined
  const changed = await writeBack(gathered, fit, query, options)
  return { evaluator, calls, positive, lifts: fit === undefined ? 0 : calls, changed, ...(none && { none }) }
}

/** Keys of the signals that tell what the agent did, in the rubric's order. */
function agentSignals({ signals }: Rubric): readonly string[] {
  return signals.filter(({ side }) => side === 'agent').map(({ key }) => key)
}

function whyNone(calls: number, positive: number): string | undefined {
  const negative = calls - positive
  if (calls < FEWEST_CALLS) return `It takes ${FEWEST_CALLS} evaluated calls; there are ${calls}`
  if (Math.min(positive, negative) >= FEWEST_OF_EITHER) return undefined
  return `It takes ${FEWEST_OF_EITHER} calls of either outcome; ${positive} are positive and ${negative} are not`
}

/** @returns how many calls have another lift now, or none any more */
async function writeBack(
  gathered: GatheredCalls,
  fit: LiftFit | undefined,
  query: LiftQuery,
  { store, projectId, signal }: RefitOptions,
): Promise<number> {
  let changed = 0
  let batch: PlacedLift[] = []
  const write = async () => {
    signal?.throwIfAborted()
    changed += await store.writeLifts(projectId, query, batch)
    batch = []
  }
  for (const calls of gathered.parts()) {
    for (const call of calls) {
      const lift = fit && liftOfCall(fit, gathered, call)
      if (!call.keeps(lift)) batch.push({ place: call.place, lift })
    }
    if (batch.length >= BATCH) await write()
  }
  if (batch.length > 0) await write()
  return changed
}

function liftOfCall(
  { context, behavioral }: LiftFit,
  gathered: GatheredCalls,
  { group, fold }: { readonly group: number; readonly fold: number },
): OutcomeLift | undefined {
  if (group < 0) return undefined
  return liftOf(context[gathered.contextOf(group) * FOLDS + fold]!, behavioral[group * FOLDS + fold]!)
}
