import type { LiftCall, LiftQuery, LiftStore, OutcomeLift, PlacedLift } from '../../store/lift-store.js'
import type { Rubric } from '../rubric/rubric.js'
import { COUNTED, outcomeConditions } from '../outcome-csat.js'
import { fitApart } from './fit-apart.js'
import { GatheredCalls } from './gather-calls.js'
import type { LiftFit } from './lift-groups.js'
import type { LiftReport } from './lift-report.js'
import { liftsBy } from './lifts-by.js'

/** Times the calls are gone through: those that the store moved meanwhile may be met in the next. */
const TIMES = 3
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
  for await (const some of store.alikeCalls(projectId, query, signal)) gathered.add(some)
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

/**
 * Goes through the calls, and writes what is another than before.
 * @returns how many calls have another lift now, or none any more
 */
async function writeBack(
  gathered: GatheredCalls,
  fit: LiftFit | undefined,
  query: LiftQuery,
  { store, projectId, signal }: RefitOptions,
): Promise<number> {
  const liftOfCall = fit && liftsBy(fit, gathered.contexts, query.signals.length)
  let changed = 0
  for (let times = 0; times < TIMES; times += 1) {
    let calls = 0
    let keys = 0n
    for await (const page of store.liftPages(projectId, query, signal)) {
      const lifts: PlacedLift[] = []
      for (const { place, seen, lift: kept } of page.calls) {
        const lift = seen && liftOfCall?.(seen)
        if (!isSame(kept, lift)) lifts.push({ place, lift })
        if (seen === undefined) continue
        calls += 1
        keys ^= place.key
      }
      signal?.throwIfAborted()
      changed += await store.writeLifts(projectId, query, page, lifts)
    }
    if (calls === gathered.calls && keys === gathered.keys) break
  }
  return changed
}

/** Whether a lift as it is kept is another one. */
function isSame(kept: LiftCall['lift'], lift: OutcomeLift | undefined): boolean {
  if (kept === undefined || lift === undefined) return kept === lift
  return kept.lift === lift.lift && kept.p_behavioral === lift.p_behavioral && kept.p_context === lift.p_context
}
