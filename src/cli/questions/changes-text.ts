import type { AnswerOf } from '../../control/client.js'
import type { toolOperations } from '../../operations/ask-questions.js'
import { bar, calls, count, mean, percent, signed } from '../figures.js'
import { type Screen, styled } from '../screen.js'
import { tableText } from '../table-text.js'
import { emptyLines, periodText, wrapped } from './shared-text.js'

type Changes = AnswerOf<(typeof toolOperations)['detect_changes']>
type Change = Changes['changes'][number]

const BAR_COLUMNS = 10
/** What a whole bar stands for: of a mean on a scale of 1 to 5, and of a share. */
const LARGEST = { mean: 2, share: 0.5 } as const

const HEAD = ['What', 'Kind', 'Before', 'Now', 'Change', 'Sure', '', 'Usual', 'Calls']
const RIGHT = ['Before', 'Now', 'Change', 'Sure', 'Usual', 'Calls']

/** What is different from before, for a reader. */
export function changesText(answer: Changes, screen: Screen): string {
  const { window, baseline, changes, total, tested, warnings } = answer
  const found =
    changes.length === 0
      ? 'Nothing changed that chance does not explain'
      : `${count(changes.length)} of ${count(total)} changes`
  return [
    `${styled(screen, 'bold', found)}, of ${count(tested)} things looked at\n`,
    `Now     ${periodText(window)}, ${calls(window.calls)}\n`,
    `Before  ${periodText(baseline)}, ${calls(baseline.calls)}\n`,
    emptyLines(answer.why_empty, answer.window),
    changes.length === 0 ? '' : `\n${tableText(HEAD, changes.map(row), screen.width, RIGHT)}`,
    details(changes, screen),
    warnings === undefined ? '' : `\n${warnings.map(text => wrapped(text, screen)).join('')}`,
    detectableText(answer, screen),
  ].join('')
}

const isMean = ({ category }: Pick<Change, 'category'>) => category === 'score' || category === 'agent'
const value = (of: Pick<Change, 'category'>, number: number) => (isMean(of) ? mean(number) : percent(number))
const change = (of: Pick<Change, 'category'>, number: number) =>
  isMean(of) ? signed(number) : `${signed(number * 100, 1)} pt`

function row(one: Change): readonly string[] {
  const arrow = one.delta < 0 ? '▼' : '▲'
  const size = Math.abs(one.delta) / (isMean(one) ? LARGEST.mean : LARGEST.share)
  return [
    one.display_name,
    one.category,
    value(one, one.baseline_value),
    value(one, one.value),
    one.direction === 'new' || one.direction === 'gone' ? one.direction : change(one, one.delta),
    `${one.significance} (q ${one.q_value < 0.001 ? '< 0.001' : one.q_value.toFixed(3)})`,
    `${arrow} ${bar(size, BAR_COLUMNS)}`,
    `±${isMean(one) ? mean(one.usual_move) : `${(one.usual_move * 100).toFixed(1)} pt`}`,
    `${count(one.baseline_occurrences)} → ${count(one.occurrences)}`,
  ]
}

/** Under the table, by name: what carries a change, where else it shows, and calls that show it. */
function details(changes: readonly Change[], screen: Screen): string {
  const told = changes.map(one => {
    const also = (one.also ?? []).map(part => `${part.display_name} ${change(part, part.delta)} (${part.category})`)
    const parts = [
      one.carried_by === undefined ? undefined : `carried by ${one.carried_by}`,
      also.length === 0 ? undefined : `also ${also.join(', ')}`,
      one.example_session_ids?.length ? `calls ${one.example_session_ids.join(', ')}` : undefined,
    ].filter(part => part !== undefined)
    return parts.length === 0 ? '' : wrapped(`${one.display_name}: ${parts.join('; ')}`, screen)
  })
  const text = told.join('')
  return text === '' ? '' : `\n${text}`
}

function detectableText({ detectable: { score, shares }, changes }: Changes, screen: Screen): string {
  if (changes.length > 0) return ''
  const parts = [
    ...(score === undefined ? [] : [`the mean score by ${mean(score)}`]),
    ...shares.map(one => `a share of ${percent(one.share)} by ${(one.change * 100).toFixed(1)} pt`),
  ]
  return parts.length === 0
    ? ''
    : `\n${wrapped(`What these calls would have shown four times in five: ${parts.join(', ')}`, screen)}`
}
