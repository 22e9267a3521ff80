import { isObject } from '../../base/is-object.js'
import type { FieldType } from '../../calls/field-type.js'
import { sql } from '../compile/sql.js'
import type { SqlExpression } from '../compile/types.js'
import { evaluateExpression, expressionToJson } from '../evaluate-expression.js'
import { parseExpression } from '../expressions/parse-expression.js'
import { adviseConstant } from '../advise-constant.js'
import { adviseList } from '../advise-list.js'
import { type ParseContext, type Shape, at } from '../parse-context.js'
import { Refusal } from '../refusal.js'
import type { Expression, Stage } from '../tree.js'
import { gatherGroups } from './gather-groups.js'
import { groupSql } from './group-sql.js'
import { type Output, outputsToJson, parseOutputs } from './outputs.js'
import { shapeOf } from './shape-of.js'
import type { StageDefinition } from './stage-definition.js'
import { readBy } from '../fields-read.js'

/** The key a group is output under: a missing one is null. */
function keySql(key: SqlExpression): SqlExpression {
  const { sql: value, type } = key
  if (type.kind === 'open') return { ...key, sql: sql`coalesce(${value}, 'null')`, type: { ...type, absent: 'never' } }
  return { ...key, type: { ...type, absent: type.absent === 'never' ? 'never' : 'null' } }
}

/** $group from its parsed parts; $sortByCount makes its stage with this too. */
export function groupStage(id: Expression, outputs: readonly Output[]): Stage {
  return {
    name: '$group',
    run: (documents, environment) =>
      gatherGroups(documents, environment, inside => evaluateExpression(id, inside) ?? null, outputs),
    ...(outputs.some(({ inOrder }) => inOrder) ? {} : { order: 'free' }),
    compile: (relation, context) => {
      const compiled = context.expression(id)
      if (compiled === undefined) return undefined
      const key = keySql(compiled)
      return groupSql(relation, context, {
        key,
        constant: id.kind === 'literal' || key.type.kind === 'nothing',
        // Equal numbers are one key, integer or not.
        id: ({ sql: column, isInt }) => ({
          sql: column,
          type: key.type,
          ...(isInt === undefined ? {} : { isInt: sql`bool_and(${isInt})` }),
        }),
        outputs,
      })
    },
    reads: () => readBy([id, ...outputs.flatMap(({ call }) => call.operands)]),
    toJson: () => ({ $group: { _id: expressionToJson(id), ...outputsToJson(outputs) } }),
  }
}

/** What is known after grouping: the names of all fields, the type of the key, and of what carries values on. */
export function shapeOfGroups(
  id: FieldType | undefined,
  outputs: readonly Output[],
  context: ParseContext,
): Shape | undefined {
  if (context.shape === undefined) return undefined
  const types = outputs.map(({ name, call }) => [name, call.gives?.(one => shapeOf(one, context))] as const)
  return new Map([['_id', id], ...types])
}

/** A key, or each field of one, that is a field's name without "$" or a list. */
function adviseKey(json: unknown, context: ParseContext): void {
  adviseConstant(json, context)
  adviseList(json, context)
  if (typeof json !== 'object' || json === null) return
  for (const [name, inner] of Object.entries(json)) {
    if (name.startsWith('$')) continue
    adviseConstant(inner, at(context, name))
    adviseList(inner, at(context, name))
  }
}

/** One document for each different value of _id, with what the accumulators gathered. */
export const group: StageDefinition = {
  name: '$group',
  doc: {
    form: '{ $group: { _id: <expression>, <field>: { <accumulator>: <expression> }, … } }',
    meaning:
      'One document for each different value of _id, with what the accumulators gather over its documents. A missing key counts as null. Over no documents there are no groups.',
    example: {
      documents: [
        { agent: 'Ana', score: 4 },
        { agent: 'Ben', score: 2 },
        { agent: 'Ana', score: 5 },
      ],
      pipeline: [{ $group: { _id: '$agent', calls: { $sum: 1 }, score: { $avg: '$score' } } }, { $sort: { _id: 1 } }],
      result: [
        { _id: 'Ana', calls: 2, score: 4.5 },
        { _id: 'Ben', calls: 1, score: 2 },
      ],
    },
  },
  parse: (json, context) => {
    if (!isObject(json) || !Object.hasOwn(json, '_id')) {
      throw new Refusal(
        context.where,
        '$group takes an object with _id, such as {"_id": "$agent_name", "calls": {"$sum": 1}}',
      )
    }
    const { _id, ...rest } = json as Readonly<Record<string, unknown>>
    const id = parseExpression(_id, at(context, '_id'))
    adviseKey(_id, at(context, '_id'))
    const outputs = parseOutputs(rest, { ...context, inGroup: true })
    return { stage: groupStage(id, outputs), shape: shapeOfGroups(shapeOf(id, context), outputs, context) }
  },
}
