import type { CountedDay, Rest } from '../../counted-parts.js'

/** What is read of a counted day; see `countedDay`. */
export const DAY_COLUMNS =
  'epoch_ms(day), epoch_ms(from_at), epoch_ms(until_at), epoch_ms(first_at), epoch_ms(last_at), counted_to::varchar'
const DAYS = `select ${DAY_COLUMNS} from counted_days where project_id = $1`
const IN_ORDER = 'order by from_at'

type Rows = readonly (readonly unknown[])[]
export type ReadRows = (sql: string, values: (string | bigint)[]) => Promise<Rows>

/** The days that are counted, in order. @param timeZone absent: the one whose days are */
export async function countedDays(
  read: ReadRows,
  projectId: string,
  timeZone?: string,
): Promise<readonly CountedDay[]> {
  const rows =
    timeZone === undefined
      ? await read(`${DAYS} ${IN_ORDER}`, [projectId])
      : await read(`${DAYS} and time_zone = $2 ${IN_ORDER}`, [projectId, timeZone])
  return rows.map(countedDay)
}

export const countedDay = ([day, from, until, first, last, countedTo]: readonly unknown[]): CountedDay => ({
  day: Number(day),
  from: Number(from),
  until: Number(until),
  ...(typeof countedTo === 'string' && { countedTo: BigInt(countedTo) }),
  ...(first !== null && { calls: { first: Number(first), last: Number(last) } }),
})

/** That a call is in a time that no counted day is in, in SQL. */
export function isOutside(rests: readonly Omit<Rest, 'span'>[]): string {
  const ranges = rests.map(({ from, until, after }) => {
    const begun = from === undefined ? 'true' : `created_dt >= make_timestamp_ms(${from})`
    const before = until === undefined ? 'true' : `created_dt < make_timestamp_ms(${until})`
    return `(${begun} and ${before} and ${after === undefined ? 'true' : `write_number > ${after}`})`
  })
  return `(${ranges.join(' or ')})`
}
