import { lambdaName } from '../../compile/lambda.js'
import { sql } from '../../compile/sql.js'
import { given, take } from '../../compile/take.js'
import { truthySql } from '../../compile/truthy-sql.js'
import { isArray, isTruthy } from '../../value.js'
import { BOOL } from '../../given-type.js'
import { eager } from '../eager.js'
import { wrongType } from '../wrong-type.js'

export const allElementsTrue = eager({
  name: '$allElementsTrue',
  doc: {
    form: '{ $allElementsTrue: [<array>] }',
    meaning:
      'Whether all elements are true; of an empty array true. Only false, 0 and null are false. What is no array is an error.',
    example: { expression: { $allElementsTrue: ['$a'] }, document: { a: [1, false] }, result: false },
  },
  arity: [1, 1],
  gives: () => BOOL,
  evaluate: list => {
    if (!isArray(list)) throw wrongType('$allElementsTrue', 'an array', list)
    return list.every(isTruthy)
  },
  sql: operands => {
    const taken = take(operands, { operator: '$allElementsTrue', wanted: 'list', wants: 'an array', nulls: 'wrong' })
    const list = taken?.operands[0]
    if (taken === undefined || list?.type.kind !== 'list') return undefined
    const element = lambdaName()
    const truth = truthySql({ sql: element, type: list.type.of })
    const count = sql`len(list_filter(${list.sql}, lambda ${element}: coalesce(${truth}, false)))`
    return given(taken, sql`(${count} = len(${list.sql}))`, { kind: 'bool' })
  },
})
