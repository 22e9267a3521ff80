import { Random } from '../../../src/demo/random.js'
import { defaultRubric } from '../../../src/evaluation/rubric/built-in-rubrics.js'
import type { CallRecord } from '../../../src/calls/call-record.js'

/** A world in which what the agent does changes a call's chance of a positive outcome by known log odds, or not. */
export interface World {
  readonly seed: number
  readonly calls: number
  /** Log odds of a positive outcome, by driver. */
  readonly drivers: Readonly<Record<string, number>>
  /** What a present signal adds to the log odds. */
  readonly effects: Readonly<Record<string, number>>
  /** How often an agent shows each signal. */
  readonly agents: Readonly<Record<string, number>>
  /** Agents who get calls of one driver only. */
  readonly specialists?: Readonly<Record<string, string>>
  /** What an agent adds to the log odds that no signal shows. */
  readonly skills?: Readonly<Record<string, number>>
}

export interface SimulatedCall {
  readonly record: CallRecord
  readonly agent: string
  readonly driver: string
  readonly positive: boolean
  /** Its true chance of a positive outcome. */
  readonly chance: number
}

/** The conditions of a call by the default rubric whose outcome is positive, or not. */
export const outcome = (positive: boolean): CallRecord['conditions'] =>
  positive
    ? [
        { key: 'csat.start', text: '3.2' },
        { key: 'csat.resolved', text: '+0.8: resolved' },
        { key: 'csat.confirms', text: '+0.6: the customer confirms' },
      ]
    : [{ key: 'csat.start', text: '3.2' }]

export const byRules = {
  evaluator: 'rules',
  rubric: defaultRubric.rubric.name,
  rubric_version: defaultRubric.version,
  evaluated_at: '2026-03-02T00:00:00.000Z',
}

/** The calls of a world; the same for the same seed. */
export function simulate({
  seed,
  calls,
  drivers,
  effects,
  agents,
  specialists = {},
  skills = {},
}: World): SimulatedCall[] {
  const random = new Random(seed)
  return Array.from({ length: calls }, (_, n) => {
    const agent = random.pick(Object.keys(agents))
    const driver = specialists[agent] ?? random.pick(Object.keys(drivers))
    let logOdds = drivers[driver]! + (skills[agent] ?? 0)
    const signals = Object.entries(effects).map(([key, effect]) => {
      const present = random.chance(agents[agent]!)
      if (present) logOdds += effect
      return { key, state: present ? ('present' as const) : ('absent' as const) }
    })
    const chance = 1 / (1 + Math.exp(-logOdds))
    const positive = random.chance(chance)
    const record: CallRecord = {
      session_id: `s${n}`,
      agent_id: agent,
      agent_name: agent,
      created_dt: '2026-03-01T12:00:00.000Z',
      interaction_driver: driver,
      interaction_direction: 'inbound',
      signals,
      conditions: outcome(positive),
      evaluation: byRules,
    }
    return { record, agent, driver, positive, chance }
  })
}
