import type { Comparison } from '../../evaluation/run/compare-evaluators.js'
import { table } from '../print.js'
import { modelLines } from './model-lines.js'

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
    ...reasons.map(({ reason, calls }) => `Not compared: ${calls}  ${reason}`),
    ...modelLines(model),
    'The calls stay as they are.',
  ]
  return `${lines.join('\n')}\n`
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
