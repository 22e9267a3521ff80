import { builtInCatalogs } from '../../calls/catalogs.js'
import { liftBand } from '../../calls/lift-band.js'
import type { Assessment } from './assess.js'
import type { CallSetting } from './call-setting.js'
import type { HeldCall } from './converse.js'
import { hundredthsJson, textJson } from './json-text.js'
import type { Observations } from './observations.js'
import type { Random } from './random.js'
import { dimensionWeights, rubricWeights } from './rubric-weights.js'

const OPPORTUNITIES = 2
const EXCELLENCES = 1
/** Longest quote of a whole turn, characters. */
const QUOTE_LENGTH = 48

const hundredths = (value: number): number => Math.round(value * 100) / 100

type Evidence = readonly { readonly turn: number; readonly quote: string }[]

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

function evidenceOf({ observations, conversation }: HeldCall, signal: string): Evidence | undefined {
  const seen = observations.get(signal)
  if (seen?.turn === undefined) return undefined
  return [{ turn: seen.turn, quote: seen.quote ?? quoteOf(conversation.turns[seen.turn]?.text ?? '') }]
}

/** The beginning of what was said, up to the end of a word. */
function quoteOf(text: string): string {
  return text.length <= QUOTE_LENGTH ? text : text.slice(0, text.lastIndexOf(' ', QUOTE_LENGTH))
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

/** Entries of the catalog by each of their signals. */
const bySignal = { opportunity: entriesOf('opportunity'), excellence: entriesOf('excellence') }

interface Entry {
  readonly guidance: { readonly key: string; readonly kind: string; readonly priority: string; readonly text: string }
  /** The signals it speaks of, without `sig.`. */
  readonly signals: readonly string[]
}

function entriesOf(kind: 'opportunity' | 'excellence') {
  const entries = new Map<string, Entry>()
  for (const { guide_key, guidance_kind, priority, description, signal_keys } of builtInCatalogs.guidance.values()) {
    if (guidance_kind !== kind) continue
    const entry: Entry = {
      guidance: { key: guide_key, kind, priority, text: description },
      signals: signal_keys.map(key => key.slice('sig.'.length)),
    }
    for (const signal of entry.signals) if (!entries.has(signal)) entries.set(signal, entry)
  }
  return entries
}

/** The signals by weight, heaviest first: what weighs most is coached first. */
const weighty = [...rubricWeights]
  .filter(([, { weight }]) => weight > 0)
  .toSorted(([, a], [, b]) => b.weight - a.weight)
  .map(([signal, { negative }]) => ({ signal, negative }))

function guidanceOf(held: HeldCall) {
  const taken = new Set<string>()
  const guidance: (Entry['guidance'] & { readonly evidence?: Evidence })[] = []
  const take = (kind: 'opportunity' | 'excellence', most: number): void => {
    let count = 0
    for (const { signal, negative } of weighty) {
      if (count === most) return
      const state = held.observations.get(signal)?.state
      if (state === undefined || state === 'unclear') continue
      const good = (state === 'present') !== negative
      // That something bad did not happen is nothing to praise.
      if (good !== (kind === 'excellence') || (good && negative)) continue
      const entry = bySignal[kind].get(signal)
      if (entry === undefined || taken.has(entry.guidance.key)) continue
      // What is praised has to hold as a whole.
      if (good && entry.signals.some(other => held.observations.is(other, 'absent'))) continue
      const evidence = evidenceOf(held, signal)
      taken.add(entry.guidance.key)
      guidance.push(evidence === undefined ? entry.guidance : { ...entry.guidance, evidence })
      count += 1
    }
  }
  take('opportunity', OPPORTUNITIES)
  take('excellence', EXCELLENCES)
  return guidance
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
