import { randomBytes } from 'node:crypto'
import { readPeriod } from '../../base/period.js'
import { Problem } from '../../base/problem.js'
import { echo } from '../../base/text.js'
import type { AlertRecord } from '../../store/records/alert.js'
import type { EventStore } from '../../store/event-store.js'
import { type Followed, SharedRecords, type Sharing } from '../../store/shared-records.js'
import { type Alert, alertOf, looksOf } from './alert.js'
import type { AlertCondition } from './alert-condition.js'
import type { AlertPatch, NewAlert } from './alert-fields.js'

/** Most alerts of a project: each call that is written is held against all of them. */
const MOST_ALERTS = 100
/**
 * Most looks for changes of a project's alerts, each hour. One takes up to five seconds at ten million calls (docs/benchmarks.md): so all of
 * them end before they begin anew.
 */
const MOST_LOOKS = 500

/** The registry of alerts: in memory, every change in the store first. */
export class Alerts {
  readonly #store: EventStore['alerts']
  readonly #clock: () => number
  readonly #records: SharedRecords<Alert>

  private constructor(store: EventStore['alerts'], clock: () => number, sharing: Sharing | undefined) {
    this.#store = store
    this.#clock = clock
    this.#records = new SharedRecords({
      kind: 'alerts',
      sharing,
      all: async () => (await store.all()).map(alertOf),
      idOf: one => one.alert_id,
    })
  }

  /** Reads every alert of the store. */
  static async load(store: EventStore['alerts'], clock: () => number, sharing?: Sharing): Promise<Alerts> {
    const alerts = new Alerts(store, clock, sharing)
    await alerts.#records.load()
    return alerts
  }

  /** What others change is taken up by. */
  get followed(): Followed {
    return this.#records
  }

  /** Takes up what others did by now. */
  async catchUp(): Promise<void> {
    await this.#records.catchUp()
  }

  /** Every alert of the installation. */
  all(): readonly Alert[] {
    return [...this.#records.values()]
  }

  /** The alerts of a project, oldest first. */
  list(projectId: string): readonly Alert[] {
    return this.all()
      .filter(alert => alert.project_id === projectId)
      .toSorted((a, b) => (a.created_at + a.alert_id < b.created_at + b.alert_id ? -1 : 1))
  }

  /** @throws Problem `not_found`, also for an alert of another project */
  get(projectId: string, alertId: string): Alert {
    const alert = this.#records.get(alertId)
    if (alert?.project_id !== projectId) throw new Problem('not_found', `Alert not found: ${echo(alertId)}`)
    return alert
  }

  /** @throws Problem `conflict` when the project has as many, or looks as often, as it may; `invalid_input` for a period that is none */
  add(projectId: string, fields: NewAlert, author: string): Promise<Alert> {
    return this.#records.run(async () => {
      this.#checkPeriod(fields.condition)
      if (this.list(projectId).length >= MOST_ALERTS) {
        throw new Problem('conflict', `A project has at most ${MOST_ALERTS} alerts; remove one first`)
      }
      this.#checkLooks(projectId, looksOf(fields))
      return await this.#put({
        alert_id: `alert_${randomBytes(12).toString('hex')}`,
        project_id: projectId,
        ...fields,
        active: true,
        created_at: new Date(this.#clock()).toISOString(),
        created_by: author,
      })
    })
  }

  /** Changes the fields that are given. @throws Problem `not_found`, and as `add` */
  patch(projectId: string, alertId: string, patch: AlertPatch): Promise<Alert> {
    return this.#records.run(async () => {
      const alert = this.get(projectId, alertId)
      if (patch.condition !== undefined) this.#checkPeriod(patch.condition)
      const { condition = alert.condition, agents = alert.agents } = patch
      this.#checkLooks(projectId, looksOf({ condition, agents }) - looksOf(alert))
      return await this.#put({
        ...alert,
        name: patch.name ?? alert.name,
        condition,
        agents,
        cooldown_seconds: patch.cooldown_seconds ?? alert.cooldown_seconds,
        active: patch.active ?? alert.active,
      })
    })
  }

  /** @throws Problem `not_found` */
  remove(projectId: string, alertId: string): Promise<void> {
    return this.#records.run(async () => {
      this.get(projectId, alertId)
      await this.#records.remove(alertId, () => this.#store.remove(projectId, alertId))
    })
  }

  /** Notes that an alert was triggered, unless it is gone. */
  triggered(alert: Alert, at: number): Promise<void> {
    return this.#records.run(async () => {
      const current = this.#records.get(alert.alert_id)
      if (current !== undefined) await this.#put({ ...current, last_triggered_at: new Date(at).toISOString() })
    })
  }

  /**
   * Runs work that writes alerts itself, in the store, while none is changed here; what it gives back is how they are
   * now.
   */
  whileUnchanged(work: () => Promise<readonly AlertRecord[]>): Promise<void> {
    return this.#records.run(async () => {
      for (const record of await work()) this.#records.set(alertOf(record))
    })
  }

  /** No part of the condition's schema, which also reads what the store holds, at an instant that is long past. */
  #checkPeriod(condition: AlertCondition): void {
    // Whether it is a period is the same in every zone.
    if (condition.kind === 'change_found') readPeriod(condition.period, 'condition.period', this.#clock(), 'UTC')
  }

  /** @param more how many looks would come to those of the project */
  #checkLooks(projectId: string, more: number): void {
    const all = this.list(projectId).reduce((sum, alert) => sum + looksOf(alert), more)
    if (more <= 0 || all <= MOST_LOOKS) return
    throw new Problem(
      'conflict',
      `Alerts of a project look for changes at most ${MOST_LOOKS} times an hour, each once for all agents or once for each that it names; with this they would ${all} times: name fewer agents, or none to look for all of them together`,
    )
  }

  async #put(alert: Alert): Promise<Alert> {
    await this.#records.put(alert, () => this.#store.put(alert))
    return alert
  }
}
