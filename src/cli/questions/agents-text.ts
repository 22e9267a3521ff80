import type { AnswerOf } from '../../control/client.js'
import type { toolOperations } from '../../operations/ask-questions.js'
import { bar, calls, clock, count, mean, percent, signed, sparkline } from '../figures.js'
import type { Screen } from '../screen.js'
import { tableText } from '../table-text.js'
import { emptyLines, heading, headline, wrapped } from './shared-text.js'

type Agents = AnswerOf<(typeof toolOperations)['get_agent_performance']>
type Agent = Agents['agents'][number]
type Measures = Agents['scope_average']

const BAR_COLUMNS = 10
const HEAD = ['Agent', 'Calls', 'Score', '95 %', '≥ 3.5', '', 'Trend', 'CSAT', 'Lift', 'Length', 'Before']
const RIGHT = ['Calls', 'Score', '95 %', '≥ 3.5', 'Trend', 'CSAT', 'Lift', 'Length', 'Before']

/** How agents are doing, for a reader. */
export function agentsText(answer: Agents, screen: Screen): string {
  const { agents, scope_average: all, window, below_min_calls: few, total, next_cursor: next } = answer
  const title = headline(`${count(agents.length)} of ${count(total)} agents`, window, screen)
  if (all.calls === 0) return `${title}${emptyLines(answer.why_empty, answer.window)}`
  const { periods, trends } = trendsOf(agents)
  const rows = [
    ...agents.map(agent => [agent.agent_name, ...cells(agent, trends.get(agent), agent.previous?.average_score)]),
    ['All calls', ...cells(all)],
  ]
  return [
    title,
    `\n${tableText(HEAD, rows, screen.width, RIGHT)}`,
    notes(all),
    effectsText(answer, screen),
    trendNote(periods),
    ...agents.map(agent => foundText(agent, screen)),
    few.length === 0 ? '' : `\n${wrapped(fewText(answer), screen)}`,
    next === undefined ? '' : `\nMore: the same with --cursor ${next}\n`,
  ].join('')
}

function cells(of: Measures, trend = '', before?: number): readonly string[] {
  const [low, high] = of.score_interval_95 ?? []
  return [
    count(of.calls),
    mean(of.average_score),
    low === undefined || high === undefined ? '–' : `${mean(low)}–${mean(high)}`,
    percent(of.positive_share),
    bar(of.positive_share ?? 0, BAR_COLUMNS),
    trend,
    mean(of.average_predicted_csat),
    of.average_lift === undefined ? '–' : signed(of.average_lift),
    clock(of.average_duration_s),
    mean(before),
  ]
}

/** The average score of each agent step by step, all on one scale, with a gap where an agent took no scored calls. */
function trendsOf(agents: readonly Agent[]) {
  const steps = agents.flatMap(({ trend }) => trend ?? [])
  const periods = [...new Set(steps.map(({ period }) => period))].toSorted()
  const scores = steps.flatMap(({ average_score: score }) => score ?? [])
  const [low, high] = [Math.min(...scores), Math.max(...scores)]
  const trends = agents.map(agent => {
    const byPeriod = new Map(agent.trend?.map(step => [step.period, step.average_score]))
    const values = periods.map(period => byPeriod.get(period))
    return [agent, sparkline(values, low, high)] as const
  })
  return { periods, trends: new Map(trends) }
}

const trendNote = (periods: readonly string[]): string =>
  periods.length === 0
    ? ''
    : `Trend: the average score from ${periods[0]} to ${periods.at(-1)}, on one scale for all.\n`

/** What averages are of, where that is not all calls. */
function notes(all: Measures): string {
  const { scored_calls: scored, csat_calls: csat, lift_calls: lift, duration_calls: length } = all
  const behind = `${count(scored)} scores, ${count(csat)} CSAT, ${count(lift)} lift, ${count(length)} lengths`
  return `\nBehind the averages of all ${calls(all.calls)}: ${behind}. Where intervals overlap, a difference may be chance.\n`
}

/** Whose calls come out other than signals show, where that is no chance; nothing of a key that is not told. */
function effectsText({ agents, lift_outcome: outcome }: Agents, screen: Screen): string {
  const told = agents.flatMap(({ agent_name: name, agent_effect: effect, agent_effect_interval_95: interval }) => {
    const [low, high] = interval ?? []
    if (effect === undefined || low === undefined || high === undefined) return []
    return [`${name} ${signed(effect)} (${signed(low)} to ${signed(high)})`]
  })
  if (told.length === 0) return ''
  return wrapped(`Beyond what signals show, in the share of good outcomes (${outcome}): ${told.join(', ')}.`, screen)
}

function foundText({ agent_name: name, signals, guidance }: Agent, screen: Screen): string {
  const found = [...(signals ?? []), ...(guidance ?? [])]
  if (found.length === 0) return ''
  const rows = found.map(one => [
    one.display_name,
    count(one.calls),
    percent(one.share),
    percent(one.scope_share),
    bar(one.share, BAR_COLUMNS),
  ])
  const table = tableText(['Stands out', 'Calls', 'Share', 'Of all', ''], rows, screen.width, [
    'Calls',
    'Share',
    'Of all',
  ])
  return `${heading(screen, name)}${table}`
}

function fewText({ below_min_calls: few, below_min_calls_total: total }: Agents): string {
  const named = few.map(agent => `${agent.agent_name} (${count(agent.calls)})`)
  const more = total > few.length ? ` and ${count(total - few.length)} more` : ''
  return `Too few calls to rank: ${named.join(', ')}${more}`
}
