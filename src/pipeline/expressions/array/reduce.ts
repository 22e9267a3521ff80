import { failing } from '../../compile/fails.js'
import { evaluateExpression, expressionToJson } from '../../evaluate-expression.js'
import { at, withVariables } from '../../parse-context.js'
import { isArray } from '../../value.js'
import { argumentFields } from '../argument-fields.js'
import { growthGuard } from '../bounded.js'
import { entryIn } from './entry-in.js'
import { expressionDoc } from '../expression-doc.js'
import type { ExpressionOperator } from '../expression-operator.js'
import { wrongType } from '../wrong-type.js'
import { reduceSql } from './reduce-sql.js'

/** One value of an array, element by element. */
export const reduce: ExpressionOperator = {
  name: '$reduce',
  doc: expressionDoc({
    form: '{ $reduce: { input: <array>, initialValue: <expression>, in: <expression> } }',
    meaning:
      'One value made from the elements from left to right: the expression sees what was made so far as $$value and the element as $$this. Null or missing input gives null. A value larger than 16 MiB or nested deeper than 100 levels is an error.',
    example: {
      expression: {
        $reduce: { input: '$words', initialValue: '', in: { $concat: ['$$value', '$$this'] } },
      },
      document: { words: ['to', 'get', 'her'] },
      result: 'together',
    },
  }),
  parse(argument, context, parse) {
    const fields = argumentFields('$reduce', argument, ['input', 'initialValue', 'in'], [], context)
    const input = parse(fields.input, at(context, 'input'))
    const initial = parse(fields.initialValue, at(context, 'initialValue'))
    const body = parse(
      fields.in,
      withVariables(at(context, 'in'), [
        ['value', undefined],
        ['this', entryIn(input, context)],
      ]),
    )
    return {
      operator: '$reduce',
      operands: [input, initial, body],
      evaluate: environment => {
        const list = evaluateExpression(input, environment)
        if (list === undefined || list === null) return null
        if (!isArray(list)) throw wrongType('$reduce', 'an array as input', list)
        const guard = growthGuard('$reduce')
        const variables = new Map(environment.variables)
        const inside = { ...environment, variables }
        let value = evaluateExpression(initial, environment)
        for (const item of list) {
          variables.set('this', item)
          variables.set('value', value)
          value = evaluateExpression(body, inside)
          guard(value)
        }
        return value
      },
      // What may grow with each step (texts, arrays, documents) is evaluated, where it is counted, and so is what changes
      // its type with each, such as a sum of integers, which widens.
      sql: compile => {
        const list = compile.expression(input)
        const start = list && compile.expression(initial)
        const reduced = start && reduceSql(list, start, body, compile)
        return reduced && failing(reduced, list.fails)
      },
      toJson: () => ({
        $reduce: {
          input: expressionToJson(input),
          initialValue: expressionToJson(initial),
          in: expressionToJson(body),
        },
      }),
    }
  },
}
