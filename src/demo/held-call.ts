import type { Conversation } from './conversation.js'
import type { Observations } from './observations.js'

/** A call as it was held, and what it shows. */
export interface HeldCall {
  readonly conversation: Conversation
  readonly observations: Observations
  readonly resolved: 'resolved' | 'refused' | 'unclear'
}
