import { SHARES, type Effect, type Size, type Windows, type WorldRules } from './world.js'

const ar = (sd: number) => ({ sd, kind: 'ar' as const })

/** Worlds in which nothing changes. */
export const NULL_WORLDS: Readonly<Record<string, WorldRules>> = {
  'a: independent calls': { icc: 0 },
  'b: agents differ': { icc: 0.2 },
  'c: a third of the agents is replaced': { icc: 0.2, replaced: true },
  'd: agents drift': { icc: 0.2, agentDrift: ar(0.3) },
  'e: both': { icc: 0.2, replaced: true, agentDrift: ar(0.3) },
  'f: outcomes drift by themselves': { icc: 0.2, ownDriftUpTo: 0.6 },
}

/** Worlds that promise less, or nothing: what happens there is told. */
export const OTHER_WORLDS: Readonly<Record<string, { readonly rules: WorldRules; readonly windows?: Windows }>> = {
  'g: the team drifts too': { rules: { icc: 0.2, agentDrift: ar(0.2), teamDrift: ar(0.15) } },
  'weekly season': { rules: { icc: 0.2, weekday: 0.3 } },
  'weekly season, 10 days': { rules: { icc: 0.2, weekday: 0.3 }, windows: { days: 10, baselineDays: 10, pairs: 6 } },
  'agents walk at random': { rules: { icc: 0.2, agentDrift: { sd: 0.05, kind: 'walk' } } },
  'the team walks at random': { rules: { icc: 0.2, teamDrift: { sd: 0.02, kind: 'walk' } } },
  'a step 100 days ago': { rules: { icc: 0.2, step: { by: 0.5, daysBefore: 100 } } },
  '7 days against 56': {
    rules: { icc: 0.2, agentDrift: ar(0.3) },
    windows: { days: 7, baselineDays: 56, pairs: 6 },
  },
  '56 days against 7': {
    rules: { icc: 0.2, agentDrift: ar(0.3) },
    windows: { days: 56, baselineDays: 7, pairs: 2 },
  },
}

export const MONTHS: Windows = { days: 30, baselineDays: 30, pairs: 6 }

/** In percent of worlds: of the mean of all cells, and of the worst. */
export const ALLOWED = { any: 12, medium: 7, high: 2 }
export const ALLOWED_WORST = { medium: 12, high: 5 }

export const SIZES: readonly Size[] = [25, 100, 500, 2_500].flatMap(calls =>
  [3, 12, 30].map(agents => ({ calls, agents })),
)

const SCORE = SHARES
const at = (calls: number, agents: number): Size => ({ calls, agents })

/** True changes, how large, and how often in percent they have to be found. */
export const POWER: readonly {
  readonly name: string
  readonly effect: Effect
  readonly share?: number
  readonly least: readonly (readonly [Size, number])[]
}[] = [
  {
    name: 'score -0.2',
    effect: { outcome: SCORE, plus: -0.2 },
    least: [
      [at(500, 3), 0],
      [at(500, 12), 50],
      [at(500, 30), 70],
      [at(2_500, 12), 0],
    ],
  },
  {
    name: 'a share of 15 % doubles',
    effect: { outcome: 0, times: 2 },
    share: 0.15,
    least: [
      [at(500, 3), 88],
      [at(500, 12), 88],
      [at(500, 30), 0],
      [at(2_500, 12), 0],
    ],
  },
  {
    name: 'a share of 15 % grows by half',
    effect: { outcome: 0, times: 1.5 },
    share: 0.15,
    least: [
      [at(500, 3), 0],
      [at(500, 12), 30],
      [at(500, 30), 0],
      [at(2_500, 12), 95],
    ],
  },
  {
    name: 'a new reason of 3 %',
    effect: { outcome: 110, plus: 0.03 },
    share: 0.00001,
    least: [
      [at(500, 3), 0],
      [at(500, 12), 30],
      [at(500, 30), 0],
      [at(2_500, 12), 95],
    ],
  },
  {
    name: 'one agent -0.5',
    effect: { outcome: SCORE, plus: -0.5, agent: 0 },
    least: [
      [at(500, 3), 0],
      [at(500, 12), 0],
      [at(500, 30), 0],
      [at(2_500, 12), 80],
    ],
  },
]
