import { expect, it } from 'vitest'
import { COUNTED, outcomeConditions, outcomeCsat } from '../../src/evaluation/outcome-csat.js'
import type { CallRecord } from '../../src/calls/call-record.js'
import { defaultRubric } from '../../src/evaluation/rubric/built-in-rubrics.js'
import { RulesEvaluator } from '../../src/evaluation/rules/rules-evaluator.js'
import { aCall } from './a-call.js'

const { rubric } = defaultRubric
const evaluated = (...lines: string[]) => new RulesEvaluator(defaultRubric).evaluate(aCall(lines), new Date(0)).fields

/** The outcome as outcome lift takes it from the conditions of a record. */
function outcomeOf(conditions: CallRecord['conditions'], by = rubric) {
  const keys = outcomeConditions(by)
  const found = (conditions ?? []).flatMap(({ key, text = '' }) => {
    const times = Number(new RegExp(COUNTED, 'u').exec(text)?.[1] ?? 1)
    return keys.includes(key) ? [{ number: keys.indexOf(key), times }] : []
  })
  return outcomeCsat(found, by)
}

it('is the prediction without what the agent did well or badly', () => {
  const warm = evaluated(
    'a: Hello, how can I help you?',
    'c: I lost my card.',
    'a: Sure, I have ordered a new one.',
    'c: Thanks.',
    'a: Have a great day!',
  )
  const cold = evaluated('a: Yes?', 'c: I lost my card.', 'a: I have ordered a new one.', 'c: Thanks.', 'a: Bye.')
  expect(warm?.predicted_csat).toBeGreaterThan(cold?.predicted_csat ?? 0)
  // 3.2 + 0.8 resolved + 0.6 confirmed
  expect(outcomeOf(warm?.conditions, rubric)).toBe(4.6)
  expect(outcomeOf(cold?.conditions, rubric)).toBe(4.6)
})

it('is unknown where nothing was predicted', () => {
  expect(outcomeOf([], rubric)).toBeUndefined()
  expect(outcomeOf(undefined, rubric)).toBeUndefined()
  expect(outcomeOf(evaluated('c: hello')?.conditions, { ...rubric, csat: undefined })).toBeUndefined()
})

it('counts a part of the customer as often as its condition says', () => {
  const parts = [{ key: 'sulks', add: -0.3, when: { is: 'present', signal: 'x' }, side: 'customer' }] as never
  const by = { ...rubric, csat: { start: 4, parts } }
  const text = '-0.3 x 3: sulks'
  expect(
    outcomeOf(
      [
        { key: 'csat.start', text: '4.0' },
        { key: 'csat.sulks', text },
      ],
      by,
    ),
  ).toBe(3.1)
})
