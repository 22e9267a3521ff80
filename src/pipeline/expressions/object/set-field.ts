import { evaluateExpression, expressionToJson } from '../../evaluate-expression.js'
import { at, type ParseContext } from '../../parse-context.js'
import { Refusal } from '../../refusal.js'
import { type Document, type Value, isDocument } from '../../value.js'
import { argumentFields } from '../argument-fields.js'
import { expressionDoc } from '../expression-doc.js'
import type { ExpressionOperator, ParseExpression } from '../expression-operator.js'
import { wrongType } from '../wrong-type.js'
import { usableName } from './usable-name.js'

/** The name that $setField and $unsetField take: a constant string. */
export function parseFieldName(json: unknown, context: ParseContext, parse: ParseExpression): string {
  const name = parse(json, context)
  if (name.kind !== 'literal' || typeof name.value !== 'string') {
    throw new Refusal(context.where, 'is a constant string, such as "score" or {"$literal": "$price"}')
  }
  return usableName('the field name', name.value)
}

/** The document with a field set in its place, or without it. */
export function withField(document: Document, name: string, value: Value | undefined): Document {
  if (value !== undefined) return { ...document, [name]: value }
  const { [name]: _, ...others } = document
  return others
}

/** A document with one field changed. */
export const setField: ExpressionOperator = {
  name: '$setField',
  doc: expressionDoc({
    form: '{ $setField: { field: <name>, input: <document>, value: <expression> } }',
    meaning:
      'The document with a field set, whatever its name; $$REMOVE as the value takes it out. Null or missing input gives null.',
    example: {
      expression: { $setField: { field: 'a.b', input: '$meta', value: 7 } },
      document: { meta: { x: 1 } },
      result: { x: 1, 'a.b': 7 },
    },
  }),
  parse(argument, context, parse) {
    const fields = argumentFields('$setField', argument, ['field', 'input', 'value'], [], context)
    const name = parseFieldName(fields.field, at(context, 'field'), parse)
    const input = parse(fields.input, at(context, 'input'))
    const value = parse(fields.value, at(context, 'value'))
    return {
      operator: '$setField',
      operands: [input, value],
      evaluate: environment => {
        const document = evaluateExpression(input, environment)
        if (document === undefined || document === null) return null
        if (!isDocument(document)) throw wrongType('$setField', 'a document as input', document)
        return withField(document, name, evaluateExpression(value, environment))
      },
      sql: () => undefined,
      toJson: () => ({
        $setField: { field: { $literal: name }, input: expressionToJson(input), value: expressionToJson(value) },
      }),
    }
  },
}
