import { z } from 'zod'
import { effectsVariance } from '../statistics/effects-variance.js'
import { agentKey, type LiftFitRecord } from '../store/records/lift-fit.js'
import type { Asker, LiftBasis } from './asker.js'
import { figure } from './figure.js'
import { countWhere } from './measures.js'
import { readDocuments } from './read-document.js'

/** How well the lift of some calls is known, and what their agent moves beyond it. */

/** Calls whose signals are read at most, or twice as many: what a mean needs. */
const MOST_CALLS = 10_000
/** Numbers that id_hash of a call may be. */
const HASHES = 4_096
/** Calls that are looked at of each agent, or all there are. */
const LEAST_CALLS = 20
/** Most agents whose calls are all looked at. */
const MOST_SMALL = 500
/** Most rows that are read: a row an agent, signal and state. */
const MOST_ROWS = 500_000

/** What an unclear signal counts and a present one; see the fit. */
const COUNTS: Readonly<Record<string, number>> = { absent: 0, unclear: 0.5, present: 1 }

/** Calls with a lift; of one agent, or of all. */
export interface LiftGroup {
  readonly agent?: { readonly agent_id: string; readonly agent_name: string }
  readonly lifts: number
}

type Fit = LiftFitRecord & { readonly effects: NonNullable<LiftFitRecord['effects']> }

const ofAgent = { agent_id: z.string().optional(), agent_name: z.string().optional() }
const ofFit = { ...ofAgent, evaluator: z.string().optional(), version: z.string().optional() }
const countRow = z.object({ _id: z.object(ofFit), calls: z.int(), looked: z.int() })
const slopeRow = z.object({
  _id: z.object({ ...ofFit, key: z.string(), state: z.string() }),
  weight: z.number(),
  squares: z.number(),
})

const groupKey = (agent: z.infer<z.ZodObject<typeof ofAgent>> | undefined) =>
  JSON.stringify([agent?.agent_id ?? '', agent?.agent_name ?? ''])
const fitKey = (of: { readonly evaluator?: string | undefined }, version: string | undefined) =>
  `${of.evaluator} ${version}`

/**
 * The variance of each group's average lift that comes of the effects being estimated, which all calls share; undefined where
 * it is not known. Of more than 10,000 calls a part is looked at, the same one each time.
 * @param conditions that the calls of all groups meet
 */
export async function liftVariances(
  asker: Asker,
  { fits = [] }: LiftBasis,
  conditions: readonly object[],
  groups: readonly LiftGroup[],
): Promise<(agent?: LiftGroup['agent']) => number | undefined> {
  const known = fits.filter((fit): fit is Fit => fit.effects !== undefined)
  const total = groups.reduce((sum, { lifts }) => sum + lifts, 0)
  if (known.length === 0 || total === 0) return () => undefined
  const part = chosenPart(groups, total)
  const byAgent = groups.some(({ agent }) => agent !== undefined)
  const by = {
    ...(byAgent && { agent_id: '$agent_id', agent_name: '$agent_name' }),
    evaluator: '$evaluation.evaluator',
    version: '$evaluation.rubric_version',
  }
  const matching = { $match: { $and: [...conditions, { 'outcome_lift.lift': { $ne: null } }] } }
  const [counts, slopes] = await Promise.all([
    asker.ask(
      [
        matching,
        { $group: { _id: by, calls: { $sum: 1 }, looked: part === undefined ? { $sum: 1 } : countWhere(part) } },
      ],
      { maxDocuments: MOST_ROWS },
    ),
    asker.ask(
      [
        matching,
        ...(part === undefined ? [] : [{ $match: { $expr: part } }]),
        {
          $project: {
            agent_id: 1,
            agent_name: 1,
            evaluation: 1,
            signals: 1,
            // How fast the chance moves with its log odds.
            weight: {
              $multiply: ['$outcome_lift.p_behavioral', { $subtract: [1, '$outcome_lift.p_behavioral'] }],
            },
          },
        },
        { $unwind: '$signals' },
        { $match: { 'signals.key': { $in: [...new Set(known.flatMap(({ effects }) => effects.signals))] } } },
        {
          $group: {
            _id: { ...by, key: '$signals.key', state: '$signals.state' },
            weight: { $sum: '$weight' },
            squares: { $sum: { $multiply: ['$weight', '$weight'] } },
          },
        },
      ],
      { maxDocuments: MOST_ROWS },
    ),
  ])
  const variances = sharedVariances(known, readDocuments(countRow, counts), readDocuments(slopeRow, slopes))
  const lifts = new Map(groups.map(({ agent, lifts: calls }) => [groupKey(agent), calls]))
  return agent => {
    const key = groupKey(agent)
    const found = variances.get(key)
    // Lifts that none of the fits made are not known of.
    return found?.calls === lifts.get(key) ? found?.variance : undefined
  }
}

/** Which calls are looked at, as an expression: all of them where it is undefined. */
function chosenPart(groups: readonly LiftGroup[], total: number): object | undefined {
  if (total <= MOST_CALLS) return undefined
  const part = MOST_CALLS / total
  const small: string[] = []
  let calls = 0
  for (const { agent, lifts } of groups.toSorted((a, b) => a.lifts - b.lifts)) {
    calls += lifts
    if (agent === undefined || lifts * part >= LEAST_CALLS || calls > MOST_CALLS || small.length >= MOST_SMALL) break
    small.push(agent.agent_name)
  }
  const byHash = { $lt: ['$id_hash', Math.ceil(HASHES * part)] }
  return small.length === 0 ? byHash : { $or: [byHash, { $in: ['$agent_name', small] }] }
}

/** Of each group: how many of its calls have a lift that one of the fits made, and the variance of their mean. */
function sharedVariances(
  fits: readonly Fit[],
  counts: readonly z.infer<typeof countRow>[],
  slopes: readonly z.infer<typeof slopeRow>[],
): ReadonlyMap<string, { readonly calls: number; readonly variance: number | undefined }> {
  const byFit = new Map(fits.map(fit => [fitKey(fit, fit.rubric_version), fit]))
  const numbers = new Map(
    fits.map(({ evaluator, rubric_version: version, effects }) => [
      fitKey({ evaluator }, version),
      new Map(effects.signals.map((key, j) => [key, j])),
    ]),
  )
  const sums = new Map<string, { readonly sums: number[]; readonly squares: number[] }>()
  const place = (id: z.infer<z.ZodObject<typeof ofFit>>) => `${groupKey(id)} ${fitKey(id, id.version)}`
  for (const { _id: id, weight, squares } of slopes) {
    const fit = byFit.get(fitKey(id, id.version))
    const j = numbers.get(fitKey(id, id.version))?.get(id.key)
    const count = COUNTS[id.state]
    if (fit === undefined || j === undefined || count === undefined) continue
    const at = place(id)
    const none = () => fit.effects.signals.map(() => 0)
    const found = sums.get(at) ?? { sums: none(), squares: none() }
    const less = count - fit.effects.means[j]!
    found.sums[j]! += weight * less
    found.squares[j]! += squares * less ** 2
    sums.set(at, found)
  }
  const groups = new Map<string, { calls: number; variance: number | undefined }>()
  for (const { _id: id, calls, looked } of counts) {
    const fit = byFit.get(fitKey(id, id.version))
    if (fit === undefined) continue
    const key = groupKey(id)
    const before = groups.get(key) ?? { calls: 0, variance: 0 }
    const none = fit.effects.signals.map(() => 0)
    const { sums: sum, squares } = sums.get(place(id)) ?? { sums: none, squares: none }
    const own = looked === 0 ? undefined : effectsVariance(fit.effects, { values: looked, sums: sum, squares })
    const variance = own === undefined || before.variance === undefined ? undefined : before.variance + calls ** 2 * own
    groups.set(key, { calls: before.calls + calls, variance })
  }
  return new Map(
    [...groups].map(([key, { calls, variance }]) => [
      key,
      { calls, variance: variance === undefined ? undefined : variance / calls ** 2 },
    ]),
  )
}

export const liftNoteSchema = z.string().optional().meta({ description: 'Why lift_interval_95 is left out' })

/** Why there is no interval around an average lift; undefined where there is one, or no lift. */
export function liftNote({ fits }: LiftBasis, lifts: number, isKnown: boolean): string | undefined {
  if (lifts === 0 || isKnown) return undefined
  if (fits === undefined) {
    return 'lift_interval_95 and agent_effect tell of all agents of the project: only a key that hears them all is given them'
  }
  const isBegun = fits.some(({ before }) => before.length > 0)
  return isBegun
    ? 'lift_interval_95 is left out: lift was not fitted to the end, and these lifts are of several fits'
    : 'lift_interval_95 is left out: of some of these lifts it is not known how well they are known, since an older version fitted them or they came with the calls; fit lift anew'
}

export const agentEffectSchema = {
  agent_effect: figure.optional().meta({
    description:
      'What calls with this agent move beyond what signals show: difference of the share of good outcomes (lift_outcome) from that with an agent of average doing. Of all calls that lift was fitted to, in the window or not; drawn towards 0 where they are few. Absent of an agent of fewer than 5 of them, and in lists where its interval holds 0',
  }),
  agent_effect_interval_95: z.array(figure).length(2).optional().meta({ description: '95 % interval of agent_effect' }),
}

/** The same where the agent can be told from one of average doing. */
export function toldEffectOf(...asked: Parameters<typeof agentEffectOf>) {
  const found = agentEffectOf(...asked)
  const [low = 0, high = 0] = found.agent_effect_interval_95 ?? []
  return low > 0 || high < 0 ? found : {}
}

/** What calls with an agent move beyond what signals show, where it is known and may be told. */
export function agentEffectOf(
  { project }: Asker,
  { fits = [] }: LiftBasis,
  agent: { readonly agent_id: string; readonly agent_name: string },
) {
  const key = agentKey(project.project_id, agent.agent_id, agent.agent_name)
  const [effect, low, high] = fits.flatMap(({ agents }) => agents?.[key] ?? [])
  if (effect === undefined || low === undefined || high === undefined) return {}
  return { agent_effect: effect, agent_effect_interval_95: [low, high] }
}
