import { typeNameSql } from '../../compile/type-name-sql.js'
import { typeName } from '../../value.js'
import { eager } from '../eager.js'

/** BSON's name of a value's type. */
export const type = eager({
  name: '$type',
  doc: {
    form: '{ $type: <expression> }',
    meaning: 'The name of the type: double, string, object, array, bool, date, null, int, long, or missing.',
    example: { expression: { $type: '$score' }, document: { score: 3.5 }, result: 'double' },
  },
  arity: [1, 1],
  evaluate: value => typeName(value),
  sql: ([operand]) => {
    const name = operand && typeNameSql(operand)
    return name && { sql: name, type: { kind: 'string', absent: 'never' } }
  },
})
