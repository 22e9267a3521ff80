import { objectSql } from '../../compile/compile-expression.js'
import { failing, failsWithin } from '../../compile/fails.js'
import { fieldSql } from '../../compile/field-sql.js'
import { sql } from '../../compile/sql.js'
import type { SqlExpression } from '../../compile/types.js'
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

/**
 * The same in the engine, or `undefined` where it would not be exact: of a field that may be missing the place is not
 * known, and the engine's documents keep names apart only by their letters.
 */
export function withFieldSql(
  document: SqlExpression,
  name: string,
  value: SqlExpression | undefined,
): SqlExpression | undefined {
  const { type } = document
  if (type.kind !== 'struct') return undefined
  const old = type.fields.get(name)
  if (value !== undefined && old !== undefined && old.absent !== 'never' && old.absent !== 'null') return undefined
  // Fields of a document that is there: what NULL means is the field's own matter.
  const inside: SqlExpression = { ...document, type: { ...type, absent: 'never' } }
  const fields = [...type.fields.keys()].flatMap((field): readonly (readonly [string, SqlExpression])[] => {
    if (field !== name) return [[field, fieldSql(inside, field)]]
    return value === undefined ? [] : [[field, value]]
  })
  const made = objectSql(old === undefined && value !== undefined ? [...fields, [name, value]] : fields)
  if (made === undefined) return undefined
  if (type.absent === 'never') return failing(made, document.fails)
  const fails = failsWithin(sql`${document.sql} is not null`, made.fails)
  return failing(
    {
      sql: sql`(case when ${document.sql} is null then null else ${made.sql} end)`,
      type: { ...made.type, absent: 'null' },
      ...(fails === undefined ? {} : { fails }),
    },
    document.fails,
  )
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
      sql: compile => {
        const document = compile.expression(input)
        const set = compile.expression(value)
        return document && set && withFieldSql(document, name, set)
      },
      toJson: () => ({
        $setField: { field: { $literal: name }, input: expressionToJson(input), value: expressionToJson(value) },
      }),
    }
  },
}
