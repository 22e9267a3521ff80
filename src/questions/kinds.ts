import { z } from 'zod'
import type { CountedValue } from '../pipeline/index.js'

/** Where counts have the values of a kind. */
export interface KindCounts {
  readonly by: CountedValue
  /** The value, as an expression. */
  readonly id: unknown
  /** The filter for some values. */
  among(ids: readonly unknown[]): object
}

/** A way to tell calls apart: by a value they have, or by each of several. */
export interface Kind {
  readonly name: string
  /** The fields it reads; calls without one of them are of no kind. */
  readonly fields: readonly string[]
  readonly unwind?: string
  /** The value, as an expression. */
  readonly by: unknown
  /** Only evaluated calls count. */
  readonly evaluatedOnly?: boolean
  /** How values that are as common stand in order; by `_id` unless given. Sorting by parts of it costs less. */
  readonly order?: Readonly<Record<string, 1>>
  /** Absent: its calls are not counted by day. Others may be counted too, such as those that are not evaluated. */
  readonly counts?: KindCounts
  /** The filter for calls that may have some values, and for the values after unwinding. */
  among(ids: readonly unknown[]): object
  /** The filter for just the calls that have a value. */
  having(id: unknown): object
}

/** The filters for calls that are of a kind at all. */
export const isOf = ({ fields, evaluatedOnly }: Kind): readonly object[] => [
  ...fields.map(field => ({ [field]: { $ne: null } })),
  ...(evaluatedOnly === true ? [{ evaluation: { $ne: null } }] : []),
]

/** What a projection keeps for a kind. */
export const readBy = ({ fields }: Kind): Readonly<Record<string, 1>> =>
  Object.fromEntries(fields.map(field => [field, 1]))

/** The stages after which each document has one value of a kind. */
export const eachOf = ({ unwind }: Kind): readonly object[] => (unwind === undefined ? [] : [{ $unwind: unwind }])

function byField(name: string, field: string): Kind {
  return {
    name,
    fields: [field],
    by: `$${field}`,
    among: ids => ({ [field]: { $in: ids } }),
    having: id => ({ [field]: { $eq: id } }),
  }
}

/** Values that are told by their key. */
export const byKey = (by: CountedValue): KindCounts => ({
  by,
  id: '$key',
  among: ids => ({ key: { $in: ids } }),
})

export const agentKind = byField('agents', 'agent_name')
export const agentIdKind = byField('agent_ids', 'agent_id')
export const driverKind: Kind = { ...byField('drivers', 'interaction_driver'), counts: byKey('driver') }
export const signalKind: Kind = {
  ...byField('signals', 'present_signals'),
  unwind: '$present_signals',
  counts: byKey('signal'),
}
export const guidanceKind: Kind = {
  ...byField('guidance', 'guidance_keys'),
  unwind: '$guidance_keys',
  counts: byKey('guidance'),
}
export const liftBandKind: Kind = { ...byField('lift_bands', 'outcome_lift.lift_band'), counts: byKey('lift_band') }

const pair = z.object({ key: z.string(), value: z.string() })

/** The filter for some pairs, by the fields that hold them. */
const amongPairs = (ids: readonly unknown[], keys: string, values: string) => ({
  $or: z
    .array(pair)
    .parse(ids)
    .map(({ key, value }) => ({ [keys]: { $eq: key }, [values]: { $eq: value } })),
})

/** Categorical readings, by key and value. */
export const dimensionKind: Kind = {
  name: 'dimensions',
  fields: ['dimensions'],
  unwind: '$dimensions',
  by: { key: '$dimensions.key', value: '$dimensions.value' },
  order: { '_id.key': 1, '_id.value': 1 },
  counts: {
    by: 'dimension',
    id: { key: '$key', value: '$value' },
    among: ids => amongPairs(ids, 'key', 'value'),
  },
  among: ids => amongPairs(ids, 'dimensions.key', 'dimensions.value'),
  having: id => {
    const { key, value } = pair.parse(id)
    return { dimensions: { $elemMatch: { key: { $eq: key }, value: { $eq: value } } } }
  },
}

/** Scores on the rubric's dimensions, by dimension. */
export const ratingKind: Kind = {
  name: 'ratings',
  fields: ['scores'],
  unwind: '$scores',
  by: '$scores.key',
  counts: byKey('rating'),
  among: ids => ({ 'scores.key': { $in: ids } }),
  having: id => ({ 'scores.key': { $eq: id } }),
}

/** Calls with a value at all. */
export const havingKind = (field: string): Kind => ({
  name: `with_${field}`,
  fields: [field],
  by: null,
  among: () => ({}),
  having: () => ({}),
})

const agent = z.object({ agent_id: z.string(), agent_name: z.string() })

/** Scored calls by agent, told apart by id and name. */
export const scoredAgentKind: Kind = {
  name: 'scored_agents',
  fields: ['score', 'agent_id', 'agent_name'],
  by: { agent_id: '$agent_id', agent_name: '$agent_name' },
  among: ids => ({
    agent_name: {
      $in: [
        ...new Set(
          z
            .array(agent)
            .parse(ids)
            .map(id => id.agent_name),
        ),
      ],
    },
  }),
  having: id => {
    const { agent_id: agentId, agent_name: agentName } = agent.parse(id)
    return { agent_id: { $eq: agentId }, agent_name: { $eq: agentName } }
  },
}
