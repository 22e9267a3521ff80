import { listFails } from '../../compile/list-fails.js'
import { failing } from '../../compile/fails.js'
import { sql } from '../../compile/sql.js'
import { given } from '../../compile/take.js'
import { evaluateExpression, expressionToJson } from '../../evaluate-expression.js'
import { listType } from '../../given-type.js'
import { at, withVariables } from '../../parse-context.js'
import { shapeOf } from '../../stages/shape-of.js'
import { type Value, isArray } from '../../value.js'
import { argumentFields } from '../argument-fields.js'
import { elementGuard } from '../bounded.js'
import { expressionDoc } from '../expression-doc.js'
import type { ExpressionOperator } from '../expression-operator.js'
import { wrongType } from '../wrong-type.js'
import { entryIn } from './entry-in.js'
import { bindElement } from './bind-element.js'
import { parseVariableName } from './parse-variable-name.js'

/** An array of what an expression gives for each element. */
export const map: ExpressionOperator = {
  name: '$map',
  doc: expressionDoc({
    form: '{ $map: { input: <array>, as: <name>, in: <expression> } }',
    meaning:
      'What the expression gives for each element, which it sees as $$<name> ($$this when no name is given). Null or missing input gives null; an element for which the result is missing becomes null.',
    example: {
      expression: { $map: { input: '$signals', as: 's', in: { $toUpper: '$$s.key' } } },
      document: { signals: [{ key: 'a' }, { key: 'b' }] },
      result: ['A', 'B'],
    },
  }),
  parse(argument, context, parse) {
    const fields = argumentFields('$map', argument, ['input', 'in'], ['as'], context)
    const as = Object.hasOwn(fields, 'as') ? parseVariableName(fields.as, at(context, 'as')) : 'this'
    const input = parse(fields.input, at(context, 'input'))
    const inside = withVariables(at(context, 'in'), [[as, entryIn(input, context)]])
    const body = parse(fields.in, inside)
    return {
      operator: '$map',
      operands: [input, body],
      // The body is known where the variable is.
      gives: () => listType(body, one => shapeOf(one, inside)),
      evaluate: environment => {
        const list = evaluateExpression(input, environment)
        if (list === undefined || list === null) return null
        if (!isArray(list)) throw wrongType('$map', 'an array as input', list)
        const variables = new Map(environment.variables)
        const inside = { ...environment, variables }
        const guard = elementGuard('$map')
        return list.map((item): Value => {
          variables.set(as, item)
          const value = evaluateExpression(body, inside) ?? null
          guard(value)
          return value
        })
      },
      sql: compile => {
        const list = compile.expression(input)
        const each = list && bindElement('$map', list, as, body, compile)
        if (each === undefined) return undefined
        const { type } = each.body
        if (type.kind === 'nothing' || (type.kind === 'double' && type.mixed !== undefined)) return undefined
        const mapped = sql`list_transform(${each.list}, lambda ${each.element}: ${each.body.sql})`
        const of = { ...type, absent: type.absent === 'never' ? 'never' : 'null' } as const
        const fails = listFails(each.list, each.element, each.body.fails)
        return failing(given(each.taken, mapped, { kind: 'list', of }, { fails }), list?.fails)
      },
      toJson: () => ({ $map: { input: expressionToJson(input), as, in: expressionToJson(body) } }),
    }
  },
}
