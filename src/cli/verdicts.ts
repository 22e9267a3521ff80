import { restOperations } from '../operations/ask-questions.js'
import type { AnswerOf } from '../control/client.js'
import { count, percent } from './figures.js'
import { operationCommand } from './operation-command.js'
import { heading } from './questions/shared-text.js'
import type { Screen } from './screen.js'
import { tableText } from './table-text.js'

/** `earshot verdicts` */
export const verdictsCommand = operationCommand({
  command: 'verdicts',
  describe: 'Show what people said of evaluations: how often signals are right, and which disputes wait',
  operation: restOperations.getVerdicts,
  forPeople: { limit: 20 },
  examples: [['verdicts --limit 5', '']],
  text: verdictsText,
})

function verdictsText(answer: AnswerOf<typeof restOperations.getVerdicts>, screen: Screen): string {
  const { signals, scores, disputes, disputes_total: total } = answer
  if (signals.length === 0 && total === 0 && scores.agreed + scores.disputed === 0) {
    return 'Nobody agreed with a score or a signal, or disputed one: the console and POST /api/v1/interactions/{id}/feedback take that\n'
  }
  const rows = signals.map(one => [
    one.display_name,
    count(one.calls),
    count(one.found_right),
    count(one.found_wrong),
    count(one.missed),
    one.precision === undefined
      ? '–'
      : `${percent(one.precision)} (${(one.precision_interval_95 ?? []).map(percent).join('–')})`,
  ])
  const waiting = disputes.map(one => [
    one.session_id,
    one.agent_name,
    one.display_name ?? one.about,
    one.state ?? `${one.score ?? '–'}${one.rating === undefined ? '' : ` → ${one.rating}`}`,
    one.created_by,
    (one.text ?? '').replaceAll(/\s+/g, ' '),
  ])
  return [
    `Scores: ${scores.agreed} agreed with, ${scores.disputed} disputed\n`,
    rows.length === 0
      ? ''
      : `${heading(screen, 'Signals, by people’s word')}${tableText(['Signal', 'Calls', 'Right', 'Wrong', 'Missed', 'Precision'], rows, screen.width, ['Calls', 'Right', 'Wrong', 'Missed'])}`,
    waiting.length === 0
      ? '\nNo dispute waits for an answer\n'
      : `${heading(screen, `Disputes that wait, ${disputes.length} of ${total}`)}${tableText(['Call', 'Agent', 'Of', 'Was', 'By', 'Said'], waiting, screen.width)}`,
  ].join('')
}
