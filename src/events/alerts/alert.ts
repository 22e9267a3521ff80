import type { AlertRecord } from '../../store/records/alert.js'
import { type AlertCondition, alertCondition } from './alert-condition.js'

/** An alert whose condition was read. */
export interface Alert extends Omit<AlertRecord, 'condition'> {
  readonly condition: AlertCondition
}

export function alertOf(record: AlertRecord): Alert {
  return { ...record, condition: alertCondition.parse(record.condition) }
}

/** Whether an alert may be triggered at an instant (milliseconds since 1970). */
export function isReady({ active, cooldown_seconds, last_triggered_at: last }: Alert, now: number): boolean {
  return active && (last === undefined || Date.parse(last) + cooldown_seconds * 1000 <= now)
}

/** How often an alert looks for changes, each hour: once for all agents, or once for each that it names. */
export function looksOf({ condition, agents }: Pick<Alert, 'condition' | 'agents'>): number {
  return condition.kind === 'change_found' ? Math.max(1, agents.length) : 0
}
