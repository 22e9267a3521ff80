import { compareValuesSql } from '../../compile/compare-values-sql.js'
import { lambdaName } from '../../compile/lambda.js'
import { failing } from '../../compile/fails.js'
import { join, sql } from '../../compile/sql.js'
import type { SqlExpression } from '../../compile/types.js'
import { given, take } from '../../compile/take.js'
import { compareInExpression } from '../../order.js'
import type { CompileContext, Expression } from '../../tree.js'
import { isArray, isDocument, typeName } from '../../value.js'
import { textAsDate } from '../comparison/text-as-date.js'
import type { DatesKnown } from '../dates-known.js'
import { BOOL } from '../../given-type.js'
import { eager } from '../eager.js'
import type { ExpressionOperator } from '../expression-operator.js'
import { wrongType } from '../wrong-type.js'

const EQUAL = { less: sql`false`, equal: sql`true`, greater: sql`false` }

/** ISO strings of a list in which a date is looked for are dates, and one that is looked for among dates. */
function datesAmong(
  [value, list, ...rest]: readonly Expression[],
  { isDate, areDates }: DatesKnown,
): readonly Expression[] {
  if (value === undefined || list === undefined) return []
  if (isDate(value) && list.kind === 'array') {
    return [value, { kind: 'array', items: list.items.map(textAsDate) }, ...rest]
  }
  return [areDates(list) ? textAsDate(value) : value, list, ...rest]
}

/** Most values that are compared one by one. */
const MOST_COMPARED = 32

/** The items of a list that is written out of texts, numbers and truths. */
function writtenOut(list: Expression | undefined): readonly Expression[] {
  if (list?.kind !== 'array' || list.items.length > MOST_COMPARED) return []
  const isScalar = (item: Expression) =>
    item.kind === 'literal' && item.value !== null && !isArray(item.value) && !isDocument(item.value)
  return list.items.every(isScalar) ? list.items : []
}

/** Whether a value is one of several: a list of several kinds has no type in the engine, but each of them has. */
function oneOfSql(value: Expression, items: readonly Expression[], compile: CompileContext): SqlExpression | undefined {
  const looked = compile.expression(value)
  if (looked === undefined) return undefined
  const equal = items.map(item => {
    const one = compile.expression(item)
    return one && compareValuesSql(looked, one, { ...EQUAL, greater: EQUAL.less })
  })
  const known = equal.filter(one => one !== undefined)
  if (known.length < equal.length) return undefined
  return failing({ sql: sql`(${join(known, ' or ')})`, type: { kind: 'bool', absent: 'never' } }, looked.fails)
}

const inList = eager({
  name: '$in',
  doc: {
    form: '{ $in: [<expression>, <array>] }',
    meaning:
      'Whether the array holds a value equal to the first operand. What is no array, null included, is an error.',
    example: { expression: { $in: ['$channel', ['phone', 'chat']] }, document: { channel: 'chat' }, result: true },
  },
  arity: [2, 2],
  prepare: datesAmong,
  gives: () => BOOL,
  evaluate: (value, list) => {
    if (!isArray(list)) throw wrongType('$in', 'an array as second operand', list)
    return list.some(item => compareInExpression(item, value) === 0)
  },
  sql: ([value, input]) => {
    if (value === undefined || input === undefined) return undefined
    const demand = { operator: '$in', wanted: 'list', wants: 'an array as second operand', nulls: 'wrong' } as const
    const taken = take([input], demand)
    const list = taken?.operands[0]
    if (taken === undefined || list?.type.kind !== 'list') return undefined
    const { of } = list.type
    const plain = of.kind === value.type.kind && (of.kind === 'string' || of.kind === 'date' || of.kind === 'bool')
    // Neither a value that is there equals an element that is null, nor a missing one.
    const apart = value.type.absent === 'never' || (value.type.absent === 'missing' && of.absent === 'never')
    if (plain && apart) {
      // An empty list in the place of one that is not there holds nothing either; the engine would make it for each row.
      return given(taken, sql`coalesce(list_contains(${list.orNull ?? list.sql}, ${value.sql}), false)`, {
        kind: 'bool',
      })
    }
    const element = lambdaName()
    const equal = compareValuesSql({ sql: element, type: of }, value, { ...EQUAL, greater: EQUAL.less })
    return (
      equal && given(taken, sql`(len(list_filter(${list.sql}, lambda ${element}: ${equal})) > 0)`, { kind: 'bool' })
    )
  },
})

/** Whether an array holds a value. */
export const inArray: ExpressionOperator = {
  ...inList,
  parse(argument, context, parse) {
    const call = inList.parse(argument, context, parse)
    const [value, list] = call.operands
    const items = writtenOut(list)
    const kinds = new Set(items.map(item => (item.kind === 'literal' ? typeName(item.value) : '')))
    if (value === undefined || kinds.size < 2) return call
    return { ...call, sql: compile => oneOfSql(value, items, compile) ?? call.sql(compile) }
  },
}
