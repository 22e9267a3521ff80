import { readFileSync } from 'node:fs'
import type { CallRecord } from '../../src/calls/call-record.js'
import type { RulesEvaluator } from '../../src/evaluation/rules/rules-evaluator.js'
import type { CallTurn } from './trade-calls.js'

/** Signals of which the background holds none. */
export const CONTEXT_SIGNALS = [
  'repeat_requested',
  'identity_verified',
  'hold_requested',
  'customer_frustrated',
  'agent_rude',
  'resolution_stated',
  'escalation',
  'callback_promised',
  'cancel_intent',
  'competitor_mentioned',
  'repeat_contact',
  'compliance_disclosure',
].map(name => `sig.${name}`)

const TURNS = 12
/** Numbers of a linear congruential generator: the same calls in every run. */
const MULTIPLIER = 1_664_525
const INCREMENT = 1_013_904_223

/**
 * Calls of `TURNS` turns each, both sides in turns, made of the lines of a file (its form stands at its head).
 * @param greeting what the agent says first, in the language of the lines
 */
export function backgroundCalls(
  file: string,
  count: number,
  { language, greeting } = { language: 'en', greeting: 'Hello.' },
): readonly CallRecord[] {
  const lists = new Map<string, readonly string[]>()
  const trades: { readonly agent: string[]; readonly customer: string[] }[] = []
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const [, name, choices = ''] = /^\$(\w+): (.*)$/.exec(line) ?? []
    const [, who, said = ''] = /^([ac]): (.*)$/.exec(line) ?? []
    if (name !== undefined) lists.set(name, choices.split(' | '))
    else if (/^# \w/.test(line)) trades.push({ agent: [], customer: [] })
    else if (who !== undefined) trades.at(-1)![who === 'a' ? 'agent' : 'customer'].push(said)
  }
  let seed = 1
  const one = <Of>(of: readonly Of[]): Of => {
    seed = (Math.imul(seed, MULTIPLIER) + INCREMENT) >>> 0
    return of[Math.floor((seed / 2 ** 32) * of.length)]!
  }
  const lines = trades.filter(({ agent }) => agent.length > 0)
  return Array.from({ length: count }, (_, at) => {
    const trade = lines[at % lines.length]!
    const turns = Array.from({ length: TURNS }, (_, turn): CallTurn => {
      const actor = turn % 2 === 0 ? 'customer' : 'agent'
      return { actor, text: one(trade[actor]).replaceAll(/\$(\w+)/g, (_, name: string) => one(lists.get(name)!)) }
    })
    return callOf(`background-${at}`, language, [{ actor: 'agent', text: greeting }, ...turns])
  })
}

function callOf(id: string, language: string, turns: readonly CallTurn[]): CallRecord {
  let clock = 1
  const transcript = turns.map((said, turn) => {
    const start = clock
    const end = start + 0.5 + said.text.length / 15
    clock = end + 0.5
    return { turn, ...said, start_s: start, end_s: end }
  })
  return {
    session_id: id,
    agent_name: 'Agent',
    created_dt: '2026-03-01T12:00:00.000Z',
    language_primary: language,
    transcript,
  }
}

export interface FalseAlarms {
  readonly calls: number
  readonly turns: number
  /** Calls in which each signal is found that is in none, and what was heard as it. */
  readonly rows: readonly { readonly key: string; readonly alarms: number; readonly quotes: readonly string[] }[]
}

export function falseAlarms(evaluator: RulesEvaluator, calls: readonly CallRecord[]): FalseAlarms {
  const found = new Map(CONTEXT_SIGNALS.map(key => [key, { alarms: 0, quotes: new Map<string, number>() }]))
  let turns = 0
  for (const call of calls) {
    turns += call.transcript?.length ?? 0
    const { fields } = evaluator.evaluate(call, new Date(0))
    for (const { key, state, evidence = [] } of fields?.signals ?? []) {
      const row = found.get(key)
      if (row === undefined || state !== 'present') continue
      row.alarms += 1
      for (const { quote } of evidence) row.quotes.set(quote, (row.quotes.get(quote) ?? 0) + 1)
    }
  }
  const rows = [...found].map(([key, { alarms, quotes }]) => {
    const often = [...quotes].toSorted((a, b) => b[1] - a[1]).map(([quote]) => quote)
    return { key, alarms, quotes: often }
  })
  return { calls: calls.length, turns, rows }
}
