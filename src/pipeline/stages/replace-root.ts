import type { CompileContext, Expression, Stage } from '../tree.js'
import { fieldSql } from '../compile/field-sql.js'
import type { Column, Relation } from '../compile/relation.js'
import { bind, sql } from '../compile/sql.js'
import { typeNameSql } from '../compile/type-name-sql.js'
import type { SqlExpression } from '../compile/types.js'
import { evaluateExpression, expressionToJson } from '../evaluate-expression.js'
import { ExpressionError } from '../expressions/expression-error.js'
import { parseExpression } from '../expressions/parse-expression.js'
import { type ParseContext, type Shape, at, shapeOfType } from '../parse-context.js'
import { Refusal } from '../refusal.js'
import { isDocument, typeName } from '../value.js'
import { readOptions } from './read-options.js'
import { shapeOf } from './shape-of.js'
import type { StageDefinition } from './stage-definition.js'
import { readBy } from '../fields-read.js'

type Name = '$replaceRoot' | '$replaceWith'

/** The end of the sentence is the type found. */
const NEEDS = 'needs a document as the new root, not '

/** The fields of a new document that is written out, without making a struct of them. */
function writtenColumns(root: Expression & { kind: 'object' }, context: CompileContext): readonly Column[] | undefined {
  const columns: Column[] = []
  for (const [name, field] of root.fields) {
    const compiled = context.expression(field)
    if (compiled === undefined || compiled.type.absent === 'either') return undefined
    columns.push({ ...compiled, name })
  }
  return columns
}

function compileReplace(
  name: Name,
  root: Expression,
  relation: Relation,
  context: CompileContext,
): Relation | undefined {
  if (root.kind === 'field' && root.variable === undefined && root.path.length === 0) return relation
  if (root.kind === 'object') {
    const columns = writtenColumns(root, context)
    return columns && context.step({ ...relation, columns })
  }
  const compiled = context.expression(root)
  if (compiled === undefined || compiled.type.kind === 'varied') return undefined
  const { type } = compiled
  const isOpen = type.kind === 'open' || type.kind === 'pairs' || type.kind === 'merged'
  if (type.kind === 'open' && type.object !== true) return undefined
  const isDocument = type.kind === 'struct' || isOpen
  if (!isDocument || type.absent !== 'never') {
    const found = typeNameSql(compiled)
    if (found === undefined) return undefined
    const sentence = sql`(${bind(`${name} ${NEEDS}`, 'VARCHAR')} || ${found})`
    context.mayFail(isDocument ? sql`(case when ${compiled.sql} is null then ${sentence} end)` : sentence)
  }
  if (!isDocument) return context.step({ ...relation, columns: [] })
  if (isOpen) return context.step({ ...relation, columns: [{ ...compiled, name: 'root', root: true }] })
  const held = context.step({ ...relation, columns: [{ ...compiled, name: 'root' }] })
  // Rows without a document have failed.
  const struct: SqlExpression = { sql: held.columns[0]!.sql, type: { ...type, absent: 'never' } }
  return context.step({
    ...held,
    columns: [...type.fields.keys()].map(field => ({ ...fieldSql(struct, field), name: field })),
  })
}

function shapeAfter(root: Expression, context: ParseContext): Shape | undefined {
  return shapeOfType(shapeOf(root, context))
}

function replaceStage(name: Name, root: Expression): Stage {
  return {
    name,
    run: (documents, environment) =>
      documents.map(document => {
        const value = evaluateExpression(root, { ...environment, root: document })
        if (!isDocument(value)) throw new ExpressionError(name, NEEDS + typeName(value))
        return value
      }),
    order: 'kept',
    compile: (relation, compile) => compileReplace(name, root, relation, compile),
    reads: () => readBy([root]),
    toJson: () =>
      name === '$replaceRoot'
        ? { $replaceRoot: { newRoot: expressionToJson(root) } }
        : { $replaceWith: expressionToJson(root) },
  }
}

function parseReplace(name: Name, json: unknown, context: ParseContext) {
  const root = parseExpression(json, context)
  if (root.kind === 'literal' && !isDocument(root.value)) {
    throw new Refusal(context.where, `${name} needs a document, such as "$trust" or {"agent": "$agent_name"}`)
  }
  return { stage: replaceStage(name, root), shape: shapeAfter(root, context) }
}

/** The document at a field, or one that is computed, takes the place of the whole. */
export const replaceRoot: StageDefinition = {
  name: '$replaceRoot',
  doc: {
    form: '{ $replaceRoot: { newRoot: <expression> } }',
    meaning:
      'A document inside, or one that is computed, takes the place of the whole. Anything but a document is an error.',
    example: {
      documents: [{ _id: 1, trust: { level: 'high', score: 0.9 } }],
      pipeline: [{ $replaceRoot: { newRoot: '$trust' } }],
      result: [{ level: 'high', score: 0.9 }],
    },
  },
  parse: (json, context) => {
    const { newRoot } = readOptions(json, '$replaceRoot', ['newRoot'], context)
    if (newRoot === undefined) throw new Refusal(context.where, '$replaceRoot needs newRoot')
    return parseReplace('$replaceRoot', newRoot, at(context, 'newRoot'))
  },
}

/** $replaceRoot in its short form. */
export const replaceWithStage = (json: unknown, context: ParseContext) => parseReplace('$replaceWith', json, context)
