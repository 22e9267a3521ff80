import { lambdaName } from '../../compile/lambda.js'
import { sql } from '../../compile/sql.js'
import { given, take } from '../../compile/take.js'
import { truthySql } from '../../compile/truthy-sql.js'
import { isArray, isTruthy } from '../../value.js'
import { BOOL } from '../../given-type.js'
import { eager } from '../eager.js'
import { wrongType } from '../wrong-type.js'

export const anyElementTrue = eager({
  name: '$anyElementTrue',
  doc: {
    form: '{ $anyElementTrue: [<array>] }',
    meaning:
      'Whether any element is true; of an empty array false. Only false, 0 and null are false. What is no array is an error.',
    example: { expression: { $anyElementTrue: ['$a'] }, document: { a: [1, false] }, result: true },
  },
  arity: [1, 1],
  gives: () => BOOL,
  evaluate: list => {
    if (!isArray(list)) throw wrongType('$anyElementTrue', 'an array', list)
    return list.some(isTruthy)
  },
  sql: operands => {
    const taken = take(operands, { operator: '$anyElementTrue', wanted: 'list', wants: 'an array', nulls: 'wrong' })
    const list = taken?.operands[0]
    if (taken === undefined || list?.type.kind !== 'list') return undefined
    const element = lambdaName()
    const truth = truthySql({ sql: element, type: list.type.of })
    const count = sql`len(list_filter(${list.sql}, lambda ${element}: coalesce(${truth}, false)))`
    return given(taken, sql`(${count} > 0)`, { kind: 'bool' })
  },
})
