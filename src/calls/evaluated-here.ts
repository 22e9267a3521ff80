import type { CallRecord } from './call-record.js'

/** Whether an evaluator of ours evaluated a call: what it says of lift is then what was fitted here. */
export function isEvaluatedHere({
  evaluation,
}: {
  readonly evaluation?: CallRecord['evaluation'] | undefined
}): boolean {
  return evaluation?.evaluator === 'rules' || evaluation?.evaluator === 'model'
}
