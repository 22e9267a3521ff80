import { z } from 'zod'
import { firstPlace } from '../../../base/first-place.js'
import type { TimeSpan } from '../../../pipeline/index.js'
import { type CountedParts, countedParts, type CountedDay, type DaysInRow, type Rest } from '../../counted-parts.js'
import { countedDay, DAY_COLUMNS, type ReadRows } from './listed-days.js'

/** A day that is counted, and the number of its counting: no other has it, of this day or another. */
interface NumberedDay extends CountedDay {
  readonly counting: bigint
}

/** Which days of a project were counted at an instant. */
export class KnownDays {
  readonly days: readonly NumberedDay[]
  /** Of the days before each: exclusive or of the numbers of their countings. */
  readonly #marks: readonly bigint[]
  /** Stands for the list: another one has another. */
  readonly mark: string
  /** Whether there is no call before the first of them. */
  readonly isFirst: boolean

  constructor(days: readonly NumberedDay[], isFirst: boolean) {
    this.days = days
    this.isFirst = isFirst
    let mark = 0n
    this.#marks = [0n, ...days.map(({ counting }) => (mark ^= counting))]
    this.mark = markText(days.length, mark)
  }

  partsOf(spans: readonly TimeSpan[]): CountedParts {
    return countedParts(spans, this.days)
  }

  /** Whether there are no calls in times that are no counted days, as far as that is known without looking. */
  areEmpty(rests: readonly Rest[]): boolean {
    const [first] = this.days
    return rests.every(
      ({ until = Infinity, after }) =>
        after === undefined && this.isFirst && first !== undefined && until <= first.from,
    )
  }

  /** Stands for what the counts of some of the days say: as long as it is the same, they do. Undefined where some are not counted. */
  markOf(runs: readonly DaysInRow[]): string | undefined {
    const marks = runs.map(({ span, first, last }) => {
      const [from, to] = [this.#at(first), this.#at(last)]
      if (from === undefined || to === undefined) return undefined
      return `${span} ${first} ${markText(to - from + 1, this.#marks[from]! ^ this.#marks[to + 1]!)}`
    })
    return marks.includes(undefined) ? undefined : marks.join(',')
  }

  #at(day: number): number | undefined {
    const at = firstPlace(this.days, one => one.day >= day)
    return this.days[at]?.day === day ? at : undefined
  }
}

const markText = (days: number, mark: bigint) => `${days}:${mark}`

/** What stands for the list as it is in the transaction of a connection. */
export async function markNow(read: ReadRows, projectId: string, timeZone: string): Promise<string> {
  const [row] = await read(
    'select count(*)::integer, coalesce(bit_xor(counting), 0)::varchar from counted_days where project_id = $1 and time_zone = $2',
    [projectId, timeZone],
  )
  const [days, mark] = z.tuple([z.number(), z.string()]).parse(row)
  return markText(days, BigInt(mark))
}

/** The days that are counted, as they are in the transaction of a connection. */
export async function readDays(read: ReadRows, projectId: string, timeZone: string): Promise<KnownDays> {
  const rows = await read(
    `select ${DAY_COLUMNS}, counting::varchar from counted_days where project_id = $1 and time_zone = $2 order by day`,
    [projectId, timeZone],
  )
  const days = rows.map(row => ({ ...countedDay(row), counting: BigInt(String(row.at(-1))) }))
  return new KnownDays(days, await isFirstDay(read, projectId, days))
}

/** Whether no call comes before the first of some days. */
export async function isFirstDay(read: ReadRows, projectId: string, [first]: readonly CountedDay[]): Promise<boolean> {
  if (first === undefined) return false
  const before = 'select 1 from calls where project_id = $1 and created_dt < make_timestamp_ms($2::bigint) limit 1'
  return (await read(before, [projectId, BigInt(first.from)])).length === 0
}
