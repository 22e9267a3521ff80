import type { CompiledRubric } from './compile-rubric.js'
import type { Reading } from './reading.js'
import { toTenths } from './score-call.js'

/** A part of the prediction, as a condition of the call. */
export interface CsatCondition {
  readonly key: string
  readonly text: string
  readonly turn?: number
}

/** Key of the condition that says where a prediction starts; the parts are csat.… */
export const CSAT = 'csat.'

export interface CsatPrediction {
  /** 1–5, to 0.1. */
  readonly csat: number
  readonly parts: readonly CsatCondition[]
}

/** Adds up what speaks for and against a satisfied customer; each part is kept. Undefined where the rubric predicts none. */
export function predictCsat({ rubric, csat }: CompiledRubric, reading: Reading): CsatPrediction | undefined {
  if (rubric.csat === undefined) return undefined
  let sum = rubric.csat.start
  const parts: CsatCondition[] = [{ key: `${CSAT}start`, text: sum.toFixed(1) }]
  for (const { part, when } of csat) {
    const { truth, spots } = when.find(reading)
    if (truth !== 'yes') continue
    const times = part.each === undefined ? 1 : spots.length - part.each.beyond
    if (times <= 0) continue
    sum += part.add * times
    const turn = spots.at(part.each === undefined ? 0 : part.each.beyond)?.turn.turn
    const said = `${part.add < 0 ? '' : '+'}${part.add}${times === 1 ? '' : ` x ${times}`}: ${part.reason}`
    parts.push({ key: `${CSAT}${part.key}`, text: said, ...(turn !== undefined && { turn }) })
  }
  return { csat: within(sum), parts }
}

function within(sum: number): number {
  return toTenths(Math.min(5, Math.max(1, sum)))
}
