import { liftBand } from '../calls/lift-band.js'
import type { Assessment } from './assess.js'
import type { CallSetting } from './call-setting.js'
import { evidenceOf } from './evidence-of.js'
import { guidanceOf } from './guidance-of.js'
import type { HeldCall } from './held-call.js'
import { hundredthsJson, textJson } from './json-text.js'
import type { Observations } from './observations.js'
import type { Random } from './random.js'
import { dimensionWeights, rubricWeights } from './rubric-weights.js'

const hundredths = (value: number): number => Math.round(value * 100) / 100

/**
 * What an evaluation adds to the record of a call that was held and assessed, as JSON fields without braces.
 *
 * @param extraSignals entries of its list of signals beside those that were observed, as JSON
 */
export function writeEvaluation(
  { scenario, at }: CallSetting,
  held: HeldCall,
  assessed: Assessment,
  random: Random,
  extraSignals: readonly string[],
): string {
  const { conversation, observations, resolved } = held
  const unclear = unclearSignals(observations)
  const trust = hundredths(Math.max(0.4, 0.97 - unclear * 0.09 - random.within(0, 0.08)))
  const guidance = guidanceOf(held)
  const fields = JSON.stringify({
    interaction_driver: scenario.driver,
    score: assessed.score,
    predicted_csat: assessed.csat,
    outcome_lift: {
      lift: assessed.lift,
      lift_band: liftBand(assessed.lift),
      p_behavioral: assessed.pBehavioral,
      p_context: assessed.pContext,
    },
    dimensions: readingsOf(held),
    guidance,
    coaching_summary: summaryOf(guidance),
    talk_patterns: conversation.talkPatterns,
    trust: {
      level: trust >= 0.85 ? 'high' : trust >= 0.65 ? 'medium' : 'low',
      score: trust,
      reasons: unclear === 0 ? [] : [`${unclear} of the signals can't be decided`],
    },
    conditions: conditionsOf(held),
    evaluation: {
      evaluator: 'imported',
      rubric: 'support-calls',
      rubric_version: '1',
      evaluated_at: new Date(at + (conversation.duration + 90) * 1000).toISOString(),
    },
  })
  return `${fields.slice(1, -1)},"scores":${scoresJson(assessed)},"signals":${signalsJson(held, random, extraSignals)}`

  function readingsOf({ observations: seen }: HeldCall) {
    const effort = seen.is('repeat_contact', 'present') ? 'high' : conversation.turns.length > 24 ? 'medium' : 'low'
    const clear = seen.is('reason_captured', 'present')
    return [
      { key: 'intent_clarity', value: clear ? 'high' : 'low' },
      { key: 'customer_effort', value: effort },
      { key: 'resolution', value: resolved },
      { key: 'sentiment', value: sentimentOf(seen, resolved) },
    ]
  }
}

function sentimentOf(seen: Observations, resolved: HeldCall['resolved']): string {
  if (seen.is('customer_frustrated', 'present')) return 'negative'
  return resolved === 'resolved' && seen.is('customer_confirms', 'present') ? 'positive' : 'neutral'
}

/** What of a dimension's entry is the same in every call. */
const dimensionEntries = [...dimensionWeights.keys()].map(key => ({
  key,
  begin: `{"key":"${key}","display_name":"${key.charAt(0).toUpperCase()}${key.slice(1)}","value":`,
}))

function scoresJson({ dimensions }: Assessment): string {
  let written = ''
  for (const { key, begin } of dimensionEntries) {
    const value = dimensions.get(key)
    if (value === undefined) continue
    written += `${written === '' ? '' : ','}${begin}${hundredthsJson(Math.round(value * 100))},"range":[1,5]}`
  }
  return `[${written}]`
}

function unclearSignals(observations: Observations): number {
  let count = 0
  for (const signal of rubricWeights.keys()) if (observations.is(signal, 'unclear')) count += 1
  return count
}

function signalsJson(held: HeldCall, random: Random, extra: readonly string[]): string {
  const signals: string[] = []
  for (const signal of rubricWeights.keys()) {
    const seen = held.observations.get(signal)
    if (seen === undefined) continue
    const evidence = evidenceOf(held, signal)
    const strength = seen.state === 'present' ? `,"strength":${hundredthsJson(random.between(60, 100))}` : ''
    const confidence = hundredthsJson(seen.state === 'unclear' ? random.between(30, 60) : random.between(75, 99))
    const quoted = evidence?.map(({ turn, quote }) => `{"turn":${turn},"quote":${textJson(quote)}}`).join(',')
    const shown = quoted === undefined ? '' : `,"evidence":[${quoted}]`
    signals.push(`{"key":"sig.${signal}","state":"${seen.state}"${strength},"confidence":${confidence}${shown}}`)
  }
  return `[${[...signals, ...extra].join(',')}]`
}

function summaryOf(guidance: readonly { kind: string; text: string }[]): string {
  const strengths = guidance.filter(({ kind }) => kind === 'excellence').map(({ text }) => text)
  const improvements = guidance.filter(({ kind }) => kind === 'opportunity').map(({ text }) => text)
  const good = strengths.length > 0 ? `What went well: ${strengths.join(' ')}` : 'No part of the call stands out.'
  return improvements.length > 0
    ? `${good} To work on: ${improvements.join(' ')}`
    : `${good} There is nothing to be improved.`
}

function conditionsOf(held: HeldCall) {
  const { longestGap, longestGapTurn, turns } = held.conversation
  const conditions: { key: string; turn?: number; text: string }[] = [
    { key: 'cond.turns', text: `${turns.length} turns` },
  ]
  if (longestGap >= 5) {
    conditions.push({ key: 'cond.long_gap', turn: longestGapTurn, text: `${longestGap.toFixed(1)} s without a word` })
  }
  return conditions
}
