import type { AnswerOf } from '../../control/client.js'
import type { toolOperations } from '../../operations/ask-questions.js'
import { bar, calls, count, mean, percent, signed, sparkline } from '../figures.js'
import type { Screen } from '../screen.js'
import { tableText } from '../table-text.js'
import { emptyLines, heading, headline, ofCalls } from './shared-text.js'

type Summary = AnswerOf<(typeof toolOperations)['get_project_summary']>
type Counted = Summary['signals'][number]

const BAR_COLUMNS = 20
/** Steps of a trend that are shown where the width is not known. */
const STEPS = 60

/** What a period was like, for a reader. */
export function summaryText(answer: Summary, screen: Screen): string {
  const title = headline(calls(answer.calls), answer.window, screen)
  if (answer.calls === 0) return `${title}${emptyLines(answer.why_empty, answer.window)}`
  const lift = answer.average_lift
  return [
    title,
    '\n',
    line('Evaluated', `${percent(answer.evaluated / answer.calls)} ${ofCalls(answer.evaluated)}`),
    line(
      'Score',
      `${mean(answer.average_score)} of 1–5, ${percent(answer.positive_share)} at 3.5 and more ${ofCalls(answer.scored_calls)}`,
    ),
    line(
      'CSAT',
      `${mean(answer.average_predicted_csat)} of 1–5, ${percent(answer.csat_positive_share)} at 4.0 and more, predicted ${ofCalls(answer.csat_calls)}`,
    ),
    line('Lift', lift === undefined ? '–' : `${signed(lift)} on average ${ofCalls(answer.lift_calls)}`),
    trendText(answer, screen),
    scoresText(answer, screen),
    listText('Why customers called', answer.drivers, answer.drivers_total, screen),
    listText('Signals', answer.signals, answer.signals_total, screen),
    listText('Guidance', answer.guidance, answer.guidance_total, screen),
    listText('Readings', answer.dimensions, answer.dimensions_total, screen),
  ].join('')
}

const line = (name: string, text: string): string => `${name.padEnd(11)}${text}\n`

function trendText({ trend, trend_total: total }: Summary, screen: Screen): string {
  const room = screen.width === undefined ? STEPS : Math.max(1, screen.width - 40)
  const shown = trend.slice(-room)
  const [first, last] = [shown[0], shown.at(-1)]
  if (first === undefined || last === undefined) return ''
  const volumes = shown.map(step => step.calls)
  const scores = shown.map(step => step.average_score)
  const there = scores.filter(score => score !== undefined)
  const from = total > shown.length ? `the last ${shown.length} of ${total} steps with calls, ` : ''
  return [
    heading(screen, `Trend, ${from}${first.period} to ${last.period}`),
    line('Calls', `${sparkline(volumes, 0)}  ${count(Math.min(...volumes))} to ${count(Math.max(...volumes))} a step`),
    there.length === 0
      ? ''
      : line('Score', `${sparkline(scores)}  ${mean(Math.min(...there))} to ${mean(Math.max(...there))}`),
  ].join('')
}

function scoresText({ score_distribution: bands }: Summary, screen: Screen): string {
  const rows = bands.map(band => [
    `${band.from.toFixed(1)}–${band.to.toFixed(1)}`,
    count(band.calls),
    percent(band.share),
    bar(band.share ?? 0, BAR_COLUMNS),
  ])
  return `${heading(screen, 'Scores')}${tableText(['Score', 'Calls', 'Share', ''], rows, screen.width, ['Calls', 'Share'])}`
}

function listText(title: string, entries: readonly Counted[], total: number, screen: Screen): string {
  if (entries.length === 0) return ''
  const rows = entries.map(entry => [
    entry.display_name ?? entry.key,
    count(entry.calls),
    percent(entry.share),
    bar(entry.share ?? 0, BAR_COLUMNS),
  ])
  const shown = entries.length < total ? `${title}, ${entries.length} of ${total}` : title
  return `${heading(screen, shown)}${tableText(['What', 'Calls', 'Share', ''], rows, screen.width, ['Calls', 'Share'])}`
}
