import { isObject } from '../../base/is-object.js'
import { echo } from '../../base/text.js'
import { accumulators } from '../accumulators/accumulators.js'
import { adviseArgument } from '../accumulators/advise-argument.js'
import type { Accumulator, AccumulatorCall } from '../accumulators/accumulator.js'
import { expressionOperators } from '../expressions/expression-operators.js'
import { parseExpression } from '../expressions/parse-expression.js'
import { refuseMisplaced } from '../misplaced.js'
import { type ParseContext, at } from '../parse-context.js'
import { Refusal, refuseName } from '../refusal.js'
import { refusedOperators } from '../refused-operators.js'

const byName: ReadonlyMap<string, Accumulator> = new Map(accumulators.map(one => [one.name, one]))

/** A field of a group's document and the accumulator that makes it. */
export interface Output {
  readonly name: string
  readonly call: AccumulatorCall
  readonly operator: string
  /** What it gathers depends on the order of the documents. */
  readonly inOrder: boolean
}

/** Accumulators that go by the order of the documents, if only among those that are equal by an order of their own. */
const IN_ORDER = new Set([
  '$bottom',
  '$bottomN',
  '$first',
  '$firstN',
  '$last',
  '$lastN',
  '$mergeObjects',
  '$push',
  '$top',
  '$topN',
])

/** Whether an accumulator stands somewhere in an argument. */
function holdsAccumulator(json: unknown): boolean {
  if (typeof json !== 'object' || json === null) return false
  return Object.entries(json).some(([name, inner]) => byName.has(name) || holdsAccumulator(inner))
}

function parseOutput(name: string, json: unknown, context: ParseContext): Output {
  if (name === '' || name.startsWith('$') || name.includes('.')) {
    throw new Refusal(context.where, `the output field ${echo(name)} is empty, starts with "$" or holds a dot`)
  }
  const keys = isObject(json) ? Object.keys(json) : []
  const operator = keys[0]
  if (operator === undefined || keys.length > 1) {
    const example = typeof json === 'string' && json.startsWith('$') ? `{"$first": ${echo(json)}}` : '{"$sum": 1}'
    throw new Refusal(context.where, `each output is exactly one accumulator, such as ${example}`)
  }
  const accumulator = byName.get(operator)
  const place = at(context, operator)
  if (accumulator === undefined) {
    if (expressionOperators.some(one => one.name === operator)) {
      const remedy = holdsAccumulator((json as Record<string, unknown>)[operator])
        ? 'gather its parts in outputs of their own, and compute it of them in a $set after the stage'
        : `put it inside an accumulator, such as {"$max": {${echo(operator)}: …}}, or in a $set after the stage`
      throw new Refusal(place.where, `The operator ${echo(operator)} computes a value of one document; ${remedy}`)
    }
    refuseMisplaced(place.where, operator, 'accumulator')
    refuseName(place.where, 'The accumulator', operator, byName.keys(), refusedOperators)
  }
  const argument = (json as Record<string, unknown>)[operator]
  const call = accumulator.parse(argument, place, parseExpression)
  adviseArgument(operator, argument, call, place)
  return { name, operator, call, inOrder: IN_ORDER.has(operator) }
}

/** The outputs of $group, $bucket and $bucketAuto: a field name and an accumulator each. */
export function parseOutputs(json: object, context: ParseContext): readonly Output[] {
  return Object.entries(json).map(([name, output]) => parseOutput(name, output, at(context, name)))
}

/** The outputs of the stages that count when told nothing else. */
export function outputsOrCount(json: unknown, context: ParseContext): readonly Output[] {
  if (json === undefined) return parseOutputs({ count: { $sum: 1 } }, context)
  if (!isObject(json)) {
    throw new Refusal(context.where, 'is an object of accumulators, such as {"calls": {"$sum": 1}}')
  }
  return parseOutputs(json, context)
}

/** The outputs as MongoDB's JSON. */
export function outputsToJson(outputs: readonly Output[]): object {
  return Object.fromEntries(outputs.map(({ name, call }) => [name, call.toJson()]))
}
