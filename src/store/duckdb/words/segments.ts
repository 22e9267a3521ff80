/**
 * Words are kept by segments of calls: a call's place is the number of its segment and, in the low bits, its row there. A call
 * without a place is in none. Whatever changes the text of a call takes its place away, and the words of its segment.
 */

/** Whether any call of the project, which is $1, is in a segment. */
export const ANY_SEGMENT = 'select 1 from word_segments where project_id = $1 limit 1'

/** Bits of a place that are the row. */
export const ROW_BITS = 16
/** Most calls of a segment. */
export const MOST_ROWS = 1 << ROW_BITS

/** The segment and the row of a place, in SQL. */
export const segmentOf = (place: string) => `(${place} >> ${ROW_BITS})`
export const rowOf = (place: string) => `(${place} & ${MOST_ROWS - 1})`
