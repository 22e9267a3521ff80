import type { CompileContext, Environment, Stage } from '../tree.js'
import type { Relation } from '../compile/relation.js'
import { isUnclear } from '../compile/types.js'
import { evaluateExpression, expressionToJson } from '../evaluate-expression.js'
import { type ParseContext, withFieldsSet } from '../parse-context.js'
import type { Document } from '../value.js'
import { parseFields, type ProjectionField } from './projection.js'
import { setPath } from './set-path.js'
import { type PathValue, setColumns } from './set-columns.js'
import { shapeOf } from './shape-of.js'
import type { StageDefinition } from './stage-definition.js'
import { allOf, readBy, rootsOf, without } from '../fields-read.js'

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
  const values: PathValue[] = []
  for (const { path, rule } of fields) {
    if (rule.kind !== 'compute') return undefined
    const value = context.expression(rule.expression)
    if (value === undefined || isUnclear(value)) return undefined
    values.push({ path, value })
  }
  const columns = setColumns(relation.columns, values)
  return columns && context.step({ ...relation, columns })
}

/** $addFields, and $set, which is its other name. */
export function addFieldsStage(name: '$addFields' | '$set'): StageDefinition {
  return {
    name,
    doc: {
      form: `{ ${name}: { <field>: <expression>, … } }`,
      meaning: `Adds fields, or replaces them in their place. Documents are merged into; a dotted path reaches into every element of an array.${name === '$set' ? ' The other name of $addFields.' : ''}`,
      example: {
        documents: [{ a: 1, b: { c: 2 } }],
        pipeline: [{ [name]: { sum: { $add: ['$a', '$b.c'] }, 'b.d': 3 } }],
        result: [{ a: 1, b: { c: 2, d: 3 }, sum: 3 }],
      },
    },
    parse: (json: unknown, context: ParseContext) => {
      const fields = parseFields(json, context, name, false)
      const set = fields.map(({ path, rule }) => ({
        path,
        type: rule.kind === 'compute' ? shapeOf(rule.expression, context) : undefined,
      }))
      const shape = context.shape && withFieldsSet(context.shape, set)
      const paths = fields.map(({ path }) => path)
      const replaced = paths.filter(path => path.length === 1).flat()
      const nested = paths.filter(path => path.length > 1)
      const expressions = fields.flatMap(({ rule }) => (rule.kind === 'compute' ? [rule.expression] : []))
      const stage: Stage = {
        name,
        run: (documents, environment) => documents.map(document => setFields(document, fields, environment)),
        order: 'kept',
        compile: (relation, compile) => compileFields(fields, relation, compile),
        // What it replaces whole is not wanted of what comes in; what it sets inside another field is.
        reads: wanted => allOf(without(wanted, replaced), rootsOf(nested), readBy(expressions)),
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
