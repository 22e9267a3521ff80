import { expect, it } from 'vitest'
import { builtInCatalogs } from '../../../src/calls/catalogs.js'
import { defaultRubric } from '../../../src/evaluation/rubric/built-in-rubrics.js'
import { rubricCatalogs } from '../../../src/evaluation/rubric/rubric-catalogs.js'

it('the default rubric holds the built-in catalogs, each entry with the signals that really trigger it', () => {
  const { signals, guidance } = rubricCatalogs(defaultRubric.rubric)
  expect([...signals]).toEqual([...builtInCatalogs.signals])
  const sorted = [...guidance].map(([key, entry]) => [key, { ...entry, signal_keys: entry.signal_keys.toSorted() }])
  const expected = [...builtInCatalogs.guidance].map(([key, entry]) => [
    key,
    { ...entry, signal_keys: entry.signal_keys.toSorted() },
  ])
  expect(sorted).toEqual(expected)
})
