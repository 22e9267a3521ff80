import { echo } from '../../base/text.js'
import type { FieldType } from '../../calls/field-type.js'
import { accumulators } from '../accumulators/accumulators.js'
import type { Accumulator, AccumulatorCall } from '../accumulators/accumulator.js'
import type { Column } from '../compile/relation.js'
import { type Fragment, sql } from '../compile/sql.js'
import type { SqlType } from '../compile/types.js'
import { evaluateExpression, expressionToJson } from '../evaluate-expression.js'
import { parseExpression } from '../expressions/parse-expression.js'
import { valueKey } from '../order.js'
import { type ParseContext, at } from '../parse-context.js'
import { Refusal, refuseName } from '../refusal.js'
import { refusedOperators } from '../refused-operators.js'
import type { Expression, Stage } from '../tree.js'
import type { Document, Value } from '../value.js'
import { shapeOf } from './shape-of.js'
import type { StageDefinition } from './stage-definition.js'

const byName: ReadonlyMap<string, Accumulator> = new Map(accumulators.map(one => [one.name, one]))

/** Name of the key's own column; no caller's field can have it, since a field may not start with a blank here. */
const KEY = ' key'

interface Output {
  readonly name: string
  readonly call: AccumulatorCall
}

function parseOutput(name: string, json: unknown, context: ParseContext): Output {
  const inner = at(context, name)
  if (name === '' || name.startsWith('$') || name.includes('.')) {
    throw new Refusal(inner.where, `the output field ${echo(name)} is empty, starts with "$" or holds a dot`)
  }
  const keys = typeof json === 'object' && json !== null && !Array.isArray(json) ? Object.keys(json) : []
  const operator = keys[0]
  if (operator === undefined || keys.length > 1) {
    throw new Refusal(inner.where, 'each output is exactly one accumulator, such as {"$sum": 1}')
  }
  const accumulator = byName.get(operator)
  const place = at(inner, operator)
  if (accumulator === undefined) refuseName(place.where, 'The accumulator', operator, byName.keys(), refusedOperators)
  return { name, call: accumulator.parse((json as Record<string, unknown>)[operator], place, parseExpression) }
}

/** The key a group is output under: a missing one is null. */
function keyType(type: SqlType): SqlType | undefined {
  if (type.kind === 'open' || (type.kind === 'double' && !type.finite)) return undefined
  return { ...type, absent: type.absent === 'never' ? 'never' : 'null' }
}

function groupStage(id: Expression, outputs: readonly Output[]): Stage {
  return {
    name: '$group',
    run: (documents, environment) => {
      const groups = new Map<string, { id: Value; parts: readonly ReturnType<AccumulatorCall['start']>[] }>()
      for (const root of documents) {
        const inside = { ...environment, root }
        const value = evaluateExpression(id, inside) ?? null
        const key = valueKey(value)
        let group = groups.get(key)
        if (group === undefined) {
          group = { id: value, parts: outputs.map(({ call }) => call.start()) }
          groups.set(key, group)
        }
        for (const part of group.parts) part.add(inside)
      }
      return [...groups.values()].map((group): Document => ({
        _id: group.id,
        ...Object.fromEntries(outputs.map(({ name }, i) => [name, group.parts[i]!.result()])),
      }))
    },
    compile: (relation, context) => {
      const key = context.expression(id)
      const type = key && keyType(key.type)
      if (key === undefined || type === undefined) return undefined
      // No rows, no groups (pipeline-semantics.md, 19): a constant key would give one row over nothing.
      const constant = id.kind === 'literal' || key.type.kind === 'nothing'
      // The key is a column of a step of its own: its parameters would differ between SELECT and GROUP BY.
      const keyed = context.step({ ...relation, columns: [...relation.columns, { name: KEY, ...key }] })
      const keyColumn = keyed.columns.at(-1)!.sql
      const inside = context.over({ ...keyed, columns: keyed.columns.slice(0, -1) })
      const columns: Column[] = [{ name: '_id', sql: constant ? key.sql : keyColumn, type }]
      for (const { name, call } of outputs) {
        const compiled = call.sql(inside)
        if (compiled === undefined || compiled.type.absent === 'either') return undefined
        columns.push({ name, ...compiled })
      }
      const tail: Fragment = constant ? sql` having count(*) > 0` : sql` group by ${keyColumn}`
      return context.step({ columns, from: keyed.from, order: [], tail })
    },
    toJson: () => ({
      $group: {
        _id: expressionToJson(id),
        ...Object.fromEntries(outputs.map(({ name, call }) => [name, call.toJson()])),
      },
    }),
  }
}

/** One document for each different value of _id, with what the accumulators gathered (pipeline-semantics.md, 19–25). */
export const group: StageDefinition = {
  name: '$group',
  parse: (json, context) => {
    if (typeof json !== 'object' || json === null || Array.isArray(json) || !('_id' in json)) {
      throw new Refusal(
        context.where,
        '$group takes an object with _id, such as {"_id": "$agent_name", "calls": {"$sum": 1}}',
      )
    }
    const { _id, ...rest } = json as Readonly<Record<string, unknown>>
    const id = parseExpression(_id, at(context, '_id'))
    const outputs = Object.entries(rest).map(([name, output]) => parseOutput(name, output, context))
    const type = shapeOf(id, context)
    const shape: ReadonlyMap<string, FieldType> = new Map(type === undefined ? [] : [['_id', type]])
    return { stage: groupStage(id, outputs), shape: context.shape && shape }
  },
}
