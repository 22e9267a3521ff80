import { expect, test } from 'vitest'
import { loweredBy, shareOf, uncapped } from '../../console/screens/call/lowered.js'
import { defaultRubric } from '../../src/evaluation/rubric/built-in-rubrics.js'
import { scoringOf } from '../../src/evaluation/rubric/scoring.js'

const scoring = scoringOf(defaultRubric, [])
// They weigh 10 and 15 of those that apply.
const scores = [
  { key: 'opening', value: 2 },
  { key: 'process', value: 4 },
]

test('dimensions weigh among those that a call has', () => {
  expect(scores.map(({ key }) => shareOf(key, scores, scoring))).toEqual([0.4, 0.6])
  expect(uncapped(scores, scoring)).toBeCloseTo(3.2)
  const foreign = [...scores, { key: 'charm', value: 1 }]
  expect([shareOf('charm', foreign, scoring), uncapped(foreign, scoring), uncapped([], scoring)]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})

test('what took from a dimension is what was not heard, or better had not been, heaviest first', () => {
  const detail = {
    signals: [
      { key: 'sig.brand_named', state: 'present' },
      { key: 'sig.agent_named', state: 'unclear' },
      { key: 'sig.dead_air', state: 'present' },
    ],
    signals_absent: ['sig.greeting_given', 'sig.long_silence_share'],
  } as unknown as Parameters<typeof loweredBy>[1]
  expect(loweredBy('opening', detail, scoring)).toEqual([
    { key: 'sig.greeting_given', name: 'Greeting given', weight: 3, state: 'absent' },
    { key: 'sig.agent_named', name: 'Agent named', weight: 2, state: 'unclear' },
  ])
  expect(loweredBy('process', detail, scoring)).toEqual([
    { key: 'sig.dead_air', name: 'Dead air', weight: 3, state: 'present' },
  ])
})
