import { z } from 'zod'
import { effectsVariance } from '../statistics/effects-variance.js'
import { agentKey, type LiftFitRecord } from '../store/records/lift-fit.js'
import type { Asker, LiftBasis } from './asker.js'
import { effectValue, SUMS_OF_ONE } from '../pipeline/index.js'
import { askCounts, type CallsOf, spansOf, total } from './counted.js'
import { figure } from './figure.js'
import { readDocuments } from './read-document.js'
import { settledApart } from './settled.js'

/** How well the lift of some calls is known, and what their agent moves beyond it. */

/** Most rows that are read: a row an effect, or one of an agent. */
const MOST_ROWS = 500_000

/** What an unclear signal counts and a present one; see the fit. */
const COUNTS: readonly (readonly [state: string, count: number])[] = [
  ['absent', 0],
  ['unclear', 0.5],
  ['present', 1],
]

/** Calls with a lift; of one agent, or of all. */
export interface LiftGroup {
  readonly agent?: { readonly agent_id: string; readonly agent_name: string }
  readonly lifts: number
}

type Fit = LiftFitRecord & { readonly effects: NonNullable<LiftFitRecord['effects']> }

const numbers = z.array(z.number())
const effectRow = z.object({
  _id: z.object({ key: z.string(), value: z.string() }),
  agents: numbers.optional(),
  calls: numbers,
  weights: numbers,
  squares: numbers,
})

const groupKey = (agent: LiftGroup['agent']) => JSON.stringify([agent?.agent_id ?? '', agent?.agent_name ?? ''])

/** Sums of a group's calls of one fit: whole numbers, which add up in any order. */
interface Sums {
  calls: number
  /** How fast chances move with their log odds, and the squares of that, by signal and state. */
  readonly weights: Float64Array
  readonly squares: Float64Array
}

/**
 * The variance of each group's average lift that comes of the effects being estimated, which all calls share; undefined where
 * it is not known.
 * @param calls of all groups
 */
export async function liftVariances(
  asker: Asker,
  { fits = [] }: LiftBasis,
  calls: CallsOf,
  groups: readonly LiftGroup[],
): Promise<(agent?: LiftGroup['agent']) => number | undefined> {
  const known = fits.filter((fit): fit is Fit => fit.effects !== undefined)
  const lifted = groups.filter(({ lifts }) => lifts > 0)
  if (known.length === 0 || lifted.length === 0) return () => undefined
  const sums = await sumsOf(asker, known, calls, lifted)
  const variances = new Map(
    lifted.map(({ agent, lifts }, i) => [groupKey(agent), sharedVariance(known, sums[i]!, lifts)]),
  )
  return agent => variances.get(groupKey(agent))
}

/** What the lifts of each group hang on, by the fits. */
async function sumsOf(
  asker: Asker,
  fits: readonly Fit[],
  calls: CallsOf,
  groups: readonly LiftGroup[],
): Promise<readonly (readonly Sums[])[]> {
  const places = new Map(
    fits.flatMap(({ evaluator, rubric_version: version, effects: { signals } }, fit) => {
      const of = (key: string, state: string, place: number) =>
        [`${key} ${effectValue({ state, evaluator, version })}`, { fit, place }] as const
      return [
        of('', '', -1),
        ...signals.flatMap((key, j) => COUNTS.map(([state], i) => of(key, state, j * COUNTS.length + i))),
      ]
    }),
  )
  const sums = groups.map(() =>
    fits.map(({ effects: { signals } }): Sums => {
      const empty = () => new Float64Array(signals.length * COUNTS.length)
      return { calls: 0, weights: empty(), squares: empty() }
    }),
  )
  for (const row of await effectsOf(asker, fits, calls, groups)) {
    const found = places.get(`${row._id.key} ${row._id.value}`)
    if (found === undefined) continue
    const { fit, place } = found
    for (const [i, weight] of row.weights.entries()) {
      const of = sums[row.agents?.[i] ?? 0]![fit]!
      if (place === -1) {
        of.calls += row.calls[i]!
      } else {
        of.weights[place]! += weight
        of.squares[place]! += row.squares[i]!
      }
    }
  }
  return sums
}

/** Each effect, of all calls or as lists of those of the groups' agents. What is over is asked for by itself. */
async function effectsOf(asker: Asker, fits: readonly Fit[], calls: CallsOf, groups: readonly LiftGroup[]) {
  const roster = groups.flatMap(({ agent }) => agent ?? [])
  const keys = ['', ...new Set(fits.flatMap(({ effects }) => effects.signals))]
  // What is never missing is put in order by itself.
  const id = { key: { $ifNull: ['$key', ''] }, value: { $ifNull: ['$value', ''] } }
  const byAgent = roster.length > 0
  // Of all agents together there are counts that do not tell them apart.
  const isPacked = byAgent || (calls.agents ?? []).length > 0
  const stages = [
    { $match: { $and: [{ key: { $in: keys } }, ...(byAgent ? [] : (calls.agents ?? []))] } },
    {
      $group: {
        _id: byAgent ? { agent: '$agent', ...id } : id,
        ...Object.fromEntries(EFFECTS.map(({ name, count }) => [name, total(isPacked ? name : count)])),
      },
    },
    {
      $group: {
        _id: byAgent ? { key: '$_id.key', value: '$_id.value' } : '$_id',
        ...(byAgent && { agents: { $push: '$_id.agent' } }),
        ...Object.fromEntries(EFFECTS.map(({ name }) => [name, { $push: { $toDouble: `$${name}` } }])),
      },
    },
  ]
  const parts = settledApart(asker, spansOf(calls))
  const found = await Promise.all(
    parts.map(async ({ spans }) => {
      const packed = EFFECTS.map(one => ({ ...one, factors: spans.map(() => 1) }))
      const options = { spans, ...(isPacked && { packed }), ...(byAgent && { roster }), maxDocuments: MOST_ROWS }
      return await askCounts(asker, 'effect', calls.filter ?? {}, stages, options)
    }),
  )
  return readDocuments(effectRow, found.flat())
}

/** How many calls an effect is of, and the sums of what it moves them by. */
const EFFECTS = [
  { name: 'calls', count: 'calls' },
  { name: 'weights', count: 'score_sum' },
  { name: 'squares', count: 'score_squares' },
] as const

/** Of all its lifts, where the fits made all of them. */
function sharedVariance(fits: readonly Fit[], sums: readonly Sums[], lifts: number): number | undefined {
  // Lifts that none of the fits made are not known of.
  if (sums.reduce((all, { calls }) => all + calls, 0) !== lifts) return undefined
  const variance = fits.reduce((all, { effects }, fit) => {
    const { calls, weights, squares } = sums[fit]!
    if (calls === 0) return all
    const over = (of: Float64Array, power: 1 | 2) =>
      effects.means.map(
        (mean, j) =>
          COUNTS.reduce((sum, [, count], i) => sum + of[j * COUNTS.length + i]! * (count - mean) ** power, 0) /
          SUMS_OF_ONE,
      )
    const own = effectsVariance(effects, { values: calls, sums: over(weights, 1), squares: over(squares, 2) })
    return all + calls ** 2 * own
  }, 0)
  return variance / lifts ** 2
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
