import { orderBy } from '../compile/order-by.js'
import { failing } from '../compile/fails.js'
import { type Fragment, bind, sql } from '../compile/sql.js'
import type { SqlExpression } from '../compile/types.js'
import { evaluateExpression, expressionToJson } from '../evaluate-expression.js'
import { argumentFields } from '../expressions/argument-fields.js'
import { listType } from '../given-type.js'
import { at } from '../parse-context.js'
import type { Value } from '../value.js'
import { type AccumulatorDoc, accumulatorDoc } from './accumulator-doc.js'
import type { Accumulator } from './accumulator.js'
import { countArgument } from './count-argument.js'

interface Several {
  readonly name: string
  readonly doc: AccumulatorDoc
  /** Keeps at most n of the values. */
  readonly start: (n: number) => { add(value: Value | undefined): void; result(): readonly Value[] }
  readonly sql: (operand: SqlExpression, n: Fragment, order: Fragment) => SqlExpression | undefined
}

/** $firstN, $lastN, $maxN and $minN: `{$firstN: {input, n}}`. */
export function several({ name, doc, start, sql: toSql }: Several): Accumulator {
  return {
    name,
    doc: accumulatorDoc(doc),
    parse(argument, context, parse) {
      const fields = argumentFields(name, argument, ['input', 'n'], [], context)
      const input = parse(fields.input, at(context, 'input'))
      const n = countArgument(fields.n, name, at(context, 'n'), parse)
      return {
        operands: [input],
        gives: typeOf => listType(input, typeOf),
        start: key => {
          const kept = start(n.of(key))
          return {
            add: environment => kept.add(evaluateExpression(input, environment)),
            result: () => kept.result(),
          }
        },
        sql: compile => {
          const compiled = compile.expression(input)
          // A list has no place for the second half of a mixed number.
          if (compiled === undefined || compiled.isInt !== undefined || n.constant === undefined) return undefined
          const result = toSql(compiled, sql`${bind(BigInt(n.constant), 'BIGINT')}`, orderBy(compile.relation.order))
          return result && failing(result, compiled.fails)
        },
        toJson: () => ({ [name]: { input: expressionToJson(input), n: n.toJson() } }),
      }
    },
  }
}
