import type { AnswerOf } from '../../control/client.js'
import type { toolOperations } from '../../operations/ask-questions.js'
import { clock, count, localTime, mean, signed } from '../figures.js'
import type { Screen } from '../screen.js'
import { tableText } from '../table-text.js'
import { emptyLines, headline } from './shared-text.js'

type Calls = AnswerOf<(typeof toolOperations)['search_calls']>
type Why = NonNullable<Calls['calls'][number]['why']>

/** Columns from which on a terminal has room for why a score is what it is, beside what the call was about. */
const WIDE_COLUMNS = 120

/** A list of calls for a reader. */
export function callsText(answer: Calls, screen: Screen): string {
  const { calls, total, window, next_cursor: next } = answer
  if (calls.length === 0) return `${headline('No calls', window, screen)}${emptyLines(answer.why_empty, answer.window)}`
  const isWide = screen.width === undefined || screen.width >= WIDE_COLUMNS
  const forReview = calls.some(({ doubts }) => doubts !== undefined)
  const rows = calls.map(call => [
    call.session_id,
    localTime(call.date, window.time_zone),
    call.agent_name,
    mean(call.score),
    call.lift === undefined ? '–' : signed(call.lift),
    (call.summary ?? '').replaceAll(/\s+/g, ' '),
    clock(call.duration_s),
    count(call.signal_count),
    ...(isWide ? [whyText(call.why)] : []),
    ...(forReview ? [(call.doubts ?? []).join('; ')] : []),
  ])
  const head = [
    'Call',
    'Began',
    'Agent',
    'Score',
    'Lift',
    'About',
    'Length',
    'Signals',
    ...(isWide ? ['Cost most'] : []),
    ...(forReview ? ['Doubts'] : []),
  ]
  const right = ['Began', 'Score', 'Lift', 'Length', 'Signals']
  const shown = `${count(calls.length)} of ${count(total)} calls`
  const more = next === undefined ? '' : `More: the same with --cursor ${next}\n`
  return `${headline(shown, window, screen)}\n${tableText(head, rows, screen.width, right)}${more && `\n${more}`}`
}

/** What cost most of a score: the cap, or the dimension with its value. */
function whyText({ cap, reason = cap, dimension, value }: Why = {}): string {
  if (reason !== undefined) return `capped: ${reason}`
  return dimension === undefined ? '' : `${dimension} ${mean(value)}`
}
