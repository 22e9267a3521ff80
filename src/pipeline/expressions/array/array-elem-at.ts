import { failsWhen, firstFailure } from '../../compile/fails.js'
import { bind, sql } from '../../compile/sql.js'
import { EXACT_BITS } from '../../compile/is-int-sql.js'
import { take } from '../../compile/take.js'
import { entryType } from '../../given-type.js'
import { isArray } from '../../value.js'
import { eager } from '../eager.js'
import { ExpressionError } from '../expression-error.js'
import { whole } from '../whole-number.js'
import { wrongType } from '../wrong-type.js'
import { elementSql } from './element-sql.js'

const INDEX = 'takes a whole number as index, of 32 bits'

/** One element. */
export const arrayElemAt = eager({
  name: '$arrayElemAt',
  doc: {
    form: '{ $arrayElemAt: [<array>, <index>] }',
    meaning:
      'The element at an index, counted from 0, or from the end when it is negative; missing when there is none. Null or missing operands give null.',
    example: { expression: { $arrayElemAt: ['$words', -1] }, document: { words: ['a', 'b'] }, result: 'b' },
  },
  arity: [2, 2],
  gives: ([list], typeOf) => entryType(list, typeOf),
  evaluate: (list, index) => {
    if (list === undefined || list === null || index === undefined || index === null) return null
    if (!isArray(list)) throw wrongType('$arrayElemAt', 'an array', list)
    const place = whole(index)
    if (place === undefined) throw new ExpressionError('$arrayElemAt', INDEX)
    return list.at(place)
  },
  sql: ([input, index]) => {
    if (input === undefined || index?.type.kind !== 'int' || index.type.absent !== 'never') return undefined
    if (index.type.bits > EXACT_BITS) return undefined
    const taken = take([input], { operator: '$arrayElemAt', wanted: 'list', wants: 'an array', nulls: 'null' })
    if (taken === undefined) return undefined
    // The engine counts from 1, and from the end as we do.
    const { constant } = index
    const place =
      constant === undefined
        ? sql`(case when ${index.sql} >= 0 then ${index.sql} + 1 else ${index.sql} end)`
        : sql`${bind(BigInt(constant < 0 ? constant : constant + 1), 'BIGINT')}`
    const element = elementSql(taken, place, constant === 0 || constant === -1)
    if (element === undefined || index.type.bits <= 31) return element
    const isInt = sql`${index.sql} between -2147483648 and 2147483647`
    const outside = failsWhen(sql`${taken.operands[0]!.sql} is not null and not (${isInt})`, '$arrayElemAt', INDEX)
    return { ...element, fails: firstFailure([element.fails, outside])! }
  },
})
