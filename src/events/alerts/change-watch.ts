import type { Logger } from 'pino'
import type { z } from 'zod'
import { FairSlots } from '../../admission/fair-slots.js'
import type { Immutable } from '../../base/immutable.js'
import type { Leases } from '../../store/leases.js'
import type { EventPort } from '../event-port.js'
import type { toldChange } from '../kinds/told-change.js'
import { type Alert, isReady } from './alert.js'
import type { AlertCondition } from './alert-condition.js'
import type { Alerts } from './alerts.js'

type ChangeCondition = Extract<AlertCondition, { readonly kind: 'change_found' }>

export type FoundChange = Immutable<z.output<typeof toldChange>>

/** Looks for changes as detect_changes does, in all calls of a project or those of one agent. */
export type FindChanges = (
  projectId: string,
  look: { readonly period: string; readonly categories?: readonly string[]; readonly agent_name?: string },
) => Promise<readonly FoundChange[]>

interface ChangeWatchParts {
  readonly alerts: Alerts
  /** That one process at a time looks for an alert. */
  readonly leases: Leases
  readonly find: FindChanges
  readonly events: EventPort
  readonly log: Pick<Logger, 'error'>
  readonly clock: () => number
}

/** How often it looks, and how long after calls were written: an import is many writes, and one look. */
const LOOK_INTERVAL_MS = 3_600_000
const AFTER_WRITES_MS = 60_000
/** Looks that run at once, of all projects; of each project one does. */
const LOOKS_AT_ONCE = 2
/** Most changes in one event. */
const MOST_CHANGES = 20

const RANK: Readonly<Record<string, number>> = { high: 0, medium: 1, low: 2 }

/**
 * Looks for the changes that alerts wait for: every hour, and a minute after calls were written. Projects look beside each other, each
 * for one alert after the other; their looks take turns.
 */
export class ChangeWatch {
  readonly #parts: ChangeWatchParts
  readonly #hourly: NodeJS.Timeout
  readonly #places = new FairSlots({
    what: 'looks for changes',
    places: LOOKS_AT_ONCE,
    placesOfProject: 1,
    // One of each project waits.
    waitingOfKey: Infinity,
    waitingOfProject: Infinity,
  })
  /** By their projects. */
  readonly #looking = new Map<string, Promise<void>>()
  readonly #closing = new AbortController()
  #soon: NodeJS.Timeout | undefined

  constructor(parts: ChangeWatchParts) {
    this.#parts = parts
    this.#hourly = setInterval(() => void this.look(), LOOK_INTERVAL_MS).unref()
  }

  /** Calls were written. */
  noted(): void {
    this.#soon ??= setTimeout(() => {
      this.#soon = undefined
      void this.look()
    }, AFTER_WRITES_MS).unref()
  }

  /** Looks now in all projects: see lookIn. */
  async look(): Promise<void> {
    const waiting = this.#parts.alerts.all().filter(({ condition }) => condition.kind === 'change_found')
    await Promise.all([...new Set(waiting.map(alert => alert.project_id))].map(id => this.lookIn(id)))
  }

  /**
   * Looks now for what the alerts of a project wait for, unless it is looking there. Never rejects: what failed is logged, and looked
   * at again the next time.
   */
  lookIn(projectId: string): Promise<void> {
    const looking =
      this.#looking.get(projectId) ?? this.#lookIn(projectId).finally(() => this.#looking.delete(projectId))
    this.#looking.set(projectId, looking)
    return looking
  }

  /** Looks no more; resolves when the last look has ended. */
  async close(): Promise<void> {
    clearInterval(this.#hourly)
    clearTimeout(this.#soon)
    this.#closing.abort()
    await Promise.all(this.#looking.values())
  }

  async #lookIn(projectId: string): Promise<void> {
    const { alerts, clock, log } = this.#parts
    for (const alert of alerts.all()) {
      const { condition, alert_id, project_id } = alert
      if (project_id !== projectId || condition.kind !== 'change_found' || !isReady(alert, clock())) continue
      try {
        // oxlint-disable-next-line no-await-in-loop -- one alert after the other
        await this.#alone(alert_id)
      } catch (error) {
        if (this.#closing.signal.aborted) return
        log.error({ err: error, alert_id }, 'An alert could not look for changes')
      }
    }
  }

  /** Looks for an alert as it is now, unless another process does or has triggered it just now. */
  async #alone(alertId: string): Promise<void> {
    const { alerts, leases, clock } = this.#parts
    const lease = await leases.take(`alert:${alertId}`)
    if (lease === undefined) return
    try {
      await alerts.catchUp()
      const current = alerts.all().find(one => one.alert_id === alertId)
      if (current?.condition.kind !== 'change_found' || !isReady(current, clock())) return
      await this.#lookFor(current, current.condition)
    } finally {
      await lease.release()
    }
  }

  async #lookFor(alert: Alert, condition: ChangeCondition): Promise<void> {
    const { alerts, find, events, clock } = this.#parts
    const { alert_id, project_id, last_triggered_at: before = 'never' } = alert
    const look = {
      period: condition.period,
      ...(condition.category === undefined ? {} : { categories: [condition.category] }),
    }
    const looks = alert.agents.length === 0 ? [look] : alert.agents.map(agent_name => ({ ...look, agent_name }))
    const found: FoundChange[] = []
    const turn = { project: project_id, key: alert_id }
    for (const one of looks)
      found.push(...(await this.#places.run(turn, { signal: this.#closing.signal }, () => find(project_id, one))))
    const changes = found.filter(change => isWanted(condition, change)).slice(0, MOST_CHANGES)
    if (changes.length === 0) return
    const data = { alert_id, condition, changes }
    // Told before it is noted: who is killed between tells again, under the same id.
    await events.raise({ event: 'alert.triggered', project_id, data, occasion: `${alert_id} after ${before}` })
    await alerts.triggered(alert, clock())
  }
}

function isWanted({ key, direction, significance }: ChangeCondition, change: FoundChange): boolean {
  if (key !== undefined && change.key !== key) return false
  if (direction !== undefined && change.direction !== direction) return false
  return (RANK[change.significance] ?? Infinity) <= (RANK[significance] ?? 0)
}
