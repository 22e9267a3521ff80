import type { CompileContext, Expression } from '../../tree.js'
import { arraySql } from '../../compile/compile-expression.js'
import { failing } from '../../compile/fails.js'
import { bound, lambdaName } from '../../compile/lambda.js'
import { join, sql } from '../../compile/sql.js'
import { given, take } from '../../compile/take.js'
import { type SqlExpression, joinAbsent } from '../../compile/types.js'
import { type Value, isArray } from '../../value.js'
import { boundedLength } from '../bounded.js'
import { compileOperands } from '../compile-operands.js'
import { expressionDoc } from '../expression-doc.js'
import { ExpressionError } from '../expression-error.js'
import type { ExpressionOperator } from '../expression-operator.js'
import { argumentFields } from '../argument-fields.js'
import { at } from '../../parse-context.js'
import { Refusal } from '../../refusal.js'
import { evaluateExpression, expressionToJson } from '../../evaluate-expression.js'
import { wrongType } from '../wrong-type.js'

/** The arrays side by side: their first elements, their second … */
function zipped(lists: readonly (readonly Value[])[], longest: boolean, defaults: readonly Value[]): readonly Value[] {
  const lengths = lists.map(list => list.length)
  const length = longest ? Math.max(...lengths) : Math.min(...lengths)
  boundedLength('$zip', length * lists.length)
  return Array.from({ length }, (_, i) => lists.map((list, j) => (i < list.length ? list[i]! : (defaults[j] ?? null))))
}

/** Arrays of arrays have a type in the engine only where all elements are of one. */
function zipSql(inputs: readonly Expression[], longest: boolean, context: CompileContext): SqlExpression | undefined {
  const compiled = compileOperands(inputs, context)
  const taken =
    compiled && take(compiled, { operator: '$zip', wanted: 'list', wants: 'arrays as inputs', nulls: 'null in order' })
  if (compiled === undefined || taken === undefined) return undefined
  const place = lambdaName()
  const { names, around } = bound(taken.operands.map(one => one.sql))
  const items = taken.operands.map(({ type }, i): SqlExpression | undefined => {
    if (type.kind !== 'list') return undefined
    const absent = longest ? joinAbsent(type.of.absent, 'null') : type.of.absent
    return { sql: sql`list_extract(${names[i]!}, ${place})`, type: { ...type.of, absent } }
  })
  const row = items.includes(undefined) ? undefined : arraySql(items.filter(item => item !== undefined))
  if (row === undefined) return undefined
  const lengths = join(
    names.map(list => sql`len(${list})`),
    ', ',
  )
  const count = longest ? sql`greatest(${lengths})` : sql`least(${lengths})`
  const absent = join(
    names.map(list => sql`${list} is null`),
    ' or ',
  )
  const rows = sql`list_transform(range(1, ${count} + 1), lambda ${place}: ${row.sql})`
  // The engine leaves a NULL length out of the least of them.
  const value = taken.absent === 'never' ? rows : sql`(case when ${absent} then null else ${rows} end)`
  return failing(given(taken, around(value), { kind: 'list', of: row.type }), ...compiled.map(one => one.fails))
}

/** Arrays transposed. */
export const zip: ExpressionOperator = {
  name: '$zip',
  doc: expressionDoc({
    form: '{ $zip: { inputs: [<array>, …], useLongestLength: <boolean>, defaults: <array> } }',
    meaning:
      'An array of arrays: the first elements together, then the second … as many as the shortest has, or with useLongestLength the longest, the gaps filled from defaults or with null. A null or missing input gives null.',
    example: {
      expression: { $zip: { inputs: ['$a', '$b'] } },
      document: { a: [1, 2], b: ['x', 'y'] },
      result: [
        [1, 'x'],
        [2, 'y'],
      ],
    },
  }),
  parse(argument, context, parse) {
    const fields = argumentFields('$zip', argument, ['inputs'], ['useLongestLength', 'defaults'], context)
    const { inputs, useLongestLength = false } = fields
    if (!Array.isArray(inputs) || inputs.length === 0) {
      throw new Refusal(at(context, 'inputs').where, 'is an array of at least one array')
    }
    if (typeof useLongestLength !== 'boolean') {
      throw new Refusal(at(context, 'useLongestLength').where, 'is true or false')
    }
    const hasDefaults = Object.hasOwn(fields, 'defaults')
    if (hasDefaults && !useLongestLength) {
      throw new Refusal(context.where, '$zip takes defaults only with useLongestLength: true')
    }
    const lists = inputs.map((input: unknown, i) => parse(input, at(at(context, 'inputs'), i)))
    const defaults = hasDefaults ? parse(fields.defaults, at(context, 'defaults')) : undefined
    return {
      operator: '$zip',
      operands: [...lists, ...(defaults === undefined ? [] : [defaults])],
      evaluate: environment => {
        const values: (readonly Value[])[] = []
        for (const list of lists) {
          const value = evaluateExpression(list, environment)
          // In their order: what comes after a null is not judged.
          if (value === undefined || value === null) return null
          if (!isArray(value)) throw wrongType('$zip', 'arrays as inputs', value)
          values.push(value)
        }
        const filling = defaults === undefined ? [] : evaluateExpression(defaults, environment)
        if (!isArray(filling) || (defaults !== undefined && filling.length !== lists.length)) {
          throw new ExpressionError('$zip', 'takes an array of as many defaults as inputs')
        }
        return zipped(values, useLongestLength, filling)
      },
      sql: compile => (defaults === undefined ? zipSql(lists, useLongestLength, compile) : undefined),
      toJson: () => ({
        $zip: {
          inputs: lists.map(expressionToJson),
          useLongestLength,
          ...(defaults === undefined ? {} : { defaults: expressionToJson(defaults) }),
        },
      }),
    }
  },
}
