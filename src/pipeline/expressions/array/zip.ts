import { type Value, isArray } from '../../value.js'
import { boundedLength } from '../bounded.js'
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
        let absent = false
        for (const list of lists) {
          const value = evaluateExpression(list, environment)
          if (value === undefined || value === null) absent = true
          else if (isArray(value)) values.push(value)
          else throw wrongType('$zip', 'arrays as inputs', value)
        }
        if (absent) return null
        const filling = defaults === undefined ? [] : evaluateExpression(defaults, environment)
        if (!isArray(filling) || (defaults !== undefined && filling.length !== lists.length)) {
          throw new ExpressionError('$zip', 'takes an array of as many defaults as inputs')
        }
        return zipped(values, useLongestLength, filling)
      },
      // Arrays of arrays of different types have no type in the engine.
      sql: () => undefined,
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
