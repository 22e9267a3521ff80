import type { Comparison } from '../../evaluation/run/compare-evaluators.js'
import { table } from '../print.js'
import { modelLines } from './model-lines.js'

type Signal = Comparison['signals'][number]

/** Calls a reader is shown of a signal; `--json` has more. */
const SHOWN_CALLS = 3

/** How far the model and the rules agree, for a reader. */
export function agreementLines(found: Comparison, projectId: string): string {
  const { sample, compared, reasons, signals, overall, score, predicted_csat: csat, model } = found
  const head = ['Signal', 'Calls', 'Agree', 'Kappa', 'Only model', 'Only rules']
  const row = (name: string, one: Comparison['overall']) => [
    name,
    String(one.n),
    one.n === 0 ? '–' : `${Math.round(one.agreement * 100)} %`,
    one.kappa === undefined ? '–' : hundredths(one.kappa),
    String(one.only_one),
    String(one.only_other),
  ]
  const rows = [...signals.map(one => row(one.key.replace(/^sig\./, ''), one)), row('all', overall)]
  const lines = [
    `Model ${model?.name ?? ''} against rules on ${compared} of ${sample} calls of project ${projectId} (rubric ${found.rubric}, ${found.rubric_version}).`,
    '',
    ...(compared === 0 ? [] : [table(head, rows)]),
    ...numberLine('Score', score),
    ...numberLine('Predicted CSAT', csat),
    ...(compared === 0 ? [] : ['', 'Only model, only rules: calls in which one says present and the other does not.']),
    ...(compared === 0 ? [] : ['Kappa is agreement beyond chance; – where both always say the same.']),
    ...signals.flatMap(one => differenceLines(one)),
    ...(signals.some(({ examples }) => examples.length > 0) ? [''] : []),
    ...reasons.map(({ reason, calls }) => `Not compared: ${calls}  ${reason}`),
    ...modelLines(model),
    ...costLine(model),
    'The calls stay as they are.',
  ]
  return `${lines.join('\n')}\n`
}

function differenceLines({ key, examples }: Signal): string[] {
  if (examples.length === 0) return []
  const shown = examples
    .slice(0, SHOWN_CALLS)
    .flatMap(({ session_id, one, other }) => [
      `  ${session_id}`,
      `    model: ${saidOf(one)}`,
      `    rules: ${saidOf(other)}`,
    ])
  return ['', `They differ on ${key.replace(/^sig\./, '')}:`, ...shown]
}

function saidOf({ state, quotes }: Signal['examples'][number]['one']): string {
  const said = quotes.map(({ turn, quote }) => `turn ${turn} “${quote.replaceAll(/\s+/g, ' ')}”`)
  return [state.replace('_', ' '), ...said].join(', ')
}

/** What a call costs whose answer is not kept yet. */
function costLine(model: Comparison['model']): string[] {
  const { cost, requests = 0 } = model ?? {}
  if (requests === 0) return []
  if (cost === undefined) return ['Cost: set EARSHOT_MODEL_PRICE_INPUT and EARSHOT_MODEL_PRICE_OUTPUT to be told.']
  return [`About ${(cost / requests).toFixed(5)} a call.`]
}

/** Without a negative zero. */
function hundredths(value: number): string {
  const text = value.toFixed(2)
  return text === '-0.00' ? '0.00' : text
}

function numberLine(
  name: string,
  { n, mean_difference: difference, mean_distance: distance }: Comparison['score'],
): string[] {
  if (difference === undefined || distance === undefined) return []
  const text = hundredths(difference)
  const signed = text.startsWith('-') ? text : `+${text}`
  return [`${name}: the model's is ${signed} on average, ${distance.toFixed(2)} apart (${n} calls).`]
}
