import { describe, expect, it, test } from 'vitest'
import type { CallRecord } from '../../../src/calls/call-record.js'
import { rubric, type RubricInput } from '../../../src/evaluation/rubric/rubric.js'
import { RulesEvaluator } from '../../../src/evaluation/rules/rules-evaluator.js'
import { aCall } from '../a-call.js'

type Signal = Partial<RubricInput['signals'][number]>
type Rule = RubricInput['signals'][number]['present']

/** What a call shows of one signal. */
function shown(
  signal: Signal & { readonly present: Rule },
  lines: readonly string[],
  fields: Partial<CallRecord> = {},
) {
  const read = rubric.parse({
    name: 'cases',
    title: 'Cases',
    language: 'en',
    dimensions: [{ key: 'test', name: 'Test', weight: 1 }],
    intensifiers: ['(so|really|absolutely)'],
    signals: [{ key: 'sig.case', name: 'Case', description: 'What it is.', category: 'test', weight: 1, ...signal }],
  } satisfies RubricInput)
  const { fields: found, none } = new RulesEvaluator({ rubric: read, version: '1' }).evaluate(
    aCall(lines, { language_primary: 'en', ...fields }),
    new Date(0),
  )
  if (found === undefined) throw new Error(none)
  return found.signals?.find(({ key }) => key === 'sig.case')
}

const sorry: Rule = { say: { by: 'agent', any: ['sorry'] } }

describe('the strength of a signal', () => {
  test.each<[what: string, present: Rule, lines: readonly string[], strength: number]>([
    ['is half where it is said in one turn', sorry, ['a: Sorry.', 'c: Hm.'], 0.5],
    ['counts a turn once', sorry, ['a: Sorry, I am, well, sorry.', 'c: Hm.'], 0.5],
    ['is more in two turns', sorry, ['a: Sorry.', 'c: Hm.', 'a: Sorry again.'], 0.67],
    ['is more in three', sorry, ['a: Sorry.', 'c: Hm.', 'a: Sorry again.', 'c: Hm.', 'a: Sorry.'], 0.75],
    ['counts a turn twice that says it with emphasis', sorry, ['a: I am so very sorry.', 'c: Hm.'], 0.67],
    ['knows only emphasis that stands by it', sorry, ['a: So, about that order of yours, sorry.', 'c: Hm.'], 0.5],
    ['is nothing where it is absent', sorry, ['a: Hello.', 'c: Hm.'], 0],
    [
      'is half where it is said just often enough',
      { say: { by: 'agent', any: ['sorry'], at_least: 2 } },
      ['a: Sorry.', 'c: Hm.', 'a: Sorry again.'],
      0.5,
    ],
    [
      'is half where each of two things it takes is said once',
      { all: [sorry, { say: { by: 'customer', any: ['broken'] } }] },
      ['c: It is broken.', 'a: Sorry.'],
      0.5,
    ],
    ['is half where nothing says it', { not: sorry }, ['a: Hello.', 'c: Hm.'], 0.5],
    ['is half for a gap just long enough', { gap: { at_least_s: 10 } }, ['a@0-1: Hello.', 'c@11-12: Hm.'], 0.5],
    ['is more for one three times as long', { gap: { at_least_s: 10 } }, ['a@0-1: Hello.', 'c@31-32: Hm.'], 0.75],
    [
      'adds gaps up',
      { gap: { at_least_s: 10 } },
      ['a@0-1: Hello.', 'c@11-12: Hm.', 'a@22-23: Yes.', 'c@33-34: Hm.'],
      0.75,
    ],
    [
      'follows the share of silence',
      { silence: { gaps_of_s: 5, at_least: 0.25 } },
      ['a@0-2: Hello there.', 'c@17-20: Hm.'],
      0.75,
    ],
    [
      'counts values that are read back',
      { repeats: { by: 'agent', numbers: true, words: [], at_least: 2 } },
      ['c: It is 4711, the 12th, for 55 pounds, from 8 on.', 'a: 4711, the 12th, for 55, from 8.'],
      0.67,
    ],
  ])('%s', (_, present, lines, strength) => {
    expect(shown({ present }, lines)?.strength).toBe(strength)
  })

  it('is not told where it is unclear whether there is any', () => {
    expect(shown({ present: sorry }, ['a: <unk>', 'c: Hm.', 'a: Yes.'])).toEqual({ key: 'sig.case', state: 'unclear' })
  })
})

describe('the confidence of a signal', () => {
  const confidence = { present: 0.8, usual: 0.97, wordings: ['i am sorry'], absent: 0.9, unclear: 0.4 }
  const present: Rule = { say: { by: 'agent', any: ['[i am] sorry'] } }
  const signal = { present, confidence }

  test.each<[what: string, lines: readonly string[], confidence: number]>([
    ['is that of its state', ['a: Sorry.', 'c: Hm.'], 0.8],
    ['is another one in usual words', ['a: I’m sorry.', 'c: Hm.'], 0.97],
    ['is another one where one of its turns has usual words', ['a: Sorry.', 'c: Hm.', 'a: I am sorry.'], 0.97],
    ['is there where it is absent', ['a: Hello.', 'c: Hm.'], 0.9],
    ['and where it is unclear', ['a: <unk>', 'c: Hm.', 'a: Yes.'], 0.4],
  ])('%s', (_, lines, expected) => {
    expect(shown(signal, lines)?.confidence).toBe(expected)
  })

  it('is left out where nobody has measured it', () => {
    expect(shown({ present: sorry }, ['a: Sorry.', 'c: Hm.'])).toEqual({
      key: 'sig.case',
      state: 'present',
      strength: 0.5,
      evidence: [{ turn: 0, quote: 'Sorry.' }],
    })
    expect(shown({ ...signal, confidence: { present: 0.8 } }, ['a: Hello.', 'c: Hm.'])).not.toHaveProperty('confidence')
  })
})
