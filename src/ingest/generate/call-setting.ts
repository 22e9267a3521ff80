import type { Values } from './fill-in.js'
import type { Agent } from './people.js'
import type { Scenario } from './scenarios/scenario.js'

/** What is settled about a call before a word is said. */
export interface CallSetting {
  readonly scenario: Scenario
  readonly agent: Agent
  /** How well the agent works at that time, 0–1. */
  readonly skill: number
  readonly values: Values
  readonly chat: boolean
  readonly outbound: boolean
  /** Whether the agents' script still holds the disclosure. */
  readonly disclosure: boolean
  /** Start, milliseconds since 1970. */
  readonly at: number
}
