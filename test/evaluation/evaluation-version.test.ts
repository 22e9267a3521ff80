import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { evaluatorFingerprint } from '../../scripts/evaluator-fingerprint.mjs'
import { defaultRubric } from '../../src/evaluation/rubric/built-in-rubrics.js'
import { evaluationHash, evaluationVersion } from '../../src/evaluation/rubric/evaluation-version.js'
import { rubric } from '../../src/evaluation/rubric/rubric.js'

const own = {
  name: 'own',
  title: 'Own',
  language: 'en',
  lists: { a: ['one'], b: ['two'] },
  dimensions: [{ key: 'all', name: 'All', weight: 1 }],
  signals: [
    {
      key: 'sig.one',
      name: 'One',
      description: 'One is said.',
      category: 'all',
      present: { say: { by: 'agent', any: ['$a'] } },
    },
  ],
}
const turned = (value: object) => Object.fromEntries(Object.entries(value).toReversed())

it('the fingerprint of the evaluator is that of its sources: else run "npm run docs"', async () => {
  const kept = readFileSync(new URL('../../src/evaluation/evaluator-fingerprint.ts', import.meta.url), 'utf8')
  expect(kept).toBe(await evaluatorFingerprint())
})

describe('the version that evaluations keep', () => {
  it('is the same for the same rubric, however it is written', () => {
    const one = rubric.parse(own)
    const other = rubric.parse({ ...turned(own), lists: turned(own.lists) })
    expect(evaluationHash(other)).toBe(evaluationHash(one))
    expect(evaluationHash(one)).toMatch(/^[0-9a-f]{12}$/)
  })

  it.each([
    ['a phrase', { ...own, lists: { ...own.lists, a: ['one', 'once'] } }],
    ['a weight', { ...own, dimensions: [{ key: 'all', name: 'All', weight: 2 }] }],
    ['words for people', { ...own, title: 'Other' }],
  ])('is another after a change of %s', (_, changed) => {
    expect(evaluationHash(rubric.parse(changed))).not.toBe(evaluationHash(rubric.parse(own)))
  })

  it('names the version of a project, and not that of a built-in one', () => {
    const one = rubric.parse(own)
    expect(evaluationVersion('project-2', one, [])).toBe(`project-2+${evaluationHash(one)}`)
    expect(evaluationVersion(defaultRubric.version, defaultRubric.rubric, [])).toBe(defaultRubric.version)
  })

  it('is another in other lines of business, which have other signals', () => {
    const { rubric: one, version } = defaultRubric
    const banking = evaluationVersion(version, one, ['banking', 'Retail'])
    expect(banking).not.toBe(version)
    expect(evaluationVersion(version, one, ['retail', 'Banking'])).toBe(banking)
  })
})
