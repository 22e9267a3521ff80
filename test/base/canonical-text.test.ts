import * as fc from 'fast-check'
import { serialize } from 'node:v8'
import { expect, it } from 'vitest'
import { canonicalText } from '../../src/base/canonical-text.js'

it('is the same however a number is held, which the engine’s own serialization tells apart', () => {
  const [whole, asDouble] = [
    [1, 2],
    [1.5, 2],
  ]
  asDouble[0] = 1
  expect(serialize(whole).equals(serialize(asDouble))).toBe(false)
  expect(canonicalText(whole)).toBe(canonicalText(asDouble))
})

it('is another for each of these', () => {
  const day = new Date(5)
  const values = [
    0,
    -0,
    NaN,
    Infinity,
    5,
    5n,
    '5',
    day,
    day.toISOString(),
    '\0date 5',
    '\0\0date 5',
    '\0bigint 5',
    null,
    '\0undefined',
  ]
  const all = [
    ...values,
    ...values.map(one => [one]),
    [undefined],
    [],
    {},
    new Map(),
    new Set(),
    new Map([[1, 2]]),
    [[1, 2]],
    ['\0map'],
    ['\0map', [1, 2]],
    ['\0set'],
    new Set(['\0set']),
    ['\0set', '\0set'],
    { a: 5n },
    { a: '5' },
  ]
  expect(new Set(all.map(canonicalText)).size).toBe(all.length)
})

it('is the same for copies', () => {
  const anything = fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, maxDepth: 3 })
  fc.assert(
    fc.property(anything, one => {
      expect(canonicalText([structuredClone(one)])).toBe(canonicalText([one]))
    }),
  )
})

it('is none of a function', () => {
  expect(() => canonicalText({ run: () => undefined })).toThrow('Nothing stands for a function')
})
