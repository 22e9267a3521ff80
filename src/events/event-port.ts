import type { NewEvent } from './event-kinds.js'

/** Where every room says what happened. */
export interface EventPort {
  /**
   * Tells the webhooks of a project that want to know. Durable when it resolves: each will be told, at least once, also
   * when this process is killed. Costs a write when a webhook wants the event, else nothing.
   */
  raise(event: NewEvent): Promise<void>
}
