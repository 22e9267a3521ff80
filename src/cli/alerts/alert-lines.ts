import type { Alert } from '../../events/alerts/alert.js'
import type { AlertCondition } from '../../events/alerts/alert-condition.js'

/** An alert for a reader. */
export function alertLines(alert: Alert): string {
  return [
    `Alert            ${alert.alert_id}`,
    `Name             ${alert.name}`,
    `Project          ${alert.project_id}`,
    `Condition        ${conditionText(alert.condition)}`,
    `Agents           ${alert.agents.length === 0 ? 'all' : alert.agents.join(', ')}`,
    `Cooldown         ${alert.cooldown_seconds} s`,
    `Active           ${alert.active ? 'yes' : 'no'}`,
    `Last triggered   ${alert.last_triggered_at ?? 'never'}`,
    `Created          ${alert.created_at} by ${alert.created_by}`,
    '',
  ].join('\n')
}

/** A condition in words. */
export function conditionText(condition: AlertCondition): string {
  switch (condition.kind) {
    case 'signal_present':
      return `signal ${condition.signal_key} is present`
    case 'score_below':
      return `${condition.measure} is below ${condition.threshold}`
    case 'change_found': {
      const what = [condition.category, condition.key, condition.direction].filter(one => one !== undefined)
      return `a change in ${condition.period}${what.length === 0 ? '' : ` (${what.join(', ')})`}, significance ${condition.significance}`
    }
  }
}
