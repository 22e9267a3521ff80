import { literalSql } from '../../compile/compile-expression.js'
import { readLiteral, toLiteral } from '../../extended-json.js'
import { expressionDoc } from '../expression-doc.js'
import type { ExpressionOperator } from '../expression-operator.js'

/** A value as it stands. The parser makes a literal node of it; this is its place in the allow-list. */
export const literal: ExpressionOperator = {
  name: '$literal',
  doc: expressionDoc({
    form: '{ $literal: <value> }',
    meaning: 'The value as it stands: for strings that begin with $ and numbers where a number would mean inclusion.',
    example: { expression: { $literal: '$5 off' }, result: '$5 off' },
  }),
  parse(argument, context) {
    const value = readLiteral(argument, context.where)
    return {
      operator: '$literal',
      operands: [],
      evaluate: () => value,
      sql: () => literalSql(value),
      toJson: () => ({ $literal: toLiteral(value) }),
    }
  },
}
