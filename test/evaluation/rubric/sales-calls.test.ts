import { expect, it } from 'vitest'
import { builtInRubrics } from '../../../src/evaluation/rubric/built-in-rubrics.js'
import { RulesEvaluator } from '../../../src/evaluation/rules/rules-evaluator.js'
import { aCall } from '../a-call.js'

const rules = new RulesEvaluator(builtInRubrics.get('sales-calls')!)
const evaluated = (...lines: string[]) => rules.evaluate(aCall(lines), new Date(0)).fields

it('tells a call that discovers and asks for a decision from one that only talks', () => {
  const good = evaluated(
    'a: Hello, this is Ana from Northwind. I am calling about the demo you requested.',
    'c: Yes, we are looking for something for our warehouse, the one we have is slow.',
    'a: How do you handle orders today?',
    'c: By hand mostly, it takes hours every day, and in December we need two people more for it.',
    'a: What would it mean for you to cut that? And what is your budget?',
    'c: That would be great. About two thousand a month, but it is too expensive if it takes long to set up.',
    'a: I understand. Most customers said that, and it saves you hours from the first week. Who else is involved in the decision?',
    'c: Only me and my partner.',
    'a: By when do you need it? Shall we set up a call on Thursday?',
    'c: Thursday is good, send me the invitation.',
    'a: Have a great day!',
  )
  const bad = evaluated(
    'a: Our product is the best there is and everybody says so and it has more functions than anything else on the market and you would be surprised.',
    'c: I am not interested.',
    'a: But it is really good, it has everything, it is the newest thing and it is faster than all others and everybody wants it.',
    'c: No thanks.',
    'a: Okay.',
  )
  const states = Object.fromEntries((good?.signals ?? []).map(({ key, state }) => [key.slice(4), state]))
  expect(states).toMatchObject({
    purpose_stated: 'present',
    open_questions_asked: 'present',
    budget_discussed: 'present',
    decision_maker_asked: 'present',
    timeline_asked: 'present',
    objection_raised: 'present',
    objection_answered: 'present',
    meeting_set: 'present',
  })
  expect(good?.interaction_driver).toBe('new purchase')
  expect(good?.score).toBeGreaterThan(4)
  expect(bad?.score).toBeLessThan(2.5)
  expect(bad?.dimensions).toEqual([{ key: 'outcome', value: 'declined' }])
  expect(bad?.guidance?.map(({ key }) => key)).toContain('guide.ask_before_telling')
})
