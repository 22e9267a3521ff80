import { expect, test } from 'vitest'
import { jsonInTurns, mapInTurns } from '../../src/base/in-turns.js'

const long = Array.from({ length: 1_234 }, (_, i) => ({ i, text: `"${i}"`, none: undefined }))
const cases: readonly object[] = [
  {},
  { a: 1, none: undefined, text: 'é "' },
  { long },
  { before: null, long, at: new Date(0), none: undefined, 'a "name"': [], f: () => 1 },
  { long: Array.from({ length: 501 }, (_, i) => (i === 500 ? undefined : i)) },
]

test.each(cases)('JSON made in turns is what JSON.stringify makes: %#', async one => {
  expect(await jsonInTurns(one)).toBe(JSON.stringify(one))
})

test('others are answered while a long list is worked on', async () => {
  let turns = 0
  let over = false
  const count = () => {
    turns += 1
    if (!over) setImmediate(count)
  }
  setImmediate(count)
  await jsonInTurns({ long })
  await mapInTurns({ long }, value => value)
  over = true
  expect(turns).toBeGreaterThanOrEqual(4)
})

test('fields are mapped, lists by their elements, and what becomes undefined is left out', async () => {
  const twice = (value: unknown) => (typeof value === 'number' ? 2 * value : undefined)
  const found = await mapInTurns({ a: 1, b: 'x', list: Array.from({ length: 1_001 }, (_, i) => i) }, twice)
  expect(Object.keys(found)).toEqual(['a', 'list'])
  expect((found['list'] as number[]).at(-1)).toBe(2_000)
})
