import { bind, sql } from '../../compile/sql.js'
import { rounding } from './rounding.js'

/** Decimal places up to which the engine prints every digit exactly. */
const EXACT_PLACES = 9

/** The number rounded at a decimal place, halves to the even neighbour. */
export const round = rounding({
  name: '$round',
  mode: 'round',
  doc: {
    form: '{ $round: [<number>, <place>] }',
    meaning:
      'The number rounded at a decimal place (0 when none is given, negative left of the point), halves to the even neighbour: 2.5 gives 2. Null and missing give null.',
    example: { expression: { $round: ['$score', 1] }, document: { score: 3.146 }, result: 3.1 },
  },
  // The engine's own round goes through a multiplication that is not exact; its printing is. From 2^52 on every double
  // is whole.
  sql: (value, place) => {
    if (place < 0 || place > EXACT_PLACES) return undefined
    // Whole numbers need no multiplication.
    if (place === 0) return sql`round_even(${value}, 0)`
    const printed = sql`try_cast(printf(${bind(`%.${place}f`, 'VARCHAR')}, ${value}) as double)`
    return sql`(case when abs(${value}) < 4503599627370496 then ${printed} else ${value} end)`
  },
})
