import type { AnswerOf } from '../../control/client.js'
import type { toolOperations } from '../../operations/ask-questions.js'
import { clock, count, localTime, mean, signed } from '../figures.js'
import type { Screen } from '../screen.js'
import { tableText } from '../table-text.js'
import { emptyLines, headline } from './shared-text.js'

type Calls = AnswerOf<(typeof toolOperations)['search_calls']>

/** A list of calls for a reader. */
export function callsText(answer: Calls, screen: Screen): string {
  const { calls, total, window, next_cursor: next } = answer
  if (calls.length === 0) return `${headline('No calls', window, screen)}${emptyLines(answer.why_empty, answer.window)}`
  const rows = calls.map(call => [
    call.session_id,
    localTime(call.date, window.time_zone),
    call.agent_name,
    mean(call.score),
    call.lift === undefined ? '–' : signed(call.lift),
    (call.summary ?? '').replaceAll(/\s+/g, ' '),
    clock(call.duration_s),
    count(call.signal_count),
  ])
  const head = ['Call', 'Began', 'Agent', 'Score', 'Lift', 'About', 'Length', 'Signals']
  const right = ['Began', 'Score', 'Lift', 'Length', 'Signals']
  const shown = `${count(calls.length)} of ${count(total)} calls`
  const more = next === undefined ? '' : `More: the same with --cursor ${next}\n`
  return `${headline(shown, window, screen)}\n${tableText(head, rows, screen.width, right)}${more && `\n${more}`}`
}
