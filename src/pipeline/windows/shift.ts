import { trusted, sql } from '../compile/sql.js'
import { chosen, unify } from '../compile/unify.js'
import { evaluateExpression, expressionToJson } from '../evaluate-expression.js'
import { parseExpression } from '../expressions/parse-expression.js'
import { readLiteral } from '../extended-json.js'
import { eitherType } from '../given-type.js'
import { at } from '../parse-context.js'
import { Refusal } from '../refusal.js'
import { constantToJson, parseConstant } from '../stages/constant.js'
import { readOptions } from '../stages/read-options.js'
import { isInt, isNumeric, toNumber } from '../value.js'
import type { WindowFunction } from './window-function.js'

/** The value of a document some places before or after. */
export const shift: WindowFunction = {
  name: '$shift',
  doc: {
    form: '{ $shift: { output: <expression>, by: <whole number>, default: <value> } }',
    meaning:
      'The value of the document so many places after (by > 0) or before (by < 0) in the order of sortBy; default, or null, where the partition ends.',
    example: {
      documents: [
        { week: 1, calls: 10 },
        { week: 2, calls: 14 },
      ],
      pipeline: [
        {
          $setWindowFields: {
            sortBy: { week: 1 },
            output: { before: { $shift: { output: '$calls', by: -1, default: 0 } } },
          },
        },
      ],
      result: [
        { week: 1, calls: 10, before: 0 },
        { week: 2, calls: 14, before: 10 },
      ],
    },
  },
  window: 'none',
  sort: 'any',
  parse: (argument, context) => {
    const options = readOptions(argument, '$shift', ['output', 'by', 'default'], context)
    if (options.output === undefined) throw new Refusal(context.where, '$shift needs output')
    const output = parseExpression(options.output, at(context, 'output'))
    const place = at(context, 'by')
    const by = readLiteral(options.by ?? null, place.where)
    const steps = isNumeric(by) ? toNumber(by) : Number.NaN
    if (!isInt(steps)) throw new Refusal(place.where, 'is a whole number, such as -1 for the document before')
    const given = parseConstant(options.default ?? null, at(context, 'default'))
    return {
      operands: [output],
      gives: typeOf => eitherType([output, { kind: 'literal', value: given }], typeOf),
      run: partition =>
        Array.from({ length: partition.size }, (_, i) => {
          const from = i + steps
          if (from < 0 || from >= partition.size) return given
          return evaluateExpression(output, partition.environment(from))
        }),
      sql: ({ context: compile, ordered }) => {
        const value = compile.expression(output)
        const otherwise = compile.expression({ kind: 'literal', value: given })
        if (value === undefined || otherwise === undefined) return undefined
        if (value.type.kind === 'nothing' || value.type.absent === 'either') return undefined
        // What is missing there must be told from the default here.
        const isPlain = otherwise.type.kind === 'nothing'
        if (isPlain && value.type.absent === 'missing') return undefined
        const both = unify([value, otherwise])
        if (both === undefined) return undefined
        return {
          ...chosen(
            both,
            isPlain ? 'null' : value.type.absent,
            ([there, none]) => sql`lead(${there!}, ${trusted(String(steps))}, ${none!}) over ${ordered}`,
          ),
          ...(value.fails === undefined ? {} : { fails: value.fails }),
        }
      },
      toJson: () => ({ $shift: { output: expressionToJson(output), by: steps, default: constantToJson(given) } }),
    }
  },
}
