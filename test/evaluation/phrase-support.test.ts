import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { readSentences } from '../../bench/evaluation/labelled-sentences.js'
import { readGold } from '../../scripts/measure-gold.mjs'
import { type LabelledItem, Support, withoutPhrases } from '../../bench/evaluation/phrase-support.js'
import { defaultRubric } from '../../src/evaluation/rubric/built-in-rubrics.js'
import { rubric, type RubricInput } from '../../src/evaluation/rubric/rubric.js'
import { aCall } from './a-call.js'
import { isWhole } from '../support/whole.js'

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url))
const labelled: readonly LabelledItem[] = [
  ...readGold(path('gold.ndjson'))
    .filter(({ holdout }) => !holdout)
    .map(({ id, call, expected }) => ({ id, call, labels: { ...expected.signals, driver: expected.driver } })),
  ...readSentences(path('ways-of-saying.txt')),
]

describe('phrases of the default rubric', () => {
  it.runIf(isWhole)('voids nothing by a phrase that no labelled call or sentence supports', () => {
    const { phrases } = new Support(defaultRubric.rubric, labelled)
    const unsupported = [...phrases].filter(([, { voids }]) => voids?.length === 0).map(([source]) => source)
    expect(unsupported).toEqual([])
  })
})

describe('what a phrase does for labelled calls', () => {
  const small: RubricInput = {
    name: 'small',
    title: 'Small',
    language: 'en',
    lists: { done: ['it is done', 'all done', 'it is done [now]'], not_done: ['not * it is done', 'when it is done'] },
    dimensions: [{ key: 'end', name: 'End', weight: 1 }],
    signals: [
      {
        key: 'sig.done',
        name: 'Done',
        description: 'The agent says that it is done.',
        category: 'end',
        verticals: [],
        active: true,
        present: { say: { by: 'agent', any: ['$done'], not: ['$not_done'] } },
      },
    ],
  }
  const item = (id: string, line: string, state: string): LabelledItem => ({
    id,
    call: aCall(['c: Hello.', line]),
    labels: { 'sig.done': state },
  })
  const support = new Support(rubric.parse(small), [
    item('one', 'a: It is done.', 'present'),
    item('two', 'a: All done.', 'present'),
    item('three', 'a: I call when it is done.', 'absent'),
    item('four', 'c: It is done.', 'absent'),
    item('five', 'a: I call you when it is done now.', 'present'),
  ]).measureNeed()

  it('is told by the items in which it occurs, is needed, voids and harms', () => {
    expect(Object.fromEntries(support.phrases)).toEqual({
      '$done: it is done': { occurs: ['one', 'three', 'five'], needed: [], harms: [] },
      '$done: all done': { occurs: ['two'], needed: ['two'], harms: [] },
      '$done: it is done [now]': { occurs: ['one', 'three', 'five'], needed: [], harms: [] },
      '$not_done: not * it is done': { occurs: [], needed: [], harms: [], voids: [] },
      '$not_done: when it is done': {
        occurs: ['three', 'five'],
        needed: ['three'],
        harms: ['five'],
        voids: ['three', 'five'],
      },
    })
  })

  it('is lost without it, and a list is never left empty', () => {
    const { lists } = withoutPhrases(rubric.parse(small), [
      '$done: all done',
      '$not_done: not * it is done',
      'all done',
    ])
    expect(lists).toEqual({ done: ['it is done', 'it is done [now]'], not_done: ['when it is done'] })
    expect(
      withoutPhrases(rubric.parse(small), ['$not_done: not * it is done', '$not_done: when it is done']).lists,
    ).toEqual(small.lists)
  })

  it('and one of two that do the same is dispensable, not both', () => {
    expect(support.dispensable(['$done: it is done [now]', '$done: it is done', '$done: all done'])).toEqual([
      '$done: it is done [now]',
    ])
  })
})
