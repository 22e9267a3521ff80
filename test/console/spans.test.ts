import { expect, test } from 'vitest'
import { marksOf } from '../../console/screens/call/marks.js'
import { pausesOf, spansOf } from '../../console/screens/call/spans.js'

const turn = (at: number, actor: 'agent' | 'customer', start_s: number, end_s: number) => ({
  turn: at,
  actor,
  text: '',
  start_s,
  end_s,
})
const evidence = (...turns: readonly number[]) => turns.map(at => ({ turn: at, quote: '' }))

test('a silence is a hold where the agent announced it just before, and the next one is not', () => {
  const turns = [
    turn(0, 'agent', 0, 4),
    turn(1, 'customer', 9, 10),
    turn(2, 'agent', 10, 12),
    turn(3, 'customer', 12.5, 13),
    turn(4, 'agent', 30, 32),
    turn(5, 'agent', 40, 42),
    turn(6, 'agent', 42, 43),
    turn(7, 'customer', 43, 44),
    turn(8, 'agent', 44, 45),
    turn(9, 'customer', 44.5, 47),
    turn(10, 'agent', 60, 61),
  ]
  const marks = marksOf({
    signals: [
      { key: 'sig.hold_requested', state: 'present', evidence: evidence(2, 6), display_name: 'Hold announced' },
      { key: 'sig.greeting_given', state: 'present', evidence: evidence(0) },
    ],
    guidance: [],
    scores_headline: {},
  } as unknown as Parameters<typeof marksOf>[0])
  expect(pausesOf(spansOf(turns), marks)).toEqual({
    silences: [
      { from: 4, until: 9, before: 1, isHold: false },
      { from: 13, until: 30, before: 4, isHold: true },
      { from: 32, until: 40, before: 5, isHold: false },
      // Three turns after it was announced.
      { from: 47, until: 60, before: 10, isHold: false },
    ],
    overlaps: [44.5],
  })
})
