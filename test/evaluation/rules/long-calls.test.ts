import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CallRecord } from '../../../src/calls/call-record.js'
import { covered } from '../../../src/evaluation/rules/covered.js'
import { placeFrom } from '../../../src/evaluation/rules/place-from.js'
import { sameValue } from '../../../src/evaluation/rules/values-said.js'
import { ValuesGiven } from '../../../src/evaluation/rules/values-given.js'
import { rulesFor } from '../../../src/evaluation/run/evaluate-batch.js'
import { evaluateIncoming } from '../../../src/evaluation/run/evaluate-incoming.js'
import { defaultRubric } from '../../../src/evaluation/rubric/built-in-rubrics.js'
import { processorMs } from '../../support/processor-time.js'

const few = fc.integer({ min: 0, max: 9 })

describe('what is looked up for each turn is what looking through all of it finds', () => {
  test('what was said from a turn on', () => {
    fc.assert(
      fc.property(fc.array(few), few, (indexes, index) => {
        const said = indexes.toSorted((a, b) => a - b).map(one => ({ index: one }))
        const first = said.findIndex(one => one.index >= index)
        expect(placeFrom(said, index)).toBe(first === -1 ? said.length : first)
      }),
    )
  })

  test('whether something lies in a stretch', () => {
    const stretch = fc.record({ from: few, to: fc.oneof(few, fc.constant(Infinity)), tail: fc.option(few) })
    fc.assert(
      fc.property(fc.array(stretch), few, few, (given, index, from) => {
        const stretches = given.map(({ tail, ...one }) => ({ ...one, ...(tail !== null && { tail }) }))
        const isIn = stretches.some(
          one =>
            (index >= one.from && index <= one.to) ||
            (one.tail !== undefined && index === one.from - 1 && from >= one.tail),
        )
        expect(covered(stretches)({ index, from, to: from + 1 })).toBe(isIn)
      }),
    )
  })

  test('which values were repeated', () => {
    const value = fc.oneof(fc.stringMatching(/^[123]{1,6}$/), fc.constantFrom('savings', 'monday', 'a'))
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), value), { maxLength: 40 }), said => {
        const given: string[] = []
        const repeated = new Set<string>()
        const values = new ValuesGiven()
        for (const [isGiven, one] of said) {
          if (isGiven) {
            given.push(one)
            values.add(one)
            continue
          }
          const same = given.find(other => !repeated.has(other) && sameValue(other, one))
          if (same !== undefined) repeated.add(same)
          expect(values.take(one)).toBe(same !== undefined)
        }
      }),
      { numRuns: 2_000 },
    )
  })
})

const SAID = [
  'Thank you for calling Acme Books, this is Ana, how can I help you today?',
  'My order number is',
  'Of course, let me check that for you, one moment please.',
  'okay thank you, no, I paid twenty dollars for that last week',
  'It has been sent and should arrive within three business days, and your number is',
  'Great, that is all, thanks.',
]

test('a call of ten times the turns takes about ten times as long', () => {
  const evaluator = rulesFor({ ...defaultRubric, verticals: [] })
  const callOf = (turns: number): CallRecord => ({
    session_id: 'long',
    agent_name: 'Ana',
    created_dt: '2026-03-01T10:00:00.000Z',
    transcript: Array.from({ length: turns }, (_, turn) => ({
      turn,
      actor: turn % 2 === 0 ? 'agent' : 'customer',
      text: `${SAID[turn % SAID.length]} ${turn % 3 === 1 ? 100_000 + turn : ''}`,
      // Every other gap is one that has to be announced.
      start_s: turn * 10,
      end_s: turn * 10 + (turn % 2 === 0 ? 9.5 : 0.2),
    })),
  })
  const timed = (turns: number): number => {
    const call = callOf(turns)
    return processorMs(() => evaluateIncoming(() => evaluator, call, new Date(0)))
  }
  timed(2_000)
  const short = Math.min(timed(2_000), timed(2_000), timed(2_000))
  expect(Math.min(timed(20_000), timed(20_000))).toBeLessThan(40 * short)
})
