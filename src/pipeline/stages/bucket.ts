import { jsonKind } from '../compile/json-kind.js'
import { isObject } from '../../base/is-object.js'
import type { FieldType } from '../../calls/field-type.js'
import type { CompileContext, Environment, Expression } from '../tree.js'
import { literalSql } from '../compile/compile-expression.js'
import { failsWhen } from '../compile/fails.js'
import { jsonLiteral } from '../compile/json-literal.js'
import type { Relation } from '../compile/relation.js'
import { type Fragment, bind, sql } from '../compile/sql.js'
import type { SqlExpression } from '../compile/types.js'
import { commonType } from '../compile/unify.js'
import { evaluateExpression, expressionToJson } from '../evaluate-expression.js'
import { ExpressionError } from '../expressions/expression-error.js'
import { datesKnown } from '../expressions/dates-known.js'
import { parseExpression } from '../expressions/parse-expression.js'
import { besideDate } from '../extended-json.js'
import { eitherType } from '../given-type.js'
import { compareSql } from '../match/compare-sql.js'
import { compareInExpression, compareValues, typeClass } from '../order.js'
import { type ParseContext, at } from '../parse-context.js'
import { Refusal } from '../refusal.js'
import { type Value, isDocument, isNumeric } from '../value.js'
import { constantToJson, parseConstant } from './constant.js'
import { gatherGroups } from './gather-groups.js'
import { shapeOfGroups } from './group.js'
import { groupSql } from './group-sql.js'
import { type Output, outputsOrCount, outputsToJson } from './outputs.js'
import { readOptions } from './read-options.js'
import { shapeOf } from './shape-of.js'
import type { StageDefinition } from './stage-definition.js'
import { readBy } from '../fields-read.js'

const OPTIONS = ['groupBy', 'boundaries', 'default', 'output'] as const

const OUTSIDE = 'met a value outside its boundaries; give a default to take such values'

interface Bucket {
  readonly groupBy: Expression
  /** At least two, ascending, of one type class. */
  readonly boundaries: readonly Value[]
  readonly fallback: Value | undefined
  readonly outputs: readonly Output[]
}

/** What buckets are cut by: `$field`, or an expression with an operator; a constant would make one bucket of all. */
export function parseGroupBy(json: unknown, name: string, context: ParseContext): Expression {
  const isPath = typeof json === 'string' && json.startsWith('$')
  if (!isPath && !isObject(json)) {
    throw new Refusal(context.where, `${name} takes a field such as "$score" or an expression as groupBy`)
  }
  return parseExpression(json, context)
}

function parseBucket(json: unknown, context: ParseContext): Bucket {
  const options = readOptions(json, '$bucket', OPTIONS, context)
  const place = at(context, 'boundaries')
  if (!Array.isArray(options.boundaries) || options.boundaries.length < 2) {
    throw new Refusal(place.where, 'is an array of at least two ascending values, such as [0, 10, 20]')
  }
  const groupBy = parseGroupBy(options.groupBy, '$bucket', at(context, 'groupBy'))
  const areDates = datesKnown(context).isDate(groupBy)
  const boundaries = options.boundaries.map((item: unknown, i): Value => {
    const boundary = parseConstant(item, at(place, i))
    return areDates ? besideDate(boundary) : boundary
  })
  for (const [i, high] of boundaries.slice(1).entries()) {
    const low = boundaries[i]!
    if (typeClass(low) !== typeClass(high)) throw new Refusal(place.where, 'the boundaries are all of one type')
    if (compareValues(low, high) >= 0)
      throw new Refusal(place.where, 'the boundaries ascend, each above the one before')
  }
  const fallback = options.default === undefined ? undefined : parseConstant(options.default, at(context, 'default'))
  if (fallback !== undefined && bucketOf(fallback, boundaries) !== undefined) {
    throw new Refusal(at(context, 'default').where, 'lies below the lowest boundary or not below the highest')
  }
  return {
    groupBy,
    boundaries,
    fallback,
    outputs: outputsOrCount(options.output, at(context, 'output')),
  }
}

/** The lower boundary of the bucket a value falls into. */
function bucketOf(value: Value | undefined, boundaries: readonly Value[]): Value | undefined {
  if (compareInExpression(value, boundaries[0]) < 0) return undefined
  const above = boundaries.findIndex(boundary => compareInExpression(value, boundary) < 0)
  return above === -1 ? undefined : boundaries[above - 1]
}

/** The documents' _id by the number of the bucket; `undefined` when no one SQL type holds them all. */
function idsSql(ids: readonly Value[], number: Fragment): SqlExpression | undefined {
  const literals = ids.map(literalSql)
  if (ids.some(isDocument)) return undefined
  const choose = (values: readonly Fragment[]): Fragment =>
    sql`(case ${number}${values.reduce((all, value, i) => sql`${all} when ${bind(BigInt(i), 'BIGINT')} then ${value}`, sql``)} end)`
  const known = literals.filter(one => one !== undefined)
  const type = known.length < ids.length ? undefined : commonType(known.map(one => one.type))
  if (type !== undefined) return { sql: choose(known.map(one => one.sql)), type }
  const texts = ids.map(jsonLiteral).filter(text => text !== undefined)
  if (texts.length < ids.length) return undefined
  return {
    sql: sql`${choose(texts.map(text => sql`${bind(text, 'VARCHAR')}`))}::json`,
    type: { kind: 'open', absent: 'never' },
  }
}

function jsonNumber({ sql: value, fails }: SqlExpression): SqlExpression {
  return {
    ...(fails && { fails }),
    sql: jsonKind.ifNumber(value),
    type: { kind: 'double', finite: true, absent: 'null' },
  }
}

function compileBucket(spec: Bucket, relation: Relation, context: CompileContext): Relation | undefined {
  const { boundaries, fallback, outputs } = spec
  const compiled = context.expression(spec.groupBy)
  if (compiled === undefined) return undefined
  // Of JSON only numbers can lie between numbers: they are read once.
  const value = compiled.type.kind === 'open' && boundaries.every(isNumeric) ? jsonNumber(compiled) : compiled
  const column = context.step({ ...relation, columns: [...relation.columns, { name: ' value', ...value }] })
  const reached = boundaries.map(boundary => compareSql(column.columns.at(-1)!.sql, value.type, '>=', boundary))
  const below = boundaries.map(boundary => compareSql(column.columns.at(-1)!.sql, value.type, '<', boundary))
  const conditions = boundaries.slice(1).map((_, i) => {
    const [low, high] = [reached[i], below[i + 1]]
    return low && high && sql`(${low} and ${high})`
  })
  if (conditions.includes(undefined)) return undefined
  // Without a default what lies outside fails; those rows then stand for none.
  const ids = [...boundaries.slice(0, -1), ...(fallback === undefined ? [] : [fallback])]
  const other = bind(BigInt(boundaries.length - 1), 'BIGINT')
  const number = conditions.reduce<Fragment>(
    (all, condition, i) => sql`${all} when ${condition!} then ${bind(BigInt(i), 'BIGINT')}`,
    sql``,
  )
  const sorted = ids.map((id, i) => ({ id, i })).toSorted((a, b) => compareValues(a.id, b.id))
  const ordinary = fallback === undefined || sorted[0]!.i !== ids.length - 1
  const over = context.over(column)
  // What an accumulator fails with comes after: then every row is looked at first, else only the groups there are.
  const mayFail = outputs.some(({ call }) => call.operands.some(one => over.expression(one)?.fails !== undefined))
  if (fallback === undefined && mayFail) {
    over.mayFail(failsWhen(sql`(case${number} else ${other} end) = ${other}`, '$bucket', OUTSIDE))
  }
  const grouped = groupSql({ ...column, columns: column.columns.slice(0, -1) }, over, {
    key: { sql: sql`(case${number} else ${other} end)`, type: { kind: 'int', bits: 31, absent: 'never' } },
    constant: false,
    id: key => idsSql(ids, key.sql),
    // The buckets ascend by number; only the default may stand before them all.
    order: key => [
      ...(ordinary ? [] : [{ sql: sql`(${key.sql} <> ${other})`, descending: false }]),
      { sql: key.sql, descending: false, identifies: true },
    ],
    outputs,
  })
  const place = grouped?.order.at(-1)
  if (grouped !== undefined && place !== undefined && fallback === undefined && !mayFail) {
    context.over(grouped).mayFail(failsWhen(sql`${place.sql} = ${other}`, '$bucket', OUTSIDE))
  }
  return grouped
}

/** What _id is: a date where all that it may be are dates. */
function typeOfIds({ boundaries, fallback }: Bucket, context: ParseContext): FieldType | undefined {
  const ids = fallback === undefined ? boundaries : [...boundaries, fallback]
  const literals = ids.map(value => ({ kind: 'literal', value }) as const)
  return eitherType(literals, one => shapeOf(one, context))
}

/** Groups by the interval a value falls into, one document for each that has any (they ascend by _id). */
export const bucket: StageDefinition = {
  name: '$bucket',
  doc: {
    form: '{ $bucket: { groupBy: <expression>, boundaries: [<low>, …, <high>], default: <value>, output: { <field>: <accumulator>, … } } }',
    meaning:
      'Groups documents by the interval a value falls into: from a boundary (included) to the next (excluded). _id is the lower boundary. What falls outside goes to default; without one it is an error. Empty intervals are left out. Counts when output is not given.',
    example: {
      documents: [{ score: 1.5 }, { score: 2 }, { score: 4.5 }, {}],
      pipeline: [{ $bucket: { groupBy: '$score', boundaries: [1, 2, 3, 4, 5], default: 'none' } }],
      result: [
        { _id: 1, count: 1 },
        { _id: 2, count: 1 },
        { _id: 4, count: 1 },
        { _id: 'none', count: 1 },
      ],
    },
  },
  parse: (json, context) => {
    const spec = parseBucket(json, context)
    const { groupBy, boundaries, fallback, outputs } = spec
    const keyOf = (inside: Environment): Value => {
      const id = bucketOf(evaluateExpression(groupBy, inside), boundaries) ?? fallback
      if (id === undefined) {
        throw new ExpressionError('$bucket', OUTSIDE)
      }
      return id
    }
    return {
      stage: {
        name: '$bucket',
        run: (documents, environment) => gatherGroups(documents, environment, keyOf, outputs),
        ...(outputs.some(({ inOrder }) => inOrder) ? {} : { order: 'free' as const }),
        compile: (relation, compile) => compileBucket(spec, relation, compile),
        reads: () => readBy([groupBy, ...outputs.flatMap(({ call }) => call.operands)]),
        toJson: () => ({
          $bucket: {
            groupBy: expressionToJson(groupBy),
            boundaries: boundaries.map(constantToJson),
            ...(fallback === undefined ? {} : { default: constantToJson(fallback) }),
            output: outputsToJson(outputs),
          },
        }),
      },
      shape: shapeOfGroups(typeOfIds(spec, context), outputs, context),
    }
  },
}
