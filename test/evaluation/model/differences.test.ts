import { expect, it } from 'vitest'
import type { Pair } from '../../../src/evaluation/model/agreement.js'
import { differencesOf } from '../../../src/evaluation/model/differences.js'

type Signals = NonNullable<Pair['one']['signals']>

const KEY = 'sig.a'
const said = (state: 'present' | 'absent' | 'unclear', quote?: string): Signals => [
  { key: KEY, state, ...(quote !== undefined && { evidence: [{ turn: 3, quote }] }) },
]
const pair = (session_id: string, one: Signals, other: Signals) => ({
  session_id,
  one: { signals: one },
  other: { signals: other },
})

it('shows the calls in which two evaluators differ, the plainest first, with what each quotes', () => {
  const found = differencesOf(
    [
      pair('same', said('present', 'hello'), said('present', 'hello there')),
      pair('unsure', said('unclear'), said('absent')),
      pair('without', said('present'), said('absent')),
      pair('left', [], said('present', 'good morning')),
      pair('quoted', said('present', 'hello'), said('absent')),
    ],
    KEY,
  )
  expect(found).toEqual([
    {
      session_id: 'left',
      one: { state: 'left_out', quotes: [] },
      other: { state: 'present', quotes: [{ turn: 3, quote: 'good morning' }] },
    },
    {
      session_id: 'quoted',
      one: { state: 'present', quotes: [{ turn: 3, quote: 'hello' }] },
      other: { state: 'absent', quotes: [] },
    },
    { session_id: 'without', one: { state: 'present', quotes: [] }, other: { state: 'absent', quotes: [] } },
    { session_id: 'unsure', one: { state: 'unclear', quotes: [] }, other: { state: 'absent', quotes: [] } },
  ])
})

it('shows the same five calls, in whatever order they were read', () => {
  const pairs = ['f', 'b', 'e', 'a', 'd', 'c'].map(id => pair(id, said('present', id), said('absent')))
  expect(differencesOf(pairs, KEY).map(({ session_id: id }) => id)).toEqual(['a', 'b', 'c', 'd', 'e'])
  expect(differencesOf(pairs.toReversed(), KEY)).toEqual(differencesOf(pairs, KEY))
})
