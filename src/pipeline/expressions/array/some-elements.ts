import { bind, type Fragment, sql } from '../../compile/sql.js'
import { given, take } from '../../compile/take.js'
import type { SqlType } from '../../compile/types.js'
import { type Value, isArray, isInt, isNumeric } from '../../value.js'
import type { ExpressionDoc } from '../expression-doc.js'
import { ExpressionError } from '../expression-error.js'
import type { ExpressionOperator } from '../expression-operator.js'
import { named } from '../named.js'
import { wrongType } from '../wrong-type.js'
import { whole } from '../whole-number.js'

interface SomeElements {
  readonly name: '$firstN' | '$lastN' | '$maxN' | '$minN'
  readonly doc: ExpressionDoc
  readonly evaluate: (list: readonly Value[], n: number) => readonly Value[]
  /** The list cut to n, where the engine is exact for elements of the type. */
  readonly sql: (list: Fragment, of: SqlType, n: Fragment) => Fragment | undefined
}

/** How many, as $firstN and its kind take it. */
export function readCount(operator: string, n: Value | undefined): number {
  const count = isNumeric(n) ? whole(n) : undefined
  if (count === undefined || count < 1) throw new ExpressionError(operator, 'takes a whole number from 1 as n')
  return count
}

/** $firstN, $lastN, $maxN and $minN over the elements of an array. */
export function someElements({ name, doc, evaluate, sql: toSql }: SomeElements): ExpressionOperator {
  return named({
    name,
    doc,
    fields: { n: 'required', input: 'required' },
    evaluate: ({ n, input }) => {
      const count = readCount(name, n)
      if (!isArray(input)) throw wrongType(name, 'an array as input', input)
      return evaluate(input, count)
    },
    sql: ({ n, input }) => {
      const count = n?.constant
      if (input === undefined || !isInt(count) || count < 1) return undefined
      const taken = take([input], { operator: name, wanted: 'list', wants: 'an array as input', nulls: 'wrong' })
      const list = taken?.operands[0]
      if (taken === undefined || list?.type.kind !== 'list') return undefined
      const cut = toSql(list.sql, list.type.of, sql`${bind(BigInt(count), 'BIGINT')}`)
      return cut && given(taken, cut, { kind: 'list', of: list.type.of })
    },
  })
}
