import { failsWhen, firstFailure } from '../../compile/fails.js'
import { sql } from '../../compile/sql.js'
import { given, take } from '../../compile/take.js'
import { double, isNumeric, toNumber } from '../../value.js'
import { eager } from '../eager.js'
import { ExpressionError } from '../expression-error.js'
import { wrongType } from '../wrong-type.js'

const NUMBER = 'takes numbers above 0'
const BASE = 'takes a base above 0 other than 1'

/** The logarithm to any base. */
export const log = eager({
  name: '$log',
  doc: {
    form: '{ $log: [<number>, <base>] }',
    meaning: 'The logarithm to a base. The number is above 0, the base above 0 and not 1; null and missing give null.',
    example: { expression: { $log: [8, 2] }, result: 3 },
  },
  arity: [2, 2],
  evaluate: (value, base) => {
    if (value === undefined || value === null || base === undefined || base === null) return null
    if (!isNumeric(value) || !isNumeric(base)) throw wrongType('$log', 'numbers', isNumeric(value) ? base : value)
    const [x, b] = [toNumber(value), toNumber(base)]
    if (x <= 0) throw new ExpressionError('$log', NUMBER)
    if (b <= 0 || b === 1) throw new ExpressionError('$log', BASE)
    return double(Math.log(x) / Math.log(b))
  },
  sql: operands => {
    const taken = take(operands, { operator: '$log', wanted: 'number', wants: 'numbers', nulls: 'null' })
    const [x, b] = taken?.operands.map(one => sql`${one.sql}::double`) ?? []
    if (taken === undefined || x === undefined || b === undefined) return undefined
    const both = sql`${x} is not null and ${b} is not null`
    const fails = firstFailure([
      failsWhen(sql`${both} and ${x} <= 0`, '$log', NUMBER),
      failsWhen(sql`${both} and (${b} <= 0 or ${b} = 1)`, '$log', BASE),
    ])
    const safe = (value: typeof x) => sql`ln(case when ${value} > 0 then ${value} end)`
    return given(taken, sql`(${safe(x)} / ${safe(b)})`, { kind: 'double', finite: false }, { fails })
  },
})
