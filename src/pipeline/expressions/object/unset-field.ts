import { evaluateExpression, expressionToJson } from '../../evaluate-expression.js'
import { at } from '../../parse-context.js'
import { isDocument } from '../../value.js'
import { argumentFields } from '../argument-fields.js'
import { expressionDoc } from '../expression-doc.js'
import type { ExpressionOperator } from '../expression-operator.js'
import { wrongType } from '../wrong-type.js'
import { parseFieldName, withField, withFieldSql } from './set-field.js'

/** A document without one field. */
export const unsetField: ExpressionOperator = {
  name: '$unsetField',
  doc: expressionDoc({
    form: '{ $unsetField: { field: <name>, input: <document> } }',
    meaning: 'The document without a field, whatever its name. Null or missing input gives null.',
    example: {
      expression: { $unsetField: { field: 'x', input: '$meta' } },
      document: { meta: { x: 1, y: 2 } },
      result: { y: 2 },
    },
  }),
  parse(argument, context, parse) {
    const fields = argumentFields('$unsetField', argument, ['field', 'input'], [], context)
    const name = parseFieldName(fields.field, at(context, 'field'), parse)
    const input = parse(fields.input, at(context, 'input'))
    return {
      operator: '$unsetField',
      operands: [input],
      evaluate: environment => {
        const document = evaluateExpression(input, environment)
        if (document === undefined || document === null) return null
        if (!isDocument(document)) throw wrongType('$unsetField', 'a document as input', document)
        return withField(document, name, undefined)
      },
      sql: compile => {
        const document = compile.expression(input)
        return document && withFieldSql(document, name, undefined)
      },
      toJson: () => ({ $unsetField: { field: { $literal: name }, input: expressionToJson(input) } }),
    }
  },
}
