import columnsOf from 'string-width'
import type { AnswerOf } from '../../control/client.js'
import type { toolOperations } from '../../operations/ask-questions.js'
import { bar, clock, duration, localTime, mean, percent, signed } from '../figures.js'
import { type Screen, styled } from '../screen.js'
import { tableText } from '../table-text.js'
import { heading, wrapped } from './shared-text.js'

type Call = AnswerOf<(typeof toolOperations)['get_call_detail']>
/** A call, and the zone that its times are told in; UTC where it is not known. */
export type CallInZone = Call & { readonly zone?: string }
type Evidence = readonly { readonly turn: number; readonly quote?: string | undefined }[]

const BAR_COLUMNS = 12

/** One call for a reader: what it was, its scores and why they are so, what was found and where, and what was said. */
export function callText(call: CallInZone, screen: Screen): string {
  return [
    aboutText(call, screen),
    scoresText(call, screen),
    signalsText(call, screen),
    guidanceText(call, screen),
    call.coaching_summary === undefined
      ? ''
      : `${heading(screen, 'Coaching')}${wrapped(call.coaching_summary, screen, '  ')}`,
    feedbackText(call, screen),
    conditionsText(call, screen),
    transcriptText(call, screen),
    call.left_out === undefined ? '' : `\nNot shown, there was no room: ${call.left_out.join(', ')}\n`,
  ].join('')
}

function aboutText(
  { metadata: about, talk_patterns: talk, evaluation, trust, zone = 'UTC' }: CallInZone,
  screen: Screen,
): string {
  const listed = (...parts: readonly (string | undefined)[]) => parts.filter(part => part !== undefined).join(', ')
  const length = talk?.total_duration_s
  const rated = evaluation === undefined ? 'not yet' : listed(evaluation.evaluator, evaluation.rubric)
  const at = evaluation?.evaluated_at === undefined ? '' : `, ${localTime(evaluation.evaluated_at, zone)} (${zone})`
  const lines: readonly (readonly [string, string])[] = [
    ['Call', about.session_id],
    ['Agent', about.agent_id === undefined ? about.agent_name : `${about.agent_name} (${about.agent_id})`],
    ['Customer', listed(about.customer_display_name, about.company_name, about.location)],
    ['Began', `${localTime(about.created_dt, zone)} (${zone})`],
    ['Length', length === undefined ? '' : duration(length)],
    ['Kind', listed(about.interaction_direction, about.interaction_driver, about.language)],
    ['Evaluated', `${rated}${at}`],
    [
      'Trust',
      trust === undefined ? '' : listed(`${trust.level} (${mean(trust.score)} of 1)`, ...(trust.reasons ?? [])),
    ],
  ]
  const title = about.title === undefined ? '' : `${styled(screen, 'bold', about.title)}\n`
  return `${title}${lines.map(([name, text]) => (text === '' ? '' : field(name, text, screen))).join('')}`
}

const field = (name: string, text: string, screen: Screen): string =>
  `${name.padEnd(11)}${wrapped(text, screen, ' '.repeat(11)).trimStart()}`

function scoresText(call: Call, screen: Screen): string {
  const { scores_headline: headline, outcome_lift: lift, scores } = call
  if (headline.score === undefined && scores.length === 0) return ''
  const { capped_by: cap } = headline
  const place = cap?.turn === undefined ? '' : `turn ${cap.turn}`
  const quote = cap?.quote === undefined ? '' : `: “${cap.quote}”`
  const why = cap === undefined ? '' : `${cap.reason ?? cap.key}${place || quote ? ` (${place}${quote})` : ''}`
  const better =
    lift === undefined
      ? ''
      : `${signed(lift.lift ?? 0)} (${lift.lift_band ?? 'not told from chance'}); chance of a good outcome ${percent(lift.p_behavioral)}, of calls like it ${percent(lift.p_context)}`
  const rows = scores.map(({ key, display_name: name, value, range: [low = 1, high = 5] = [1, 5] }) => [
    name ?? key,
    bar((value - low) / (high - low), BAR_COLUMNS),
    `${value.toFixed(1)} of ${low}–${high}`,
  ])
  return [
    heading(screen, 'Scores'),
    headline.score === undefined ? '' : field('Score', `${mean(headline.score)} of 1–5`, screen),
    why === '' ? '' : field('Capped', styled(screen, 'yellow', why), screen),
    headline.predicted_csat === undefined
      ? ''
      : field('CSAT', `${mean(headline.predicted_csat)} of 1–5, predicted`, screen),
    better === '' ? '' : field('Lift', better, screen),
    rows.length === 0 ? '' : `\n${indented(tableText(['Quality', '', 'Value'], rows, inside(screen)))}`,
  ].join('')
}

const inside = ({ width }: Screen): number | undefined => (width === undefined ? undefined : Math.max(1, width - 2))
const indented = (text: string): string => text.replaceAll(/^(?=.)/gm, '  ')

function evidenceLines(evidence: Evidence | undefined, screen: Screen): string {
  const quoted = (evidence ?? []).map(({ turn, quote }) => `turn ${turn}${quote === undefined ? '' : `: “${quote}”`}`)
  return quoted.map(text => styled(screen, 'dim', wrapped(text, screen, '      '))).join('')
}

function signalsText({ signals, signals_absent: absent }: Call, screen: Screen): string {
  const nameOf = ({ key, display_name: name }: Call['signals'][number]) => name ?? key
  const present = signals.filter(({ state }) => state === 'present')
  const unclear = signals.filter(({ state }) => state === 'unclear').map(nameOf)
  const named = (what: string, names: readonly string[]) =>
    names.length === 0 ? '' : wrapped(`${what}: ${names.join(', ')}`, screen, '  ')
  if (signals.length + absent.length === 0) return ''
  const shown = present.map(one => `${wrapped(nameOf(one), screen, '  ')}${evidenceLines(one.evidence, screen)}`)
  return `${heading(screen, 'Signals')}${shown.join('')}${named('Unclear', unclear)}${named('Absent', absent)}`
}

function feedbackText({ feedback: said = [] }: Call, screen: Screen): string {
  const lines = said.map(one => {
    const of = {
      call: 'The call',
      score: 'Score',
      signal: one.signal_key,
      turn: `Turn ${one.turn}`,
      feedback: 'Answer',
    }
    const verdict = one.verdict === undefined ? '' : ` ${one.verdict === 'agree' ? 'agreed with' : 'disputed'}`
    const rating = one.rating === undefined ? '' : ` ${one.rating} of 5`
    const text = `${of[one.about]}${verdict}${rating}, by ${one.created_by}${one.text === undefined ? '' : `: ${one.text}`}`
    return wrapped(text, screen, '  ')
  })
  return said.length === 0 ? '' : `${heading(screen, 'What people said')}${lines.join('')}`
}

function guidanceText({ guidance }: Call, screen: Screen): string {
  if (guidance.length === 0) return ''
  const entries = guidance.map(({ key, kind, priority, text, evidence, display_name: name }) => {
    const label = [priority, kind].filter(part => part !== undefined).join(' ')
    const said = text === undefined ? '' : `: ${text}`
    return `${wrapped(`${name ?? key}${label && ` (${label})`}${said}`, screen, '  ')}${evidenceLines(evidence, screen)}`
  })
  return `${heading(screen, 'Guidance')}${entries.join('')}`
}

function conditionsText({ conditions }: Call, screen: Screen): string {
  if (conditions === undefined || conditions.length === 0) return ''
  const rows = conditions.map(({ key, turn, text }) => [
    key,
    turn === undefined ? '' : String(turn),
    oneLine(text ?? ''),
  ])
  return `${heading(screen, 'Conditions')}${indented(tableText(['Key', 'Turn', 'What'], rows, inside(screen), ['Turn']))}`
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ')

/** Columns for the time and the speaker of a turn; below a narrow terminal's half the text stands under them. */
function transcriptText(
  { transcript, transcript_total: total = 0, transcript_next: next }: Call,
  screen: Screen,
): string {
  if (transcript === undefined) return ''
  if (transcript.length === 0) return `${heading(screen, 'Transcript')}  none\n`
  const speakers = Math.max(...transcript.map(({ actor }) => columnsOf(actor)))
  const numbers = String(transcript.at(-1)?.turn ?? 0).length
  const turns = transcript.map(({ turn, actor, text, start_s: start }) => {
    const time = start === undefined ? '' : clock(start)
    const label = `${String(turn).padStart(numbers)}  ${time.padStart(7)}  ${actor.padEnd(speakers)}  `
    const lines = wrapped(text, screen, ' '.repeat(label.length))
    const tooNarrow = screen.width !== undefined && screen.width < label.length * 2
    const under = tooNarrow
      ? `${label.trimEnd()}\n${wrapped(text, screen, '  ')}`
      : `${label}${lines.slice(label.length)}`
    return actor === 'agent' ? styledFirst(under, label, screen) : under
  })
  const shown = transcript.length < total ? `${transcript.length} of ${total} turns` : `${total} turns`
  const more = next === undefined ? '' : `  More: the same with --transcript-from ${next}\n`
  return `${heading(screen, `Transcript, ${shown}`)}${turns.join('')}${more}`
}

const styledFirst = (text: string, label: string, screen: Screen): string =>
  text.startsWith(label) ? `${styled(screen, 'cyan', label)}${text.slice(label.length)}` : text
