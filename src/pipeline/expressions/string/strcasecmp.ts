import { failing } from '../../compile/fails.js'
import { type Fragment, sql } from '../../compile/sql.js'
import { compareStrings } from '../../order.js'
import { eager } from '../eager.js'
import { textOf } from './text-of.js'
import { textSql } from './text-sql.js'

const upper = (text: string) => text.replace(/[a-z]+/g, letters => letters.toUpperCase())

/** The order of two texts, small and capital letters alike. */
export const strcasecmp = eager({
  name: '$strcasecmp',
  doc: {
    form: '{ $strcasecmp: [<expression>, <expression>] }',
    meaning:
      'The order of two texts, -1, 0 or 1, with small and capital letters of ASCII alike. Null and missing are "".',
    example: { expression: { $strcasecmp: ['$driver', 'BILLING'] }, document: { driver: 'Billing' }, result: 0 },
  },
  arity: [2, 2],
  evaluate: (a, b) => compareStrings(upper(textOf('$strcasecmp', a)), upper(textOf('$strcasecmp', b))),
  sql: ([a, b], context) => {
    const [x, y] = [a && textSql('$strcasecmp', a, context), b && textSql('$strcasecmp', b, context)]
    if (x === undefined || y === undefined) return undefined
    const [left, right] = [upperSql(x.sql), upperSql(y.sql)]
    const order = sql`(case when ${left} < ${right} then -1 when ${left} = ${right} then 0 else 1 end)`
    return failing({ sql: order, type: { kind: 'int', bits: 1, absent: 'never' } }, x.fails, y.fails)
  },
})

const upperSql = (text: Fragment): Fragment =>
  sql`translate(${text}, 'abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ')`
