import { type Fragment, sql, trusted } from '../../compile/sql.js'

const SMALL = 'abcdefghijklmnopqrstuvwxyz'
const CAPITAL = SMALL.toUpperCase()

/**
 * A text with the letters of ASCII changed: by the engine's own function, a quick one, where it holds no others. NULL
 * stays NULL: a text that is made where there is none would be made before, row by row, and its letters changed too.
 */
export function lettersSql(text: Fragment, to: 'lower' | 'upper'): Fragment {
  const [from, into] = to === 'lower' ? [CAPITAL, SMALL] : [SMALL, CAPITAL]
  const slow = sql`translate(${text}, ${trusted(`'${from}'`)}, ${trusted(`'${into}'`)})`
  return sql`(case when strlen(${text}) = length(${text}) then ${trusted(to)}(${text}) else ${slow} end)`
}
