import { z } from 'zod'
import type { TrustFilter } from '../trusted.js'
import type { Kind } from '../kinds.js'
import { figure, probability } from '../figure.js'

export const categories = ['signals', 'scores', 'agents', 'drivers', 'dimensions', 'guidance'] as const
export type Category = (typeof categories)[number]

/** From the first instant up to the other. */
export interface Dates {
  readonly from: Date
  readonly until: Date
}

/** A period and what it is compared with, which have no call in common. */
export interface Periods {
  readonly period: Dates
  /** In one part, or in two where the period lies within it. */
  readonly baseline: readonly Dates[]
  /** Narrows to one agent. */
  readonly agents: readonly object[]
  /** How far their evaluation can be relied on. */
  readonly trust: TrustFilter
}

/** Something that changed, before it has examples. */
export interface Found {
  readonly category: Category
  readonly key: string
  /** Of the change of an agent: the id, and the agent's number in the panel. */
  readonly agentId?: string
  readonly agent?: number
  /** Number of the agent who carries it, in the panel. */
  readonly carrier: number | undefined
  readonly carriedBy?: string
  /** Share or mean in each period; absent where there is nothing to take it of. */
  readonly value: number | undefined
  readonly baselineValue: number | undefined
  readonly occurrences: number
  readonly baselineOccurrences: number
  /** Within agents. */
  readonly delta: number
  readonly p: number
  readonly q: number
  readonly significance: 'high' | 'medium' | 'low'
  readonly direction: 'up' | 'down' | 'new' | 'gone'
  readonly usualMove: number
  readonly detectable: number
  readonly agentsCompared: number
  readonly callsComparedShare: number
  readonly earlierPairs: number
  /** Shares may be new or gone; means only go up or down. */
  readonly isShare: boolean
  /** The calls it is about: those of this kind with this value. */
  readonly kind: Kind
  readonly id: unknown
}

const category = z.enum(['signal', 'score', 'agent', 'driver', 'dimension', 'guidance'])
const direction = z.enum(['up', 'down', 'new', 'gone'])
const significance = z.enum(['high', 'medium', 'low'])

/** A change that is part of another. */
const partSchema = z.strictObject({
  category,
  key: z.string(),
  display_name: z.string(),
  direction,
  value: figure,
  baseline_value: figure,
  delta: figure,
  q_value: probability,
  significance,
})

export const changeSchema = z.strictObject({
  category,
  key: z.string(),
  agent_id: z.string().optional().meta({ description: 'Of an agent: names may be those of several' }),
  display_name: z.string(),
  direction,
  value: figure.meta({ description: 'In the period: a share of calls, or a mean score' }),
  baseline_value: figure,
  delta: figure.meta({
    description: 'Change within agents: of each to themselves, weighted; the same as within_agents',
  }),
  within_agents: figure,
  from_who_worked: figure.meta({
    description: 'What is left of value minus baseline_value: who took calls, and how many, is different',
  }),
  agents_compared: z.int().meta({ description: 'Agents with calls in both periods' }),
  calls_compared_share: figure.meta({ description: 'Share of the period’s calls that those agents took' }),
  usual_move: figure.meta({
    description: 'Between periods like these it moves by at most this, 19 times in 20, when nothing special happens',
  }),
  detectable: figure.meta({ description: 'Change that would have been found four times in five' }),
  earlier_pairs: z.int().meta({ description: 'Earlier pairs of periods that tell what is usual' }),
  occurrences: z.int().meta({ description: 'Calls with it in the period (means: scored calls)' }),
  baseline_occurrences: z.int(),
  p_value: probability.meta({ description: 'Two-sided, of the change within agents' }),
  q_value: probability.meta({ description: 'p corrected for everything tested (Benjamini–Hochberg)' }),
  significance: significance.meta({
    description:
      'q below 0.01, 0.05, 0.10; high also needs history, and to stand out from how the whole team usually moves',
  }),
  carried_by: z.string().optional().meta({ description: 'The agent without whom this would not stand out' }),
  also: z
    .array(partSchema)
    .optional()
    .meta({ description: 'The same finding seen elsewhere: what this agent carries, guidance of this signal, …' }),
  example_session_ids: z.array(z.string()).optional().meta({
    description: 'Calls that show it, as many as "examples" asks for, newest first; of the baseline when it is gone',
  }),
})

export type Change = z.infer<typeof changeSchema>
export type ChangePart = z.infer<typeof partSchema>
