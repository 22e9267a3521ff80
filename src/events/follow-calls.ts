import type { Logger } from 'pino'
import type { AlertRecord } from '../store/records/alert.js'
import type { Consequences, EventStore, NewDelivery, NotedCall } from '../store/event-store.js'
import { type Alert, isReady } from './alerts/alert.js'
import type { Alerts } from './alerts/alerts.js'
import { deliveriesOf } from './deliveries-of.js'
import type { NewEvent } from './event-kinds.js'
import type { Webhooks } from './webhooks.js'

interface FollowParts {
  readonly store: Pick<EventStore, 'noted'>
  readonly webhooks: Webhooks
  readonly alerts: Alerts
  /** Deliveries were added. */
  readonly added: (deliveries: readonly NewDelivery[]) => void
  readonly log: Pick<Logger, 'error'>
  readonly clock: () => number
}

/** Calls that are looked at in one turn of the lane for writes: some milliseconds. */
const CALLS_A_TURN = 500
/** Until it is tried again when the store could not. */
const STORE_RETRY_MS = 5_000

/**
 * Looks at calls after they were written: raises interaction.evaluated and holds them against the alerts. The notes were
 * written with the calls, and what follows is written as they are taken: a killed process loses and repeats nothing.
 */
export class FollowCalls {
  readonly #parts: FollowParts
  #running: Promise<void> | undefined
  #again = false
  #timer: NodeJS.Timeout | undefined
  #closed = false

  constructor(parts: FollowParts) {
    this.#parts = parts
  }

  /** Calls were noted, or may have been. */
  poke(): void {
    if (this.#closed) return
    this.#again = true
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined
      // Poked between the last look and here.
      if (this.#again) this.poke()
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    await this.#running
  }

  async #run(): Promise<void> {
    try {
      while (this.#again && !this.#closed) {
        this.#again = false
        if ((await this.#take()) > 0) this.#again = true
      }
    } catch (error) {
      this.#again = false
      this.#parts.log.error({ err: error }, 'Calls that were written could not be followed up')
      this.#timer = setTimeout(() => this.poke(), STORE_RETRY_MS).unref()
    }
  }

  async #take(): Promise<number> {
    const { alerts, store, added } = this.#parts
    let taken = 0
    await alerts.whileUnchanged(async () => {
      let consequences: Consequences = { deliveries: [], alerts: [] }
      taken = await store.noted.take(CALLS_A_TURN, calls => {
        consequences = this.#consequences(calls)
        return consequences
      })
      added(consequences.deliveries)
      return consequences.alerts
    })
    return taken
  }

  #consequences(calls: readonly NotedCall[]): Consequences {
    const { alerts, clock } = this.#parts
    const now = clock()
    const current = new Map<string, Alert>(alerts.all().map(alert => [alert.alert_id, alert]))
    const triggered = new Map<string, AlertRecord>()
    const deliveries: NewDelivery[] = []
    for (const call of calls) {
      if (call.evaluated) deliveries.push(...this.#tell(evaluated(call), now))
      for (const alert of current.values()) {
        if (!isMet(alert, call) || !isReady(alert, now)) continue
        const next: Alert = { ...alert, last_triggered_at: new Date(now).toISOString() }
        current.set(alert.alert_id, next)
        triggered.set(alert.alert_id, next)
        deliveries.push(...this.#tell(alerted(alert, call), now))
      }
    }
    return { deliveries, alerts: [...triggered.values()] }
  }

  #tell(event: NewEvent, now: number): readonly NewDelivery[] {
    return deliveriesOf(event, this.#parts.webhooks.wanting(event.project_id, event.event), now)
  }
}

function evaluated(call: NotedCall): NewEvent {
  const { project_id, evaluated: _, agent_name: __, ...data } = call
  return {
    event: 'interaction.evaluated',
    project_id,
    data: { ...data, signals: [...data.signals], guidance: [...data.guidance] },
  }
}

function alerted({ alert_id, condition }: Alert, call: NotedCall): NewEvent {
  const { project_id, session_id, agent_id, score, predicted_csat } = call
  const data = { alert_id, condition, session_id, agent_id, score, predicted_csat }
  return { event: 'alert.triggered', project_id, data }
}

/** Whether a call meets the condition of an alert. A call without the score is not below anything. */
function isMet({ project_id, agents, condition }: Alert, call: NotedCall): boolean {
  if (call.project_id !== project_id) return false
  if (agents.length > 0 && !agents.includes(call.agent_name)) return false
  switch (condition.kind) {
    case 'signal_present':
      return call.signals.includes(condition.signal_key)
    case 'score_below':
      return (call[condition.measure] ?? Infinity) < condition.threshold
    case 'change_found':
      return false
  }
}
