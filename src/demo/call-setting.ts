import type { Values } from './fill-in.js'
import type { Manner } from './manners.js'
import type { Agent } from './people.js'
import type { Reason, Scenario } from './scenarios.js'

/** What is settled about a call before a word is said. */
export interface CallSetting {
  readonly scenario: Scenario
  readonly agent: Agent
  /** How the agent talks at that time. */
  readonly manner: Manner
  readonly reason: Reason
  readonly values: Values
  readonly chat: boolean
  readonly outbound: boolean
  /** Whether the agents' script still holds the disclosure. */
  readonly disclosure: boolean
  /** Start, milliseconds since 1970. */
  readonly at: number
}
