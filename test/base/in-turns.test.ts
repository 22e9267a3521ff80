import { expect, test } from 'vitest'
import { objectOf } from '../../src/base/fields.js'
import { jsonInTurns, jsonPieces, mapInTurns } from '../../src/base/in-turns.js'

const long = Array.from({ length: 5_000 }, (_, i) => ({ i, text: `"${i}"`, none: undefined }))
const cases: readonly object[] = [
  {},
  { a: 1, none: undefined, text: 'é "' },
  { long },
  { before: null, long, at: new Date(0), none: undefined, 'a "name"': [], f: () => 1 },
  { long: Array.from({ length: 6_001 }, (_, i) => (i === 6_000 ? undefined : i)) },
  { text: '"é\ud83d\ude00\n'.repeat(50_000), odd: `${'x'.repeat(65_535)}\ud83d${'y'.repeat(65_536)}` },
  {
    x: 1,
    turns: ['a', 'b'].map(text => ({ text: text.repeat(100_000), at: new Date(0), none: undefined })),
    y: [long],
  },
  { none: undefined, heavy: 'x'.repeat(70_000), neither: undefined, list: [undefined, 'y'.repeat(70_000), undefined] },
  {
    2: 'x'.repeat(70_000),
    1: 'y',
    b: objectOf<unknown>([
      ['__proto__', 'z'.repeat(70_000)],
      ['c', []],
    ]),
  },
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

test('no piece of JSON is much longer than what is made at once, however long a text or a list', async () => {
  const text = 'what is said of refunds and cards '.repeat(6_000)
  const turns = Array.from({ length: 40 }, (_, turn) => ({ turn, text }))
  for await (const piece of jsonPieces({ turns, summary: text, many: Array.from({ length: 60_000 }, () => 1) }))
    expect(piece.length).toBeLessThan(200_000)
})

test('fields are mapped, lists by their elements, and what becomes undefined is left out', async () => {
  const twice = (value: unknown) => (typeof value === 'number' ? 2 * value : undefined)
  const found = await mapInTurns({ a: 1, b: 'x', list: Array.from({ length: 1_001 }, (_, i) => i) }, twice)
  expect(Object.keys(found)).toEqual(['a', 'list'])
  expect((found['list'] as number[]).at(-1)).toBe(2_000)
})
