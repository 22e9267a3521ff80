import { bind, sql } from '../../compile/sql.js'
import { rounding } from './rounding.js'

/** Decimal places up to which a double that is no such decimal differs from it within PRINTED_PLACES. */
const EXACT_PLACES = 9

/** So many decimal places are printed, digit by digit: no double lies nearer to a decimal of EXACT_PLACES, but is it. */
const PRINTED_PLACES = 40

export const trunc = rounding({
  name: '$trunc',
  mode: 'trunc',
  doc: {
    form: '{ $trunc: [<number>, <place>] }',
    meaning: 'The number cut at a decimal place (0 when none is given), toward zero. Null and missing give null.',
    example: { expression: { $trunc: ['$score', 1] }, document: { score: 3.19 }, result: 3.1 },
  },
  sql: (value, place) => {
    if (place < 0 || place > EXACT_PLACES) return undefined
    if (place === 0) return sql`trunc(${value})`
    const printed = sql`printf(${bind(`%.${PRINTED_PLACES}f`, 'VARCHAR')}, ${value})`
    const cut = sql`try_cast(left(${printed}, ${bind(BigInt(place - PRINTED_PLACES), 'BIGINT')}) as double)`
    return sql`(case when abs(${value}) < 4503599627370496 then ${cut} else ${value} end)`
  },
})
