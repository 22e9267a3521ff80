import { failsWhen } from '../../compile/fails.js'
import { type Fragment, sql } from '../../compile/sql.js'
import { given, take } from '../../compile/take.js'
import type { SqlExpression } from '../../compile/types.js'
import { type Value, double, isInt, isNumeric, toNumber } from '../../value.js'
import { eager } from '../eager.js'
import type { ExpressionDoc } from '../expression-doc.js'
import { ExpressionError } from '../expression-error.js'
import type { ExpressionOperator } from '../expression-operator.js'
import { wrongType } from '../wrong-type.js'

interface NumberFunction {
  readonly name: string
  readonly doc: ExpressionDoc
  /** The numbers it is defined for, and what the error says of others; all, when absent. NaN always gives NaN. */
  readonly domain?: {
    readonly of: string
    holds(value: number): boolean
    /** Whether it holds; never asked of NaN. */
    sql(value: Fragment): Fragment
  }
  evaluate(value: number): number
  /** The engine's function; it is shown no number outside the domain. */
  sql(value: Fragment): Fragment
  /** Integers and their result when they stay integers; else they give doubles as all numbers do. */
  readonly integers?: {
    evaluate(value: bigint | number): Value
    sql(operand: SqlExpression): SqlExpression | undefined
  }
}

/** An operator over one number, such as $sqrt: null and missing give null, what is no number is an error. */
export function numberFunction(definition: NumberFunction): ExpressionOperator {
  const { name, doc, domain, integers } = definition
  return eager({
    name,
    doc,
    arity: [1, 1],
    evaluate: value => {
      if (value === undefined || value === null) return null
      if (!isNumeric(value)) throw wrongType(name, 'numbers', value)
      if (integers !== undefined && (typeof value === 'bigint' || isInt(value))) {
        return integers.evaluate(value)
      }
      const number = toNumber(value)
      if (domain !== undefined && !Number.isNaN(number) && !domain.holds(number)) {
        throw new ExpressionError(name, `takes ${domain.of}`)
      }
      return double(definition.evaluate(number))
    },
    sql: operands => {
      const taken = take(operands, { operator: name, wanted: 'number', wants: 'numbers', nulls: 'null' })
      const operand = taken?.operands[0]
      if (taken === undefined || operand === undefined) return undefined
      if (operand.type.kind === 'nothing') return given(taken, sql`null`, { kind: 'nothing' })
      if (integers !== undefined && operand.type.kind === 'int') {
        const whole = integers.sql(operand)
        return whole && given(taken, whole.sql, whole.type)
      }
      const number = sql`${operand.sql}::double`
      const mixed = operand.type.kind === 'double' && integers !== undefined ? operand.type.mixed : undefined
      const kind = { kind: 'double', finite: false, ...(mixed === undefined ? {} : { mixed }) } as const
      const isInt = mixed === undefined ? undefined : operand.isInt
      if (domain === undefined) return given(taken, definition.sql(number), kind, { isInt })
      const inside = sql`(isnan(${number}) or ${domain.sql(number)})`
      const outside = failsWhen(sql`not ${inside}`, name, `takes ${domain.of}`)
      return given(taken, definition.sql(sql`(case when ${inside} then ${number} end)`), kind, {
        fails: outside,
        isInt,
      })
    },
  })
}
