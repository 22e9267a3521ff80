import type { CompileContext } from '../../tree.js'
import { type Fragment, sql } from '../../compile/sql.js'

/**
 * A double as numberText prints it. The engine prints the same digits, but writes exponents, whole numbers and what is
 * no number in a way of its own: of those only the whole ones are printed here, a row with the others is left to the
 * evaluator. `undefined` where no row can be.
 */
export function numberTextSql(value: Fragment, context: CompileContext): Fragment | undefined {
  if (!context.perRow) return undefined
  const isZero = sql`(${value} = 0 and not starts_with(${value}::varchar, '-'))`
  const whole = sql`try_cast(${value} as bigint)::varchar`
  const text = sql`(case when ${value} = trunc(${value}) then ${whole} else ${value}::varchar end)`
  return context.exactUnless(sql`not (${isZero} or abs(${value}) between 0.0001 and 999999999999999)`, text)
}
