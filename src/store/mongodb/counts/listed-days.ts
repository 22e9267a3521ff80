import type { CountedDay } from '../../counted-parts.js'
import { type BlockKind, type DayBlock, isOneDay } from '../../day-blocks.js'

/**
 * What tells counts of a day from those of others: local midnight, written as if it were UTC; of several days the number of their block,
 * which no condition on days finds.
 */
export type RowDay = Date | number

export const rowDay = ({ block, first }: Pick<DayBlock, 'block' | 'first'>): RowDay =>
  isOneDay(block) ? new Date(first) : block

/** A day, or a block of several, that may be on the list. */
export interface ListableDays extends CountedDay {
  readonly block: number
  /** Of several days. */
  readonly kind?: BlockKind | undefined
}

/** One that is, with the number under which its counts are kept. */
export interface ListedDays extends ListableDays {
  readonly counting: number
}

export const rowDayOf = ({ block, day }: ListableDays): RowDay => rowDay({ block, first: day })
