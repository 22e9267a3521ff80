import { expect, it } from 'vitest'
import { outcomeCsat } from '../../src/evaluation/outcome-csat.js'
import { defaultRubric } from '../../src/evaluation/rubric/built-in-rubrics.js'
import { RulesEvaluator } from '../../src/evaluation/rules/rules-evaluator.js'
import { aCall } from './a-call.js'

const { rubric } = defaultRubric
const evaluated = (...lines: string[]) => new RulesEvaluator(defaultRubric).evaluate(aCall(lines), new Date(0)).fields

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
  expect(outcomeCsat(warm?.conditions, rubric)).toBe(4.6)
  expect(outcomeCsat(cold?.conditions, rubric)).toBe(4.6)
})

it('is unknown where nothing was predicted', () => {
  expect(outcomeCsat([], rubric)).toBeUndefined()
  expect(outcomeCsat(undefined, rubric)).toBeUndefined()
  expect(outcomeCsat(evaluated('c: hello')?.conditions, { ...rubric, csat: undefined })).toBeUndefined()
})
