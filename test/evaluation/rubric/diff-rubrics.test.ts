import { expect, it } from 'vitest'
import { defaultRubric } from '../../../src/evaluation/rubric/built-in-rubrics.js'
import { diffRubrics } from '../../../src/evaluation/rubric/diff-rubrics.js'

const { rubric } = defaultRubric

it('says in what two rubrics differ, entry by entry and phrase by phrase', () => {
  const after = structuredClone(rubric)
  after.signals[0]!.weight = 9
  after.lists['hold'] = [...after.lists['hold']!.slice(1), 'one sec']
  after.caps.pop()
  after.dimensions.reverse()
  expect(diffRubrics(rubric, after)).toEqual([
    { where: 'lists hold', before: '(bear|bare) with me' },
    { where: 'lists hold', after: 'one sec' },
    {
      where: 'dimensions order',
      before: ['opening', 'listening', 'process', 'courtesy', 'resolution', 'closing'],
      after: ['closing', 'resolution', 'courtesy', 'process', 'listening', 'opening'],
    },
    { where: 'signals sig.greeting_given weight', before: 3, after: 9 },
    { where: 'caps identity_skipped', before: expect.objectContaining({ most: 3 }) },
  ])
})

it('finds no difference to itself', () => {
  expect(diffRubrics(rubric, structuredClone(rubric))).toEqual([])
})
