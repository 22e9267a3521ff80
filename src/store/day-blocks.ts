import { type CountedDay, type DaysInRow, runsOf } from './counted-parts.js'

/**
 * Days that are counted together: four in a row, half a month, a month of the calendar, each made of whole ones of the kind before.
 * A long time is few of them, so that what is asked of years costs little more than what is asked of weeks, and each lies in one
 * month. A block has a number: of those of one month, its days come before all that are several days.
 */

/** Numbers that the blocks of a month have room for. */
const PLACES = 64
const FIRST_PART = 32
const FIRST_HALF = 48
const MONTH = 63

const DAYS_OF_PART = 4
const PARTS_OF_HALF = 4
const DAYS_OF_HALF = DAYS_OF_PART * PARTS_OF_HALF

const DAY_MS = 86_400_000

export interface DayBlock {
  readonly block: number
  /** Its first and its last day: local midnights, written as if they were UTC, milliseconds since 1970. */
  readonly first: number
  readonly last: number
}

/** Kinds of blocks of several days, each the sum of those before it; those of one kind have nothing in common. */
export const BLOCK_KINDS = ['part', 'half', 'month'] as const
export type BlockKind = (typeof BLOCK_KINDS)[number]

/** A block of several days and what it is the sum of. */
export interface SummedBlock extends DayBlock {
  readonly kind: BlockKind
  readonly of: readonly DayBlock[]
}

/** What tells the blocks that are one day, in SQL. */
export const IS_ONE_DAY = `block % ${PLACES} < ${FIRST_PART}`
export const isOneDay = (block: number): boolean => block % PLACES < FIRST_PART

interface Month {
  readonly number: number
  readonly start: number
  readonly days: number
}

function monthOf(day: number): Month {
  const at = new Date(day)
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth()]
  const start = Date.UTC(year, month)
  return { number: year * 12 + month, start, days: (Date.UTC(year, month + 1) - start) / DAY_MS }
}

/** A block by its place, and its first and last day of the month, from 0. */
const blockIn = ({ number, start, days }: Month, place: number, first: number, last: number): DayBlock => ({
  block: number * PLACES + place,
  first: start + first * DAY_MS,
  last: start + Math.min(last, days - 1) * DAY_MS,
})

const dayIn = (month: Month, day: number) => blockIn(month, day, day, day)
const partIn = (month: Month, part: number) =>
  blockIn(month, FIRST_PART + part, part * DAYS_OF_PART, (part + 1) * DAYS_OF_PART - 1)
const halfIn = (month: Month, half: number) =>
  blockIn(month, FIRST_HALF + half, half * DAYS_OF_HALF, half === 0 ? DAYS_OF_HALF - 1 : month.days - 1)
const wholeOf = (month: Month) => blockIn(month, MONTH, 0, month.days - 1)

/** The block that is a day. */
export function blockOfDay(day: number): number {
  const month = monthOf(day)
  return dayIn(month, (day - month.start) / DAY_MS).block
}

/** The blocks that days in a row are, as few as there are. @param isKept of a block of several days, by its number */
export function blocksOf(
  { first, last, isOpen }: Omit<DaysInRow, 'span'>,
  isKept: (block: number) => boolean = () => true,
): readonly DayBlock[] {
  if (isOpen) return [{ block: blockOfDay(first), first, last }]
  const found: DayBlock[] = []
  for (let day = first; day <= last;) {
    const month = monthOf(day)
    const at = (day - month.start) / DAY_MS
    const largest = [
      ...(at === 0 ? [wholeOf(month)] : []),
      ...(at % DAYS_OF_HALF === 0 ? [halfIn(month, at / DAYS_OF_HALF)] : []),
      ...(at % DAYS_OF_PART === 0 ? [partIn(month, at / DAYS_OF_PART)] : []),
    ].find(one => one.last <= last && isKept(one.block))
    const block = largest ?? dayIn(month, at)
    found.push(block)
    day = block.last + DAY_MS
  }
  return found
}

/** All blocks of several days that a day is in, smallest first. */
function blocksWith(day: number): readonly SummedBlock[] {
  const month = monthOf(day)
  const at = Math.floor((day - month.start) / DAY_MS)
  const half = at < DAYS_OF_HALF ? 0 : 1
  const lastPart = Math.floor((month.days - 1) / DAYS_OF_PART)
  const part = partIn(month, Math.floor(at / DAYS_OF_PART))
  const days = Array.from({ length: (part.last - part.first) / DAY_MS + 1 }, (_, i) =>
    dayIn(month, (part.first - month.start) / DAY_MS + i),
  )
  const parts = Array.from({ length: PARTS_OF_HALF }, (_, i) => half * PARTS_OF_HALF + i).filter(one => one <= lastPart)
  return [
    { ...part, kind: 'part', of: days },
    { ...halfIn(month, half), kind: 'half', of: parts.map(one => partIn(month, one)) },
    { ...wholeOf(month), kind: 'month', of: [halfIn(month, 0), halfIn(month, 1)] },
  ]
}

/** All blocks of several days that any of some days is in, those first of which others are the sum. */
export function blocksAround({ first, last }: Pick<DaysInRow, 'first' | 'last'>): readonly SummedBlock[] {
  const found = new Map<number, SummedBlock>()
  for (let day = first; day <= last; day += DAY_MS) {
    for (const one of blocksWith(day)) found.set(one.block, one)
  }
  return [...found.values()].toSorted((a, b) => a.block - b.block)
}

/** All blocks of several days that lie within days in a row. */
export const blocksWithin = (run: Omit<DaysInRow, 'span'>): readonly SummedBlock[] =>
  run.isOpen ? [] : blocksAround(run).filter(({ first, last }) => run.first <= first && last <= run.last)

/** Tells whether all days of a block are counted. @param days in order */
export function countedWhole(days: readonly CountedDay[]): (block: Pick<DayBlock, 'first' | 'last'>) => boolean {
  const runs = runsOf(days).filter(({ isOpen }) => isOpen === undefined)
  return block => runs.some(({ first, last }) => first <= block.first && block.last <= last)
}
