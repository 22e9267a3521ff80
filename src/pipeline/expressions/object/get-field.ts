import { fieldSql } from '../../compile/field-sql.js'
import { openField } from '../../compile/open-field-sql.js'
import { failing } from '../../compile/fails.js'
import { evaluateExpression, expressionToJson } from '../../evaluate-expression.js'
import { at } from '../../parse-context.js'
import { isDocument } from '../../value.js'
import { argumentFields } from '../argument-fields.js'
import { expressionDoc } from '../expression-doc.js'
import { ExpressionError } from '../expression-error.js'
import type { ExpressionOperator } from '../expression-operator.js'

/** One field, whatever its name. */
export const getField: ExpressionOperator = {
  name: '$getField',
  doc: expressionDoc({
    form: '{ $getField: { field: <name>, input: <document> } } or { $getField: <name> }',
    meaning:
      'A field of a document (of $$CURRENT where only the name is given) by its whole name, dots and dollars included. Of null it is null, of anything else without such a field it is missing.',
    example: {
      expression: { $getField: { field: 'a.b', input: '$meta' } },
      document: { meta: { 'a.b': 7 } },
      result: 7,
    },
  }),
  parse(argument, context, parse) {
    const short =
      typeof argument !== 'object' ||
      argument === null ||
      Array.isArray(argument) ||
      '$literal' in argument ||
      !('field' in argument)
    const fields = short ? { field: argument } : argumentFields('$getField', argument, ['field', 'input'], [], context)
    const field = parse(fields.field, short ? context : at(context, 'field'))
    const input = 'input' in fields ? parse(fields.input, at(context, 'input')) : ({ kind: 'field', path: [] } as const)
    return {
      operator: '$getField',
      operands: [field, input],
      evaluate: environment => {
        const name = evaluateExpression(field, environment)
        if (typeof name !== 'string') throw new ExpressionError('$getField', 'takes a string as field')
        const document = evaluateExpression(input, environment)
        if (document === null) return null
        return isDocument(document) && Object.hasOwn(document, name) ? document[name] : undefined
      },
      sql: compile => {
        if (field.kind !== 'literal' || typeof field.value !== 'string') return undefined
        if (input.kind === 'field' && input.path.length === 0 && input.variable === undefined) {
          return compile.expression({ kind: 'field', path: [field.value] })
        }
        const document = compile.expression(input)
        // Of null the field is null, of missing it is missing: one of them at a time.
        if (document === undefined || (document.type.absent !== 'never' && document.type.absent !== 'missing'))
          return undefined
        // Of an object within JSON only where it can't be null: a missing one has no fields.
        if (document.type.kind === 'open' && document.type.object === true) {
          const inner = openField(document, field.value)
          return inner && failing({ sql: inner, type: { kind: 'open', absent: 'missing' } }, document.fails)
        }
        if (document.type.kind !== 'struct') return undefined
        return failing(fieldSql(document, field.value), document.fails)
      },
      toJson: () => ({ $getField: { field: expressionToJson(field), input: expressionToJson(input) } }),
    }
  },
}
