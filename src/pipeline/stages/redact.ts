import { putField } from '../../base/fields.js'
import type { CompileContext, Environment, Expression } from '../tree.js'
import type { Relation } from '../compile/relation.js'
import { filtered } from '../compile/rows.js'
import { bind, sql } from '../compile/sql.js'
import type { SqlExpression } from '../compile/types.js'
import { evaluateExpression, expressionToJson } from '../evaluate-expression.js'
import { ExpressionError } from '../expressions/expression-error.js'
import { parseExpression } from '../expressions/parse-expression.js'
import { withVariables } from '../parse-context.js'
import { type Document, type Value, isArray, isDocument } from '../value.js'
import type { StageDefinition } from './stage-definition.js'

/** The three answers; texts of their own, so that they can pass through $cond and $switch. */
const KEEP = '$$KEEP'
const PRUNE = '$$PRUNE'
const DESCEND = '$$DESCEND'

const ANSWERS: readonly (readonly [string, Value])[] = [
  ['KEEP', KEEP],
  ['PRUNE', PRUNE],
  ['DESCEND', DESCEND],
]

/** The document with what the expression prunes left out; `undefined` when it is pruned itself. */
function redacted(
  document: Document,
  expression: Expression,
  environment: Omit<Environment, 'root'>,
): Document | undefined {
  const answer = evaluateExpression(expression, { ...environment, root: document })
  if (answer === KEEP) return document
  if (answer === PRUNE) return undefined
  if (answer !== DESCEND) throw new ExpressionError('$redact', 'must give $$KEEP, $$PRUNE or $$DESCEND')
  const kept: Record<string, Value> = {}
  for (const [name, value] of Object.entries(document)) {
    const inner = redactedValue(value, expression, environment)
    if (inner !== undefined) putField(kept, name, inner)
  }
  return kept
}

function redactedValue(
  value: Value,
  expression: Expression,
  environment: Omit<Environment, 'root'>,
): Value | undefined {
  if (isDocument(value)) return redacted(value, expression, environment)
  if (!isArray(value)) return value
  return value.map(item => redactedValue(item, expression, environment)).filter(item => item !== undefined)
}

/** Where only whole documents are kept or pruned it is a filter; descending into them is the evaluator's work. */
function compileRedact(expression: Expression, relation: Relation, context: CompileContext): Relation | undefined {
  const answer = (text: string): SqlExpression => ({
    sql: sql`${bind(text, 'VARCHAR')}`,
    type: { kind: 'string', absent: 'never' },
  })
  const variables = new Map([['KEEP', answer(KEEP)] as const, ['PRUNE', answer(PRUNE)] as const])
  const compiled = context.bound(variables).expression(expression)
  if (compiled?.type.kind !== 'string' || compiled.type.absent !== 'never') return undefined
  if (compiled.fails !== undefined) context.mayFail(compiled.fails)
  const kept = sql`${compiled.sql} = ${bind(KEEP, 'VARCHAR')}`
  return context.step({ ...relation, from: filtered(relation.from, kept) })
}

/** Keeps or drops documents and the documents inside them by an expression. */
export const redact: StageDefinition = {
  name: '$redact',
  doc: {
    form: '{ $redact: <expression> }',
    meaning:
      'Asks the expression at every level of a document: $$KEEP keeps it as it is, $$PRUNE drops it, $$DESCEND keeps it and asks again for each document inside. Fields are those of the level asked about, $$ROOT is the whole.',
    example: {
      documents: [
        {
          _id: 1,
          secret: false,
          notes: [
            { secret: true, text: 'a' },
            { secret: false, text: 'b' },
          ],
        },
      ],
      pipeline: [{ $redact: { $cond: ['$secret', '$$PRUNE', '$$DESCEND'] } }],
      result: [{ _id: 1, secret: false, notes: [{ secret: false, text: 'b' }] }],
    },
  },
  parse: (json, context) => {
    // $$ROOT stays the whole document while fields are those of the level.
    const expression = parseExpression(
      json,
      withVariables({ ...context, shape: undefined }, [
        ...ANSWERS.map(([name]) => [name, undefined] as const),
        ['ROOT', undefined],
      ]),
    )
    return {
      stage: {
        name: '$redact',
        run: (documents, environment) =>
          documents.flatMap(document => {
            const variables = new Map<string, Value | undefined>([
              ...environment.variables,
              ...ANSWERS,
              ['ROOT', document],
            ])
            const kept = redacted(document, expression, { ...environment, variables })
            return kept === undefined ? [] : [kept]
          }),
        order: 'kept',
        compile: (relation, compile) => compileRedact(expression, relation, compile),
        toJson: () => ({ $redact: expressionToJson(expression) }),
      },
      shape: context.shape,
    }
  },
}
