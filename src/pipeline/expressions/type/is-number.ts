import { jsonKind } from '../../compile/json-kind.js'
import { sql } from '../../compile/sql.js'
import { isNumeric } from '../../value.js'
import { BOOL } from '../../given-type.js'
import { eager } from '../eager.js'

/** Whether a value is a number. */
export const isNumber = eager({
  name: '$isNumber',
  doc: {
    form: '{ $isNumber: <expression> }',
    meaning: 'Whether the value is an int, a long or a double; false for null and missing.',
    example: { expression: { $isNumber: '$score' }, document: { score: 3.5 }, result: true },
  },
  arity: [1, 1],
  gives: () => BOOL,
  evaluate: value => isNumeric(value),
  sql: ([operand]) => {
    if (operand === undefined) return undefined
    const { kind } = operand.type
    const holds =
      kind === 'int' || kind === 'double'
        ? sql`(${operand.sql} is not null)`
        : kind === 'open'
          ? sql`coalesce(${jsonKind.isNumber(operand.sql)}, false)`
          : sql`false`
    return { sql: holds, type: { kind: 'bool', absent: 'never' } }
  },
})
