import type { CompileContext } from '../compile/compile-context.js'
import type { Column, Relation } from '../compile/relation.js'
import { evaluateExpression, expressionToJson } from '../evaluate-expression.js'
import type { ParseContext, Shape } from '../parse-context.js'
import type { Environment, Stage } from '../tree.js'
import type { Document } from '../value.js'
import { parseFields, type ProjectionField } from './projection.js'
import { setPath } from './set-path.js'
import { shapeOf } from './shape-of.js'
import type { StageDefinition } from './stage-definition.js'

/** All expressions see the document as it was before the stage. */
function setFields(
  document: Document,
  fields: readonly ProjectionField[],
  environment: Omit<Environment, 'root'>,
): Document {
  return fields.reduce((out, { path, rule }) => {
    if (rule.kind !== 'compute') return out
    return setPath(out, path, evaluateExpression(rule.expression, { ...environment, root: document }))
  }, document)
}

function compileFields(
  fields: readonly ProjectionField[],
  relation: Relation,
  context: CompileContext,
): Relation | undefined {
  const columns: Column[] = [...relation.columns]
  for (const { path, rule } of fields) {
    // Nested paths merge into what is there, element by element in arrays: the evaluator's work.
    const name = path[0]
    if (path.length > 1 || name === undefined || rule.kind !== 'compute') return undefined
    const compiled = context.expression(rule.expression)
    if (compiled === undefined || compiled.type.absent === 'either') return undefined
    const place = columns.findIndex(column => column.name === name)
    if (place === -1) columns.push({ name, ...compiled })
    else columns[place] = { name, ...compiled }
  }
  return context.step({ ...relation, columns })
}

/** $addFields, and $set, which is its other name. */
export function addFieldsStage(name: '$addFields' | '$set'): StageDefinition {
  return {
    name,
    parse: (json: unknown, context: ParseContext) => {
      const fields = parseFields(json, context, name, false)
      const shape = new Map<string, NonNullable<ReturnType<Shape['get']>>>(context.shape)
      for (const { path, rule } of fields) {
        const type = rule.kind === 'compute' && path.length === 1 ? shapeOf(rule.expression, context) : undefined
        if (type === undefined) shape.delete(path[0] ?? '')
        else shape.set(path[0] ?? '', type)
      }
      const stage: Stage = {
        name,
        run: (documents, environment) => documents.map(document => setFields(document, fields, environment)),
        compile: (relation, compile) => compileFields(fields, relation, compile),
        toJson: () => ({
          [name]: Object.fromEntries(
            fields.map(({ path, rule }) => [
              path.join('.'),
              rule.kind === 'compute' ? expressionToJson(rule.expression) : 1,
            ]),
          ),
        }),
      }
      return { stage, shape }
    },
  }
}

/** Adds fields, or replaces them in their place. */
export const addFields = addFieldsStage('$addFields')
