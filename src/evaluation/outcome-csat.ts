import type { CallRecord } from '../calls/call-record.js'
import { CSAT } from './rules/predict-csat.js'
import type { Rubric } from './rubric/rubric.js'

const TIMES = / x (\d+): /

/**
 * The predicted satisfaction of a call without its agent-side parts, from the conditions its evaluation kept: what
 * outcome lift takes as the call's outcome, so that what an agent did is not counted twice. 1–5; undefined where the
 * evaluation predicted none.
 */
export function outcomeCsat(conditions: CallRecord['conditions'], rubric: Rubric): number | undefined {
  if (rubric.csat === undefined || conditions?.some(({ key }) => key === `${CSAT}start`) !== true) return undefined
  let sum = rubric.csat.start
  for (const { key, text } of conditions) {
    const part = rubric.csat.parts.find(one => key === `${CSAT}${one.key}`)
    if (part === undefined || part.side === 'agent') continue
    sum += part.add * Number(TIMES.exec(text ?? '')?.[1] ?? 1)
  }
  return Math.min(5, Math.max(1, Math.round(sum * 1_000) / 1_000))
}
