import { listFails } from '../../compile/list-fails.js'
import { failing } from '../../compile/fails.js'
import { bind, sql } from '../../compile/sql.js'
import { given } from '../../compile/take.js'
import { truthySql } from '../../compile/truthy-sql.js'
import { evaluateExpression, expressionToJson } from '../../evaluate-expression.js'
import { at, withVariables } from '../../parse-context.js'
import { type Value, isArray, isInt, isNumeric, isTruthy, toNumber } from '../../value.js'
import { argumentFields } from '../argument-fields.js'
import { expressionDoc } from '../expression-doc.js'
import { ExpressionError } from '../expression-error.js'
import type { ExpressionOperator } from '../expression-operator.js'
import { wrongType } from '../wrong-type.js'
import { entryIn } from './entry-in.js'
import { bindElement } from './bind-element.js'
import { parseVariableName } from './parse-variable-name.js'

/** How many elements at most; `undefined` is all of them. */
function readLimit(value: Value | undefined): number {
  if (value === undefined || value === null) return Infinity
  const limit = isNumeric(value) ? toNumber(value) : Number.NaN
  if (!isInt(limit) || limit < 1) {
    throw new ExpressionError('$filter', 'takes a whole number from 1 as limit')
  }
  return limit
}

/** The elements that meet a condition. */
export const filter: ExpressionOperator = {
  name: '$filter',
  doc: expressionDoc({
    form: '{ $filter: { input: <array>, as: <name>, cond: <expression>, limit: <number> } }',
    meaning:
      'The elements for which the condition is true, at most limit of them; the condition sees the element as $$<name> ($$this when no name is given). Null or missing input gives null.',
    example: {
      expression: { $filter: { input: '$signals', as: 's', cond: { $eq: ['$$s.state', 'present'] } } },
      document: {
        signals: [
          { key: 'a', state: 'present' },
          { key: 'b', state: 'absent' },
        ],
      },
      result: [{ key: 'a', state: 'present' }],
    },
  }),
  parse(argument, context, parse) {
    const fields = argumentFields('$filter', argument, ['input', 'cond'], ['as', 'limit'], context)
    const as = Object.hasOwn(fields, 'as') ? parseVariableName(fields.as, at(context, 'as')) : 'this'
    const input = parse(fields.input, at(context, 'input'))
    const cond = parse(fields.cond, withVariables(at(context, 'cond'), [[as, entryIn(input, context)]]))
    const limit = Object.hasOwn(fields, 'limit') ? parse(fields.limit, at(context, 'limit')) : undefined
    return {
      operator: '$filter',
      gives: typeOf => typeOf(input),
      operands: [input, cond, ...(limit === undefined ? [] : [limit])],
      evaluate: environment => {
        const list = evaluateExpression(input, environment)
        if (list === undefined || list === null) return null
        if (!isArray(list)) throw wrongType('$filter', 'an array as input', list)
        const most = limit === undefined ? Infinity : readLimit(evaluateExpression(limit, environment))
        const variables = new Map(environment.variables)
        const inside = { ...environment, variables }
        const kept: Value[] = []
        for (const item of list) {
          if (kept.length >= most) break
          variables.set(as, item)
          if (isTruthy(evaluateExpression(cond, inside))) kept.push(item)
        }
        return kept
      },
      sql: compile => {
        const list = compile.expression(input)
        const each = list && bindElement('$filter', list, as, cond, compile)
        if (each === undefined) return undefined
        const all = sql`list_filter(${each.list}, lambda ${each.element}: ${truthySql(each.body)})`
        const most = limit === undefined ? undefined : compile.expression(limit)
        const count = most?.constant
        if (limit !== undefined && (!isInt(count) || count < 1)) return undefined
        // With a limit the elements after the last one kept are not judged: whether they fail is not known.
        if (count !== undefined && each.body.fails !== undefined) return undefined
        const kept = count === undefined ? all : sql`list_slice(${all}, 1, ${bind(BigInt(count), 'BIGINT')})`
        const fails = listFails(each.list, each.element, each.body.fails)
        return failing(given(each.taken, kept, { kind: 'list', of: each.of }, { fails }), list?.fails)
      },
      toJson: () => ({
        $filter: {
          input: expressionToJson(input),
          as,
          cond: expressionToJson(cond),
          ...(limit === undefined ? {} : { limit: expressionToJson(limit) }),
        },
      }),
    }
  },
}
