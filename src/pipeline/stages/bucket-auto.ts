import { objectOf } from '../../base/fields.js'
import { evaluateExpression, expressionToJson } from '../evaluate-expression.js'
import { ExpressionError } from '../expressions/expression-error.js'
import { readLiteral } from '../extended-json.js'
import { compareValues } from '../order.js'
import { type ParseContext, at } from '../parse-context.js'
import { Refusal, refuseName } from '../refusal.js'
import type { Environment, Expression } from '../tree.js'
import { type Document, type Value, double, isInt, isNumeric, toNumber } from '../value.js'
import { parseGroupBy } from './bucket.js'
import { type Granularity, granularities } from './granularity.js'
import { shapeOfGroups } from './group.js'
import { bucketAutoSql } from './bucket-auto-sql.js'
import { type Output, outputsOrCount, outputsToJson } from './outputs.js'
import { readOptions } from './read-options.js'
import { shapeOf } from './shape-of.js'
import type { StageDefinition } from './stage-definition.js'
import { readBy } from '../fields-read.js'

const OPTIONS = ['groupBy', 'buckets', 'output', 'granularity'] as const

interface BucketAuto {
  readonly groupBy: Expression
  readonly buckets: number
  readonly granularity: Granularity | undefined
  readonly outputs: readonly Output[]
}

interface Item {
  readonly document: Document
  readonly value: Value
}

function parseBucketAuto(json: unknown, context: ParseContext): BucketAuto {
  const options = readOptions(json, '$bucketAuto', OPTIONS, context)
  const place = at(context, 'buckets')
  const buckets = readLiteral(options.buckets ?? null, place.where)
  const number = isNumeric(buckets) ? toNumber(buckets) : Number.NaN
  if (!isInt(number) || number < 1) throw new Refusal(place.where, 'is a whole number from 1')
  const { granularity } = options
  const known = typeof granularity === 'string' ? granularities.get(granularity) : undefined
  if (granularity !== undefined && known === undefined) {
    const name = typeof granularity === 'string' ? granularity : JSON.stringify(granularity)
    refuseName(at(context, 'granularity').where, 'The granularity', name, granularities.keys(), new Map())
  }
  return {
    groupBy: parseGroupBy(options.groupBy, '$bucketAuto', at(context, 'groupBy')),
    buckets: number,
    granularity: known,
    outputs: outputsOrCount(options.output, at(context, 'output')),
  }
}

/** A value as a granularity rounds it: a number from 0. */
function roundable(value: Value): number {
  const number = isNumeric(value) ? toNumber(value) : Number.NaN
  if (Number.isNaN(number) || number < 0) {
    throw new ExpressionError('$bucketAuto', 'rounds only numbers from 0 to its granularity')
  }
  return number
}

/** A rounded boundary; 0 keeps the type it had. */
function rounded(value: Value, round: (number: number) => number): Value {
  const number = roundable(value)
  return number === 0 ? value : double(round(number))
}

interface Cut {
  readonly min: Value
  readonly max: Value
  readonly items: readonly Item[]
}

/**
 * Cuts sorted items into buckets of about equal size. Equal values are never cut apart: what equals the last value of a
 * bucket (or lies below its rounded boundary) joins it.
 */
function cut(items: readonly Item[], { buckets, granularity }: BucketAuto): readonly Cut[] {
  const size = Math.max(1, Math.round(items.length / buckets))
  const cuts: Cut[] = []
  let start = 0
  while (start < items.length && cuts.length < buckets) {
    const isLast = cuts.length === buckets - 1
    let end = isLast ? items.length : Math.min(start + size, items.length)
    const first = items[start]!.value
    const last = items[end - 1]!.value
    const boundary = granularity === undefined ? last : rounded(last, granularity.up)
    const joins = (value: Value) => compareValues(value, boundary) < (granularity === undefined ? 1 : 0)
    while (end < items.length && joins(items[end]!.value)) end += 1
    const next = items[end]?.value
    let min = first
    let max = next ?? boundary
    if (granularity !== undefined) {
      min = cuts.at(-1)?.max ?? rounded(first, granularity.down)
      // A first bucket of nothing but zeros would have no width.
      const isZero = isNumeric(boundary) && toNumber(boundary) === 0
      max = isZero && next !== undefined ? rounded(next, granularity.down) : boundary
    }
    cuts.push({ min, max, items: items.slice(start, end) })
    start = end
  }
  return cuts
}

function gather(
  { min, max, items }: Cut,
  outputs: readonly Output[],
  environment: Omit<Environment, 'root'>,
): Document {
  const parts = outputs.map(({ call }) => call.start())
  for (const { document } of items) for (const part of parts) part.add({ ...environment, root: document })
  return { _id: { min, max }, ...objectOf(outputs.map(({ name }, i) => [name, parts[i]!.result()])) }
}

/** Groups into a number of buckets of about equal size, whose boundaries it finds. */
export const bucketAuto: StageDefinition = {
  name: '$bucketAuto',
  doc: {
    form: '{ $bucketAuto: { groupBy: <expression>, buckets: <number>, output: { <field>: <accumulator>, … }, granularity: <series> } }',
    meaning:
      'Groups documents into so many buckets of about equal size. _id holds min (included) and max (excluded, but for the last bucket). Equal values stay together, so there may be fewer buckets. granularity rounds the boundaries to preferred numbers: R5 … R80, 1-2-5, E6 … E192, POWERSOF2.',
    example: {
      documents: [{ score: 1 }, { score: 2 }, { score: 2 }, { score: 5 }],
      pipeline: [{ $bucketAuto: { groupBy: '$score', buckets: 2 } }],
      result: [
        { _id: { min: 1, max: 5 }, count: 3 },
        { _id: { min: 5, max: 5 }, count: 1 },
      ],
    },
  },
  parse: (json, context) => {
    const spec = parseBucketAuto(json, context)
    const { groupBy, outputs } = spec
    const bounds = {
      kind: 'object',
      fields: [
        ['min', groupBy],
        ['max', groupBy],
      ],
    } as const
    return {
      stage: {
        name: '$bucketAuto',
        run: (documents, environment) => {
          const items = documents.map(document => ({
            document,
            value: evaluateExpression(groupBy, { ...environment, root: document }) ?? null,
          }))
          const sorted = items.toSorted((a, b) => compareValues(a.value, b.value))
          return cut(sorted, spec).map(one => gather(one, outputs, environment))
        },
        ...(outputs.some(({ inOrder }) => inOrder) ? {} : { order: 'free' as const }),
        compile: (relation, compile) =>
          // Boundaries of a series are rounded one after the other.
          spec.granularity === undefined ? bucketAutoSql(spec, relation, compile) : undefined,
        reads: () => readBy([groupBy, ...outputs.flatMap(({ call }) => call.operands)]),
        toJson: () => ({
          $bucketAuto: {
            groupBy: expressionToJson(groupBy),
            buckets: spec.buckets,
            output: outputsToJson(outputs),
            ...(spec.granularity === undefined ? {} : { granularity: spec.granularity.name }),
          },
        }),
      },
      shape: shapeOfGroups(shapeOf(bounds, context), outputs, context),
    }
  },
}
