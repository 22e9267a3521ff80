import { objectSql } from '../../compile/compile-expression.js'
import { failing, failsWhen } from '../../compile/fails.js'
import { lambdaName } from '../../compile/lambda.js'
import { bind, sql } from '../../compile/sql.js'
import { type SqlExpression, withAbsent } from '../../compile/types.js'
import { POISONED } from '../../poisoned.js'
import type { CompileContext, Expression } from '../../tree.js'
import { type Value, isArray, isDocument } from '../../value.js'
import { eager } from '../eager.js'
import { ExpressionError } from '../expression-error.js'
import type { ExpressionOperator } from '../expression-operator.js'
import { wrongType } from '../wrong-type.js'
import { objectOf } from '../../../base/fields.js'
import { usableName } from './usable-name.js'

const FORMS = 'takes an array of {k, v} documents or of [name, value] pairs, all of one form'

const UNUSABLE = 'takes strings as field names, without NUL characters and none that no document may have'

function pairOf(item: Value, asArrays: boolean): readonly [string, Value] {
  if (asArrays !== isArray(item)) throw new ExpressionError('$arrayToObject', FORMS)
  if (isArray(item)) {
    if (item.length !== 2) throw new ExpressionError('$arrayToObject', FORMS)
    return [usableName('$arrayToObject', item[0]), item[1]!]
  }
  if (!isDocument(item) || Object.keys(item).length !== 2 || !Object.hasOwn(item, 'k') || !Object.hasOwn(item, 'v')) {
    throw new ExpressionError('$arrayToObject', FORMS)
  }
  return [usableName('$arrayToObject', item['k']), item['v']!]
}

/** The items of an array that is written as one. */
function itemsOf(expression: Expression | undefined): readonly Expression[] | undefined {
  if (expression?.kind === 'array') return expression.items
  if (expression?.kind !== 'literal' || !isArray(expression.value)) return undefined
  return expression.value.map(value => ({ kind: 'literal', value }))
}

/** A pair that is written as [name, value]. */
function writtenPair(item: Expression): readonly [string, Expression] | undefined {
  const [name, value, ...more] = itemsOf(item) ?? []
  if (name?.kind !== 'literal' || typeof name.value !== 'string' || value === undefined || more.length > 0)
    return undefined
  return POISONED.has(name.value) || name.value.includes('\0') ? undefined : [name.value, value]
}

/** Pairs that are written as [name, value], whose names are known: a document of those fields. */
function writtenSql(pairs: Expression | undefined, context: CompileContext): SqlExpression | undefined {
  const fields = new Map<string, SqlExpression>()
  for (const item of itemsOf(pairs) ?? []) {
    const pair = writtenPair(item)
    const value = pair && context.expression(pair[1])
    if (pair === undefined || value === undefined) return undefined
    // What is missing is null in an array.
    const { isNull: _, ...there } = value
    fields.set(pair[0], value.type.absent === 'never' ? value : { ...there, type: withAbsent(value.type, 'null') })
  }
  return objectSql([...fields])
}

const fromValues = eager({
  name: '$arrayToObject',
  doc: {
    form: '{ $arrayToObject: <array of { k, v } or of [name, value]> }',
    meaning:
      'A document from an array of its fields; of two with one name the later value counts. Null or missing gives null.',
    example: {
      expression: { $arrayToObject: '$pairs' },
      document: { pairs: [{ k: 'good', v: 3 }] },
      result: { good: 3 },
    },
  },
  arity: [1, 1],
  evaluate: list => {
    if (list === undefined || list === null) return null
    if (!isArray(list)) throw wrongType('$arrayToObject', 'an array', list)
    const asArrays = isArray(list[0])
    return objectOf(list.map(item => pairOf(item, asArrays)))
  },
  sql: ([list]) => {
    if (list?.type.kind !== 'list' || list.type.of.kind !== 'struct' || list.type.of.absent !== 'never')
      return undefined
    const { fields } = list.type.of
    const [k, v] = [fields.get('k'), fields.get('v')]
    if (fields.size !== 2 || k?.kind !== 'string' || v === undefined) return undefined
    if (v.absent !== 'never' && v.absent !== 'null') return undefined
    const [pair, wrong] = [lambdaName(), lambdaName()]
    const name = sql`struct_extract(${pair}, 'k')`
    const isUnusable = sql`(${name} is null or list_contains(${bind([...POISONED], 'VARCHAR[]')}, ${name}) or contains(${name}, chr(0)))`
    const inOrder = sql`list_transform(${list.sql}, lambda ${wrong}: struct_pack(k := struct_extract(${wrong}, 'k'), v := struct_extract(${wrong}, 'v')))`
    return failing(
      {
        sql: inOrder,
        type: { kind: 'pairs', of: v, absent: list.type.absent === 'never' ? 'never' : 'null' },
      },
      failsWhen(sql`len(list_filter(${list.sql}, lambda ${pair}: ${isUnusable})) > 0`, '$arrayToObject', UNUSABLE),
    )
  },
})

export const arrayToObject: ExpressionOperator = {
  ...fromValues,
  parse: (argument, context, parse) => {
    const call = fromValues.parse(argument, context, parse)
    return { ...call, sql: compile => writtenSql(call.operands[0], compile) ?? call.sql(compile) }
  },
}
