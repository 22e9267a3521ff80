import type { CallSetting } from './call-setting.js'
import type { HeldCall } from './held-call.js'
import type { Observations } from './observations.js'
import type { Random } from './random.js'
import { dimensionWeights, rubricWeights } from './rubric-weights.js'

/** Scores of a call by the default rubric. */
export interface Assessment {
  readonly score: number
  readonly dimensions: ReadonlyMap<string, number>
  readonly csat: number
  readonly lift: number
  readonly pBehavioral: number
  readonly pContext: number
}

const tenths = (value: number): number => Math.round(value * 10) / 10
const thousandths = (value: number): number => Math.round(value * 1000) / 1000
const within = (low: number, value: number, high: number): number => Math.min(high, Math.max(low, value))

/** Scores a call by what it shows: the rubric's sums, so that every score can be followed to its signals. */
export function assess(
  { observations, resolved, conversation }: HeldCall,
  setting: CallSetting,
  random: Random,
): Assessment {
  const dimensions = dimensionScores(observations)
  let sum = 0
  let weights = 0
  for (const [dimension, weight] of dimensionWeights) {
    const value = dimensions.get(dimension)
    if (value === undefined) continue
    sum += value * weight
    weights += weight
  }
  let score = tenths(sum / weights)
  if (resolved === 'refused') score = Math.min(score, 3)
  if (observations.is('agent_rude', 'present')) score = 1
  const agentPart = agentSide(observations)
  const pContext = thousandths(within(0.05, setting.scenario.ease - (setting.outbound ? 0.04 : 0), 0.95))
  const odds = Math.log(pContext / (1 - pContext)) + agentPart * 2.2 + random.within(-0.25, 0.25)
  const pBehavioral = thousandths(1 / (1 + Math.exp(-odds)))
  return {
    score,
    dimensions,
    csat: csatOf(observations, resolved, conversation.longestGap),
    lift: thousandths(pBehavioral - pContext),
    pBehavioral,
    pContext,
  }
}

/** 1 + 4 x the share of weight that is good, of the signals that apply. */
function dimensionScores(observations: Observations): Map<string, number> {
  const sums = new Map<string, { good: number; all: number }>()
  for (const [signal, { dimension, weight, negative }] of rubricWeights) {
    const seen = observations.get(signal)
    if (seen === undefined || weight === 0) continue
    const sum = sums.get(dimension) ?? { good: 0, all: 0 }
    sums.set(dimension, sum)
    const good = (seen.state === 'present') !== negative ? 1 : 0
    sum.good += weight * (seen.state === 'unclear' ? 0.5 : good)
    sum.all += weight
  }
  return new Map([...sums].map(([dimension, { good, all }]) => [dimension, tenths(1 + (4 * good) / all)]))
}

/** The customer's satisfaction as the rubric predicts it, 1–5. */
function csatOf(observations: Observations, resolved: HeldCall['resolved'], longestGap: number): number {
  const is = (signal: string) => observations.is(signal, 'present')
  let csat = 3.2
  if (resolved === 'resolved') csat += 0.8
  if (resolved === 'refused') csat -= 1
  csat += is('customer_confirms') ? 0.6 : -0.2
  if (is('greeting_given')) csat += 0.1
  if (is('closing_courtesy')) csat += 0.2
  if (is('willingness_shown')) csat += 0.2
  if (is('dead_air')) csat -= longestGap >= 15 ? 1.2 : 0.6
  if (is('long_silence_share')) csat -= 0.8
  else if (observations.is('long_silence_share', 'unclear')) csat -= 0.3
  if (is('repeat_requested')) csat -= 0.2
  if (is('customer_frustrated')) csat -= 1.2
  if (is('agent_interrupts')) csat -= 0.2
  if (observations.is('empathy_shown', 'absent')) csat -= 0.1
  return tenths(within(1, csat, 5))
}

/** How much of what the agent can do was done, about -0.5…0.5. */
function agentSide(observations: Observations): number {
  let good = 0
  let all = 0
  for (const [signal, { dimension, weight, negative }] of rubricWeights) {
    if (dimension === 'resolution' || signal === 'customer_frustrated' || weight === 0) continue
    const seen = observations.get(signal)
    if (seen === undefined) continue
    all += weight
    if ((seen.state === 'present') !== negative) good += weight
  }
  return good / all - 0.68
}
