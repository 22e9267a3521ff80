import { jsonKind } from '../../compile/json-kind.js'
import { sql } from '../../compile/sql.js'
import { isArray } from '../../value.js'
import { BOOL } from '../../given-type.js'
import { eager } from '../eager.js'

/** Whether a value is an array. */
export const isArrayOperator = eager({
  name: '$isArray',
  doc: {
    form: '{ $isArray: [<expression>] }',
    meaning: 'Whether the value is an array; false for null and missing.',
    example: { expression: { $isArray: '$signals' }, document: { signals: [] }, result: true },
  },
  arity: [1, 1],
  gives: () => BOOL,
  evaluate: value => isArray(value),
  sql: ([operand]) => {
    if (operand === undefined) return undefined
    const { kind } = operand.type
    const holds =
      kind === 'list'
        ? sql`(${operand.sql} is not null)`
        : kind === 'open'
          ? sql`coalesce(${jsonKind.isArray(operand.sql)}, false)`
          : sql`false`
    return { sql: holds, type: { kind: 'bool', absent: 'never' } }
  },
})
