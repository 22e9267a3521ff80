import { outcomeField, PREDICTED_CSAT } from '../../calls/outcome-field.js'
import {
  LIFT_PARTS,
  liftTurn,
  type LiftCall,
  type LiftQuery,
  type LiftStore,
  type OutcomeLift,
  type PlacedLift,
} from '../../store/lift-store.js'
import { agentKey, type LiftFitRecord } from '../../store/records/lift-fit.js'
import type { SharedTurns } from '../../store/shared-turns.js'
import type { Rubric } from '../rubric/rubric.js'
import { COUNTED, outcomeConditions } from '../outcome-csat.js'
import { FEWEST_AGENT_CALLS } from './agent-effects.js'
import { fitApart } from './fit-apart.js'
import { GatheredCalls } from './gather-calls.js'
import { knownEffects } from './known-effects.js'
import type { LiftFit } from './lift-groups.js'
import type { LiftReport } from './lift-report.js'
import { liftsBy } from './lifts-by.js'

/** Times the calls are gone through: those that the store moved meanwhile may be met in the next. */
const TIMES = 3
/** Below these there is no lift: too little to tell anything from. */
const FEWEST_CALLS = 50
const FEWEST_OF_EITHER = 10
/**
 * Calls that are fitted at most, of a rubric with so many signals that tell of the agent; fewer of more signals, which take time with their
 * square. 250,000 that are all different take 6 s and 133 MB (docs/statistics.md), and more of them tell nothing more.
 */
const MOST_FITTED = 250_000
const FITTED_SIGNALS = 24
/** Agents whose effects are kept: those with most calls. */
const MOST_AGENTS = 2_000

export interface RefitOptions {
  readonly store: {
    readonly calls: LiftStore
    /** One fit of a project at a time, among all processes: else calls had lifts of either. */
    readonly turns: SharedTurns
  }
  readonly projectId: string
  /** The project's rubric as it is; calls evaluated by another one or version are compared with none, and have no lift once it is fitted. */
  readonly rubric: { readonly rubric: Rubric; readonly version: string }
  /** The project's setting: what of a call says how it came out; predicted_csat where there is none. */
  readonly outcome?: string | undefined
  /** Ends the work early: what was written stays, the next fit does the rest. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Fits outcome lift to a project's evaluated calls and writes it where it is another than before. Calls are compared with
 * calls that the same evaluator read. The same calls give the same lifts, to the bit.
 * @throws the signal's reason when it was aborted, and whatever the store throws
 */
export async function refitLift(options: RefitOptions): Promise<readonly LiftReport[]> {
  const { store, projectId } = options
  try {
    return await store.turns.run(liftTurn(projectId), async ({ mayWrite }) => {
      const turn = { ...options, store: store.calls, mayWrite }
      const rules = await refitOf('rules', turn)
      const model = await refitOf('model', turn)
      // What a language model evaluated is nothing to tell of where there is none.
      return model.calls + model.changed === 0 ? [rules] : [rules, model]
    })
  } catch (error) {
    options.signal?.throwIfAborted()
    throw error
  }
}

/** A fit in its turn. */
interface Refit extends Omit<RefitOptions, 'store'> {
  readonly store: LiftStore
  /** @throws Problem where the turn is over */
  readonly mayWrite: () => void
}

async function refitOf(evaluator: LiftReport['evaluator'], options: Refit): Promise<LiftReport> {
  const { store, projectId, rubric, outcome = PREDICTED_CSAT, signal, mayWrite } = options
  const field = outcomeField(outcome)
  const query: LiftQuery = {
    evaluator,
    rubric: rubric.rubric.name,
    rubricVersion: rubric.version,
    signals: agentSignals(rubric.rubric),
    parts: outcomeConditions(rubric.rubric),
    times: COUNTED,
    outcomeField: field?.field,
  }
  const gathered = new GatheredCalls(rubric.rubric, query.signals.length, field)
  const all = await store.countLiftCalls(projectId, query, signal)
  const parts = partsFitted(all, query.signals.length)
  for await (const some of store.alikeCalls(projectId, query, parts, signal)) gathered.add(some)
  signal?.throwIfAborted()
  const { calls, positive } = gathered
  const none = whyNone(gathered, outcome)
  const fit = none === undefined ? await fitApart(gathered.groups(), signal) : undefined
  const last = (await store.liftFits(projectId)).find(one => one.evaluator === evaluator)
  const made = { evaluator, rubric: query.rubric, rubric_version: query.rubricVersion, outcome, before: [] }
  if (none !== undefined && last !== undefined && holdsOn(last, made)) {
    const lifts = await countLifts(query, options)
    return { evaluator, outcome, calls, positive, lifts, changed: 0, none }
  }
  // From the first lift that is written on, and when this ends early, calls may have lifts of either.
  if (last !== undefined && !isLike(last, made)) {
    mayWrite()
    const before = [...new Set([last.outcome, ...last.before])].filter(one => one !== outcome)
    await store.writeLiftFit(projectId, { ...made, before })
  }
  const { changed, lost } = await writeBack(gathered, fit, parts, query, options)
  if (fit !== undefined || last !== undefined) {
    mayWrite()
    await store.writeLiftFit(projectId, { ...made, ...(fit && recordOf(fit, gathered, query.signals, projectId)) })
  }
  const lifts = fit === undefined ? 0 : all
  return { evaluator, outcome, calls, positive, lifts, changed, ...(lost > 0 && { lost }), ...(none && { none }) }
}

/** Of how many parts of the calls, the same ones each time, a fit is made. */
function partsFitted(calls: number, signals: number): number {
  const most = MOST_FITTED * Math.min(1, (FITTED_SIGNALS / signals) ** 2)
  return Math.max(1, Math.min(LIFT_PARTS, Math.floor((LIFT_PARTS * most) / Math.max(1, calls))))
}

/** Whether lifts of two fits mean the same, but for the calls they were fitted to. */
function isLike(last: LiftFitRecord, { rubric_version, outcome }: LiftFitRecord): boolean {
  return last.outcome === outcome && last.rubric_version === rubric_version && last.before.length === 0
}

/**
 * Whether a fit of another version of the rubric stays as long as the new one has too few calls for one: it made all lifts there are, so
 * that those of two versions never stand in one mean, and calls that the new version evaluated have none.
 */
function holdsOn(last: LiftFitRecord, { rubric_version, outcome }: LiftFitRecord): boolean {
  return last.effects !== undefined && last.outcome === outcome && last.rubric_version !== rubric_version
}

async function countLifts(query: LiftQuery, { store, projectId, signal }: Refit): Promise<number> {
  let lifts = 0
  for await (const { calls } of store.liftPages(projectId, query, signal)) {
    lifts += calls.filter(({ lift }) => lift !== undefined).length
  }
  signal?.throwIfAborted()
  return lifts
}

/** What is kept of a fit. */
function recordOf(
  { folds, agents }: LiftFit,
  gathered: GatheredCalls,
  signals: readonly string[],
  projectId: string,
): Pick<LiftFitRecord, 'effects' | 'agents'> {
  const { values, lows, highs, calls } = agents
  const rounded = (value: number) => Math.round(value * 1e4) / 1e4
  const told = gathered
    .agents()
    .map(([id, name], who) => ({ key: agentKey(projectId, id, name), who }))
    // One agent alone is no better and no worse than the average.
    .filter(({ who }) => calls[who]! >= FEWEST_AGENT_CALLS && calls.length > 1)
    .toSorted((a, b) => calls[b.who]! - calls[a.who]! || (a.key < b.key ? -1 : 1))
    .slice(0, MOST_AGENTS)
  return {
    effects: knownEffects(signals, folds),
    agents: Object.fromEntries(
      told.map(({ key, who }) => [key, [rounded(values[who]!), rounded(lows[who]!), rounded(highs[who]!)]]),
    ),
  }
}

/** Keys of the signals that tell what the agent did, in the rubric's order. */
function agentSignals({ signals }: Rubric): readonly string[] {
  return signals.filter(({ side }) => side === 'agent').map(({ key }) => key)
}

function whyNone({ calls, positive }: GatheredCalls, outcome: string): string | undefined {
  const negative = calls - positive
  const said = outcome === PREDICTED_CSAT ? '' : ` that say ${outcome}`
  if (calls < FEWEST_CALLS) return `It takes ${FEWEST_CALLS} evaluated calls${said}; there are ${calls}`
  if (Math.min(positive, negative) >= FEWEST_OF_EITHER) return undefined
  return `It takes ${FEWEST_OF_EITHER} calls of either outcome${said && ` (${outcome})`}; ${positive} are positive and ${negative} are not`
}

/**
 * Goes through the calls, and writes what is another than before.
 * @returns how many calls have another lift now, or none any more; and those that have none because they are compared no longer
 */
async function writeBack(
  gathered: GatheredCalls,
  fit: LiftFit | undefined,
  parts: number,
  query: LiftQuery,
  { store, projectId, signal, mayWrite }: Refit,
): Promise<{ readonly changed: number; readonly lost: number }> {
  const liftOfCall = fit && liftsBy(fit.folds, gathered.contexts, query.signals.length)
  let changed = 0
  let lost = 0
  for (let times = 0; times < TIMES; times += 1) {
    let calls = 0
    let keys = 0n
    for await (const page of store.liftPages(projectId, query, signal)) {
      const lifts: PlacedLift[] = []
      for (const { place, seen, lift: kept } of page.calls) {
        const lift = seen && liftOfCall?.(seen)
        if (!isSame(kept, lift)) lifts.push({ place, lift })
        if (seen === undefined && kept !== undefined) lost += 1
        if (seen === undefined || place.key % BigInt(LIFT_PARTS) >= parts) continue
        calls += 1
        keys ^= place.key
      }
      signal?.throwIfAborted()
      mayWrite()
      changed += await store.writeLifts(projectId, query, page, lifts)
    }
    if (calls === gathered.compared && keys === gathered.keys) break
  }
  return { changed, lost }
}

/** Whether a lift as it is kept is another one. */
function isSame(kept: LiftCall['lift'], lift: OutcomeLift | undefined): boolean {
  if (kept === undefined || lift === undefined) return kept === lift
  if (kept.lift_band !== lift.lift_band) return false
  return kept.lift === lift.lift && kept.p_behavioral === lift.p_behavioral && kept.p_context === lift.p_context
}
