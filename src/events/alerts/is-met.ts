import type { NotedCall } from '../../store/event-store.js'
import type { Alert } from './alert.js'

/** Whether a call meets the condition of an alert. A call without the score is not below anything. */
export function isMet({ project_id, agents, condition }: Alert, call: NotedCall): boolean {
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
