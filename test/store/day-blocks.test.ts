import { expect, it } from 'vitest'
import { blockOfDay, blocksAround, blocksOf, blocksWithin } from '../../src/store/day-blocks.js'

const DAY_MS = 86_400_000
const day = (text: string) => Date.parse(text)
const named = (blocks: readonly { readonly first: number; readonly last: number }[]) =>
  blocks.map(({ first, last }) => [first, last].map(at => new Date(at).toISOString().slice(5, 10)).join(' '))

it('takes as few blocks as days in a row are, each within a month', () => {
  expect(named(blocksOf({ first: day('2028-01-15'), last: day('2028-04-19') }))).toEqual([
    '01-15 01-15',
    '01-16 01-16',
    '01-17 01-31',
    '02-01 02-29',
    '03-01 03-31',
    '04-01 04-16',
    '04-17 04-17',
    '04-18 04-18',
    '04-19 04-19',
  ])
  expect(named(blocksOf({ first: day('2027-02-03'), last: day('2027-02-28') }))).toEqual([
    '02-03 02-03',
    '02-04 02-04',
    '02-05 02-08',
    '02-09 02-12',
    '02-13 02-16',
    '02-17 02-28',
  ])
})

it('takes smaller ones where a block is not kept', () => {
  const run = { first: day('2027-02-01'), last: day('2027-02-28') }
  const [month, second] = blocksWithin(run).toReversed()
  expect(named(blocksOf(run, block => block !== month!.block))).toEqual(['02-01 02-16', '02-17 02-28'])
  expect(named(blocksOf(run, block => block !== month!.block && block !== second!.block))).toEqual([
    '02-01 02-16',
    '02-17 02-20',
    '02-21 02-24',
    '02-25 02-28',
  ])
})

it('makes each block of others that have nothing in common, down to days', () => {
  for (const month of ['2027-02', '2028-02', '2028-04', '2028-05']) {
    const first = day(`${month}-01`)
    const last = Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)
    const made = new Map(
      Array.from({ length: (last - first) / DAY_MS + 1 }, (_, i): [number, readonly number[]] => {
        const at = first + i * DAY_MS
        return [blockOfDay(at), [at]]
      }),
    )
    const blocks = blocksWithin({ first, last })
    expect(blocks.map(({ block }) => block)).toEqual(blocksAround({ first, last }).map(({ block }) => block))
    for (const { block, first: from, last: to, of } of blocks) {
      const days = of.flatMap(part => made.get(part.block) ?? [])
      expect(days).toEqual(Array.from({ length: (to - from) / DAY_MS + 1 }, (_, i) => from + i * DAY_MS))
      expect(made.has(block)).toBe(false)
      made.set(block, days)
    }
    expect(blocks.at(-1)).toMatchObject({ kind: 'month', first, last })
  }
})
