import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { CallRecord } from '../../src/calls/call-record.js'
import type { RulesEvaluator } from '../../src/evaluation/rules/rules-evaluator.js'

export interface CallTurn {
  readonly actor: 'agent' | 'customer' | 'system'
  readonly text: string
}

const state = z.enum(['present', 'absent', 'unclear', 'n/a'])

/** A call of test/evaluation/trades.ndjson, or calls-de.ndjson and calls-es.ndjson: what is heard in it, what came of it, and which of a pair went better. */
export const tradeCall = z.strictObject({
  id: z.string().regex(/^(trades|holdout8|tuned|holdout)-[a-z0-9-]+$/),
  title: z.string(),
  trade: z.string(),
  language: z.enum(['en', 'de', 'es']),
  /** The record has agent and customer the wrong way round; the labels say what really happened. */
  swapped: z.literal(true).optional(),
  turns: z
    .array(
      z.strictObject({
        actor: z.enum(['agent', 'customer', 'system']),
        text: z.string().min(1),
        start_s: z.number(),
        end_s: z.number(),
      }),
    )
    .min(2),
  pair: z.strictObject({ story: z.string(), is: z.enum(['better', 'worse']) }).optional(),
  expected: z.strictObject({
    driver: z.string().nullable(),
    signals: z.record(z.string(), state),
    /**
     * `declined`: what should not be done was rightly not done; `breach`: it was done. Others than these, `resolved` and
     * `unresolved` say why there is nothing to score.
     */
    outcome: z.enum([
      'resolved',
      'unresolved',
      'declined',
      'breach',
      'voicemail',
      'wrong_number',
      'silent',
      'abandoned',
      'transfer_only',
      'not_conversation',
    ]),
    scored: z.boolean(),
    evidence: z.record(z.string(), z.array(z.int().min(0)).min(1)).optional(),
  }),
  notes: z.string(),
})
export type TradeCall = z.infer<typeof tradeCall>

export const readTradeCalls = (file: string): readonly TradeCall[] =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map(line => tradeCall.parse(JSON.parse(line)))

export interface Counted {
  hit: number
  extra: number
  missed: number
}

export interface TradesMeasured {
  readonly calls: number
  readonly bySignal: ReadonlyMap<string, Counted>
  readonly byTrade: ReadonlyMap<string, Counted>
  readonly all: Counted
  /** Of the calls with a reason of the table those in which it is found; of those without, those in which one is. */
  readonly reasons: {
    readonly right: number
    readonly named: number
    readonly falsely: number
    readonly unnamed: number
  }
  readonly pairs: { readonly right: number; readonly of: number; readonly wrong: readonly string[] }
  /** Chance that of a resolved and an unresolved call the first has the higher resolution, halves for equal. */
  readonly auc: number
  /** Calls that are none to score, and got no score; calls to score that got none. */
  readonly unscored: { readonly right: number; readonly of: number; readonly wrongly: readonly string[] }
  /** Calls with the speakers swapped that were mended, or whose trust says that they may be. */
  readonly swapped: { readonly noticed: number; readonly of: number; readonly falsely: number }
  /** Each signal's misses and false finds, `id: key`; nobody looks at those of the untouched half. */
  readonly wrong: readonly string[]
}

/** Signals that a call shows, by what is labelled; calls without a conversation count for nothing but being told as such. */
export function measureTrades(evaluator: RulesEvaluator, calls: readonly TradeCall[]): TradesMeasured {
  const bySignal = new Map<string, Counted>()
  const byTrade = new Map<string, Counted>()
  const all: Counted = { hit: 0, extra: 0, missed: 0 }
  const reasons = { right: 0, named: 0, falsely: 0, unnamed: 0 }
  const unscored = { right: 0, of: 0, wrongly: [] as string[] }
  const swapped = { noticed: 0, of: 0, falsely: 0 }
  const scores = new Map<string, number>()
  const resolved: number[] = []
  const unresolved: number[] = []
  const wrong: string[] = []
  for (const call of calls) {
    const { fields } = evaluator.evaluate(recordOf(call), new Date(0))
    const notices = fields?.trust?.reasons?.some(reason => reason.includes('swapped')) ?? false
    if (call.swapped === true) {
      swapped.of += 1
      if (notices) swapped.noticed += 1
    } else if (notices) swapped.falsely += 1
    if (!call.expected.scored) {
      unscored.of += 1
      if (fields?.score === undefined) unscored.right += 1
      else wrong.push(`${call.id}: scored`)
      continue
    }
    if (fields?.score === undefined) unscored.wrongly.push(call.id)
    else scores.set(call.id, fields.score)
    const states = new Map(fields?.signals?.map(({ key, state }) => [key, state]))
    for (const [key, label] of Object.entries(call.expected.signals)) {
      const is = { wanted: label === 'present', found: states.get(key) === 'present' }
      if (!is.wanted && !is.found) continue
      const what = is.wanted && is.found ? 'hit' : is.found ? 'extra' : 'missed'
      if (what !== 'hit') wrong.push(`${call.id}: ${key} ${what}`)
      for (const counted of [of(bySignal, key), of(byTrade, call.trade), all]) counted[what] += 1
    }
    const driver = fields?.interaction_driver ?? null
    if (call.expected.driver === null) {
      reasons.unnamed += 1
      if (driver !== null) reasons.falsely += 1
    } else {
      reasons.named += 1
      if (driver === call.expected.driver) reasons.right += 1
    }
    if (driver !== call.expected.driver) wrong.push(`${call.id}: driver ${call.expected.driver} not ${driver}`)
    const resolution = fields?.scores?.find(({ key }) => key === 'resolution')?.value ?? 1
    if (call.expected.outcome === 'resolved') resolved.push(resolution)
    else if (call.expected.outcome !== 'declined') unresolved.push(resolution)
  }
  const wins = resolved.flatMap(a => unresolved.map(b => (a > b ? 1 : a === b ? 0.5 : 0)))
  const auc = wins.reduce((sum: number, one) => sum + one, 0) / wins.length
  return {
    calls: calls.length,
    bySignal,
    byTrade,
    all,
    reasons,
    pairs: pairsOf(calls, scores),
    auc,
    unscored,
    swapped,
    wrong,
  }
}

function pairsOf(calls: readonly TradeCall[], scores: ReadonlyMap<string, number>): TradesMeasured['pairs'] {
  const pairs = { right: 0, of: 0, wrong: [] as string[] }
  for (const better of calls) {
    if (better.pair?.is !== 'better') continue
    const worse = calls.find(({ pair }) => pair?.story === better.pair!.story && pair.is === 'worse')
    if (worse === undefined) continue
    pairs.of += 1
    if ((scores.get(better.id) ?? 0) > (scores.get(worse.id) ?? 0)) pairs.right += 1
    else pairs.wrong.push(`${better.id} ${scores.get(better.id)} : ${scores.get(worse.id)}`)
  }
  return pairs
}

function of(map: Map<string, Counted>, key: string): Counted {
  const known = map.get(key) ?? { hit: 0, extra: 0, missed: 0 }
  map.set(key, known)
  return known
}

export function recordOf({ id, language, turns }: TradeCall): CallRecord {
  return {
    session_id: id,
    agent_name: 'Agent',
    created_dt: '2026-03-01T12:00:00.000Z',
    language_primary: language,
    transcript: turns.map((said, turn) => ({ turn, ...said })),
  }
}
