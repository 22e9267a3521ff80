import { isObject } from '../../../base/is-object.js'
import { isSortable } from '../../compile/sortable.js'
import { fieldSql } from '../../compile/field-sql.js'
import { lambdaName } from '../../compile/lambda.js'
import { keylessSql, valueKeySql } from '../../compile/order-key.js'
import { type Fragment, join, sql, trusted } from '../../compile/sql.js'
import type { SqlExpression, SqlType } from '../../compile/types.js'
import { given, take } from '../../compile/take.js'
import { evaluateExpression, expressionToJson } from '../../evaluate-expression.js'
import { readLiteral } from '../../extended-json.js'
import { compareValues } from '../../order.js'
import { type ParseContext, at } from '../../parse-context.js'
import { type FieldPath, parsePath } from '../../path.js'
import { Refusal } from '../../refusal.js'
import { type Value, isArray, isDocument, isNumeric, toNumber } from '../../value.js'
import { failing } from '../../compile/fails.js'
import { argumentFields } from '../argument-fields.js'
import { expressionDoc } from '../expression-doc.js'
import type { ExpressionOperator } from '../expression-operator.js'
import { wrongType } from '../wrong-type.js'

interface Key {
  readonly path: FieldPath
  readonly sign: 1 | -1
}

function signOf(json: unknown, context: ParseContext): 1 | -1 {
  const value = readLiteral(json, context.where)
  const sign = isNumeric(value) ? toNumber(value) : 0
  if (sign !== 1 && sign !== -1) throw new Refusal(context.where, 'the direction is 1 or -1')
  return sign
}

/** The keys: one with an empty path sorts the elements themselves. */
function parseSortBy(json: unknown, context: ParseContext): readonly Key[] {
  if (!isObject(json)) return [{ path: [], sign: signOf(json, context) }]
  const keys = Object.entries(json).map(([name, direction]): Key => {
    const inner = at(context, name)
    return { path: parsePath(name, inner.where), sign: signOf(direction, inner) }
  })
  if (keys.length === 0) throw new Refusal(context.where, '$sortArray takes at least one field in sortBy')
  return keys
}

/** Arrays on the way are not walked here, other than in $sort. */
function keyOf(item: Value, path: FieldPath): Value | undefined {
  let value: Value | undefined = item
  for (const part of path) {
    if (!isDocument(value)) return undefined
    value = Object.hasOwn(value, part) ? value[part] : undefined
  }
  return value
}

function sorted(list: readonly Value[], keys: readonly Key[]): readonly Value[] {
  return list.toSorted((a, b) => {
    for (const { path, sign } of keys) {
      const order = compareValues(keyOf(a, path), keyOf(b, path))
      if (order !== 0) return order * sign
    }
    return 0
  })
}

/**
 * Documents in the order of fields of theirs, `undefined` where the engine has no such order: each is sorted with its keys and
 * its place before it, so that what is equal stays as it was.
 */
function sortedByFields(list: SqlExpression, of: SqlType, keys: readonly Key[]): Fragment | undefined {
  const [descending, ...others] = new Set(keys.map(({ sign }) => sign === -1))
  if (of.kind !== 'struct' || of.absent !== 'never' || others.length > 0) return undefined
  const [element, place, one] = [lambdaName(), lambdaName(), lambdaName()]
  const fields = keys.map(({ path }) =>
    path.reduce<SqlExpression>((inside, part) => fieldSql(inside, part), { sql: element, type: of }),
  )
  const by = fields.map(field => (field.type.kind === 'list' ? undefined : valueKeySql(field)))
  if (by.includes(undefined) || fields.some(field => keylessSql(field) !== undefined)) return undefined
  const parts = by.map((key, i) => sql`${trusted(`k${i}`)} := ${key!}`)
  const at = descending === true ? sql`-${place}` : place
  const placed = sql`list_transform(${list.sql}, lambda ${element}, ${place}: struct_pack(${join(parts, ', ')}, p := ${at}, v := ${element}))`
  const inOrder = sql`list_sort(${placed}, ${descending === true ? sql`'DESC'` : sql`'ASC'`})`
  return sql`list_transform(${inOrder}, lambda ${one}: struct_extract(${one}, 'v'))`
}

export const sortArray: ExpressionOperator = {
  name: '$sortArray',
  doc: expressionDoc({
    form: '{ $sortArray: { input: <array>, sortBy: <1, -1 or { field: 1 or -1, … }> } }',
    meaning:
      'The elements in order: by their own value for 1 and -1, by fields of theirs for a document. Null or missing input gives null.',
    example: {
      expression: { $sortArray: { input: '$n', sortBy: -1 } },
      document: { n: [2, 9, 4] },
      result: [9, 4, 2],
    },
  }),
  parse(argument, context, parse) {
    const fields = argumentFields('$sortArray', argument, ['input', 'sortBy'], [], context)
    const input = parse(fields.input, at(context, 'input'))
    const keys = parseSortBy(fields.sortBy, at(context, 'sortBy'))
    return {
      operator: '$sortArray',
      operands: [input],
      evaluate: environment => {
        const list = evaluateExpression(input, environment)
        if (list === undefined || list === null) return null
        if (!isArray(list)) throw wrongType('$sortArray', 'an array as input', list)
        return sorted(list, keys)
      },
      sql: compile => {
        const compiled = compile.expression(input)
        const demand = { operator: '$sortArray', wanted: 'list', wants: 'an array as input', nulls: 'null' } as const
        const taken = compiled && take([compiled], demand)
        const list = taken?.operands[0]
        const [key] = keys
        if (taken === undefined || list?.type.kind !== 'list' || key === undefined) return undefined
        if (key.path.length > 0) {
          const byFields = sortedByFields(list, list.type.of, keys)
          return byFields && failing(given(taken, byFields, list.type), compiled?.fails)
        }
        if (!isSortable(list.type.of)) return undefined
        const inOrder =
          key.sign === 1
            ? sql`list_sort(${list.sql}, 'ASC', 'NULLS FIRST')`
            : sql`list_sort(${list.sql}, 'DESC', 'NULLS LAST')`
        return failing(given(taken, inOrder, list.type), compiled?.fails)
      },
      toJson: () => ({
        $sortArray: {
          input: expressionToJson(input),
          sortBy:
            keys[0]?.path.length === 0
              ? keys[0].sign
              : Object.fromEntries(keys.map(({ path, sign }) => [path.join('.'), sign])),
        },
      }),
    }
  },
}
