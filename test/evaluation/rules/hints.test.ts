import { describe, expect, it } from 'vitest'
import { builtInRubrics } from '../../../src/evaluation/rubric/built-in-rubrics.js'
import { rubric } from '../../../src/evaluation/rubric/rubric.js'
import { RulesEvaluator } from '../../../src/evaluation/rules/rules-evaluator.js'
import { aCall } from '../a-call.js'

const base = builtInRubrics.get('support-calls')!.rubric
const signalOf = (name: string, present: object) => ({
  key: `sig.${name}`,
  name,
  description: name,
  category: 'listening',
  present,
})
const rules = new RulesEvaluator({
  version: '1',
  rubric: rubric.parse({
    name: 'hints',
    title: 'Hints',
    language: 'en',
    dimensions: [{ key: 'listening', name: 'Listening', weight: 1 }],
    coaching: base.coaching,
    drivers: {
      turns: 2,
      table: [
        { driver: 'parcel', any: ['my parcel'], not: ['parcel shelf'], hints: ['(parcel|courier)'] },
        { driver: 'bill', any: ['my bill'], hints: ['(bill|pay)'] },
      ],
    },
    signals: [
      signalOf('known', { driver: {} }),
      signalOf('heard', { driver: { heard: true } }),
      signalOf('hinted', { driver: { hinted: true } }),
    ],
  }),
})

function read(...lines: string[]) {
  const { fields } = rules.evaluate(aCall(['a: Hello.', ...lines, 'a: Okay then, one moment please.']), new Date(0))
  const present = (fields?.signals ?? []).filter(({ state }) => state === 'present').map(({ key }) => key.slice(4))
  return [fields?.interaction_driver, ...present]
}

describe('hints of the driver table', () => {
  it("are not needed where a line's own words are said", () => {
    expect(read('c: Where is my parcel?')).toEqual(['parcel', 'known', 'heard'])
  })

  it('decide where none are, and the reason is not heard then, only hinted', () => {
    expect(read('c: The courier did not come.')).toEqual(['parcel', 'known', 'hinted'])
  })

  it("count for less than any line's own words, said before or after", () => {
    expect(read('c: The courier came.', 'a: Yes?', 'c: And my bill is wrong.')).toEqual(['bill', 'known', 'heard'])
    expect(read('c: I want to pay for a parcel.')).toEqual(['parcel', 'known', 'hinted'])
  })

  it('are void where the line is, and out of the first turns', () => {
    expect(read('c: The parcel shelf of the car.')).toEqual([undefined])
    expect(read('c: Hello.', 'a: Yes?', 'c: So.', 'a: Yes?', 'c: The courier.')).toEqual([undefined])
  })
})
