import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { measureGold, readGold } from '../../scripts/measure-gold.mjs'
import { defaultRubric } from '../../src/evaluation/rubric/built-in-rubrics.js'
import { RulesEvaluator } from '../../src/evaluation/rules/rules-evaluator.js'
import { labelledCall } from './labelled-call.js'

const file = fileURLToPath(new URL('gold.ndjson', import.meta.url))
const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
const calls = readGold(file)
/** In English alone: what other languages make of calls is in other-languages.test.ts. */
const rules = new RulesEvaluator({ rubric: defaultRubric.rubric, version: defaultRubric.version })
const gold = measureGold(
  rules,
  calls.filter(({ holdout }) => !holdout),
)
const measured = (prefix: string) =>
  measureGold(
    rules,
    calls.filter(({ id }) => id.startsWith(prefix)),
  )
/** Calls of many kinds of speakers, many as recognisers write them, to which the rules were tuned last. */
const speech = measured('speech-')
/** Sets held out: an earlier hand's, and four by hands that tuned the rules to calls of their own. */
const held = ['holdout-', 'holdout4-', 'holdout5-', 'holdout6-', 'holdout7-'].map(prefix => measured(prefix))
const [holdout, fourth, fifth, sixth, seventh] = held

const BAR = 0.9

type Floors = Readonly<Record<string, readonly [precision: number, recall: number]>>

/**
 * What the rules do not reach on calls they were never tuned to: precision and recall as measured. They may get better,
 * not worse; the held-out calls are not there to be tuned to, so a wording is not added because one of them misses it.
 */
const BELOW: Floors = {
  'sig.empathy_shown': [1, 0.8],
  'sig.repeat_contact': [1, 0.5],
}
/** Likewise in the fourth set: twelve calls in the words of many regions. */
const BELOW_IN_FOURTH: Floors = {
  'sig.greeting_given': [1, 0.8],
  'sig.agent_named': [1, 0.818],
  'sig.help_offered': [1, 0.571],
  'sig.reason_captured': [1, 0.75],
  'sig.hold_requested': [1, 0.5],
  'sig.willingness_shown': [1, 0.666],
  'sig.empathy_shown': [1, 0.428],
  'sig.customer_frustrated': [0.5, 1],
  'sig.resolution_stated': [0.857, 0.6],
  'sig.customer_confirms': [1, 0.6],
  'sig.next_step_given': [0.666, 1],
  'sig.further_help_offered': [0.8, 0.8],
  'sig.closing_courtesy': [1, 0.8],
}
/** Likewise in the fifth: seventeen calls of many kinds of speakers. */
const BELOW_IN_FIFTH: Floors = {
  'sig.reason_captured': [1, 0.571],
  'sig.identity_verified': [1, 0.727],
  'sig.willingness_shown': [1, 0.333],
  'sig.empathy_shown': [1, 0.818],
  'sig.customer_frustrated': [1, 0.5],
  'sig.resolution_stated': [0.916, 0.785],
  'sig.customer_confirms': [1, 0.714],
  'sig.next_step_given': [0.9, 0.818],
  'sig.closing_courtesy': [1, 0.857],
  'sig.cancel_intent': [0, 0],
  'sig.competitor_mentioned': [0, 0],
  'sig.repeat_contact': [1, 0.333],
}
/** Likewise in the sixth: twenty calls of as many trades, written beside twenty-one others to which the rules were tuned. */
const BELOW_IN_SIXTH: Floors = {
  'sig.willingness_shown': [0.75, 0.857],
  'sig.resolution_stated': [0.733, 0.916],
  'sig.customer_confirms': [0.785, 0.916],
  'sig.closing_courtesy': [0.933, 0.875],
}

/** Likewise in the seventh: thirty-seven calls of as many trades, the half of a batch that the hash of their names chose. */
const BELOW_IN_SEVENTH: Floors = {
  'sig.reason_captured': [0.931, 0.87],
  'sig.identity_verified': [0.909, 0.8],
  'sig.willingness_shown': [1, 0.875],
  'sig.customer_frustrated': [0.75, 1],
  'sig.next_step_given': [1, 0.863],
  'sig.escalation': [0.5, 1],
  'sig.cancel_intent': [1, 0.75],
  'sig.competitor_mentioned': [1, 0.25],
  'sig.repeat_contact': [0.944, 0.809],
}

const HELD = [
  ['held out', holdout, BELOW],
  ['held out in the fourth set', fourth, BELOW_IN_FOURTH],
  ['held out in the fifth set', fifth, BELOW_IN_FIFTH],
  ['held out in the sixth set', sixth, BELOW_IN_SIXTH],
  ['held out in the seventh set', seventh, BELOW_IN_SEVENTH],
] as const

/** Share of calls whose reason is found, in each set. */
const REASONS = [0.91, 0.91, 0.64, 0.9, 0.78]

const keys = defaultRubric.rubric.signals.map(({ key }) => key)
const goldCall = labelledCall(
  keys,
  defaultRubric.rubric.drivers.table.map(({ driver }) => driver),
)

describe('hand-written calls with labels', () => {
  it.each(calls.map(({ id }, at) => [id, lines[at]!] as const))(
    '%s is well formed and labels every signal',
    (_, line) => {
      expect(() => goldCall.parse(JSON.parse(line))).not.toThrow()
    },
  )

  it('are in the order of their ids, each of its own', () => {
    const ids = calls.map(({ id }) => id)
    expect(ids).toEqual([...new Set(ids)].toSorted())
  })

  it('halves the seventh batch by the hash of its names: no hand chose what is held out', () => {
    const named = calls.flatMap(({ id }) => [...id.matchAll(/^(seventh|holdout7)-(.+)$/g)])
    expect(named).toHaveLength(72)
    for (const [, set, name = ''] of named) {
      const hash = createHash('sha256').update(name).digest()
      expect.soft(set, name).toBe((hash.at(-1) ?? 0) % 2 === 0 ? 'holdout7' : 'seventh')
    }
  })

  it('shows every signal present and absent at least three times, and unclear what depends on times', () => {
    const count = (key: string, state: string) => calls.filter(({ expected }) => expected.signals[key] === state).length
    for (const key of keys) {
      expect.soft(count(key, 'present'), `${key} present`).toBeGreaterThanOrEqual(3)
      expect.soft(count(key, 'absent'), `${key} absent`).toBeGreaterThanOrEqual(3)
    }
    for (const name of [
      'dead_air',
      'long_silence_share',
      'agent_interrupts',
      'identity_verified',
      'resolution_stated',
    ]) {
      expect.soft(count(`sig.${name}`, 'unclear'), `sig.${name} unclear`).toBeGreaterThanOrEqual(3)
    }
  })

  it.each([
    ['all', gold],
    ['many kinds of speakers', speech],
  ])('every signal is found with precision and recall of 0.9 and more in calls of %s', (_, set) => {
    // Nobody interrupts or falls silent in the calls that are about words.
    for (const { key, precision = set === gold ? 0 : 1, recall = set === gold ? 0 : 1, wrong } of set.rows) {
      const where = `${key}: ${wrong.map(({ id }) => id).join(', ')}`
      expect.soft(precision, where).toBeGreaterThanOrEqual(BAR)
      expect.soft(recall, where).toBeGreaterThanOrEqual(BAR)
    }
  })

  it('quotes the turn that shows it, where that is labelled', () => {
    for (const { evidence } of [speech, fifth!, sixth!]) {
      expect(evidence.of).toBeGreaterThan(100)
      expect(evidence.right / evidence.of).toBeGreaterThanOrEqual(0.97)
    }
  })

  it.each(HELD)('in calls %s as well, but for what is listed, which gets no worse', (_, set, floors) => {
    for (const { key, precision = 1, recall = 1 } of set?.rows ?? []) {
      const [leastPrecise, leastRecall] = floors[key] ?? [BAR, BAR]
      expect.soft(precision, key).toBeGreaterThanOrEqual(leastPrecise)
      expect.soft(recall, key).toBeGreaterThanOrEqual(leastRecall)
    }
  })

  it.each(HELD)('the exceptions are still exceptions in calls %s', (_, set, floors) => {
    const fine = (set?.rows ?? []).filter(({ precision = 0, recall = 0 }) => precision >= BAR && recall >= BAR)
    expect(fine.map(({ key }) => key).filter(key => key in floors)).toEqual([])
  })

  it('finds the reason for the call', () => {
    expect(gold.drivers.right / gold.drivers.of).toBeGreaterThanOrEqual(BAR)
    expect(speech.drivers.right / speech.drivers.of).toBeGreaterThanOrEqual(BAR)
    for (const [at, { drivers }] of held.entries()) {
      expect(drivers.right / drivers.of).toBeGreaterThanOrEqual(REASONS[at]!)
    }
  })

  it('quotes what the turns it names say', () => {
    expect([gold, ...held].flatMap(({ badQuotes }) => badQuotes)).toEqual([])
    expect(gold.quotes).toBeGreaterThan(500)
  })

  it('has evidence for every signal that words decide', () => {
    const timed = new Set(['sig.dead_air', 'sig.long_silence_share', 'sig.agent_interrupts'])
    const bare = calls.flatMap(({ id, call }) =>
      (rules.evaluate(call, new Date(0)).fields?.signals ?? [])
        .filter(({ key, state, evidence }) => state === 'present' && !timed.has(key) && evidence === undefined)
        .map(({ key }) => `${id}: ${key}`),
    )
    expect(bare).toEqual([])
  })
})
