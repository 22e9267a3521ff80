import { type Fragment, sql } from '../../compile/sql.js'
import { given, take } from '../../compile/take.js'
import { integer, isInt } from '../../value.js'
import { eager } from '../eager.js'
import type { ExpressionDoc } from '../expression-doc.js'
import type { ExpressionOperator } from '../expression-operator.js'
import { wrongType } from '../wrong-type.js'

interface Bitwise {
  readonly name: string
  readonly doc: ExpressionDoc
  /** The result over no operands. */
  readonly neutral: bigint
  readonly combine: (a: bigint, b: bigint) => bigint
  readonly sql: (a: Fragment, b: Fragment) => Fragment
}

/** An operator over the bits of integers; a long beside ints makes a long. */
export function bitwise({ name, doc, neutral, combine, sql: toSql }: Bitwise): ExpressionOperator {
  return eager({
    name,
    doc,
    arity: [0, Infinity],
    evaluate: (...values) => {
      let bits = neutral
      let long = false
      for (const value of values) {
        if (value === undefined || value === null) return null
        if (typeof value !== 'bigint' && !isInt(value)) throw wrongType(name, 'integers', value)
        bits = combine(bits, BigInt(value))
        long ||= typeof value === 'bigint'
      }
      return long ? bits : integer(bits)
    },
    sql: operands => {
      // Only what is an int for certain: an integer that may be an int or a long makes the result one of them.
      const ints = operands.every(
        ({ type }) => type.kind === 'nothing' || (type.kind === 'int' && type.bits <= 31 && type.long !== true),
      )
      const taken = ints
        ? take(operands, { operator: name, wanted: 'number', wants: 'integers', nulls: 'null' })
        : undefined
      const [first, ...rest] = taken?.operands.map(one => sql`${one.sql}::bigint`) ?? []
      if (taken === undefined || first === undefined) return undefined
      return given(taken, rest.reduce(toSql, first), { kind: 'int', bits: 31 })
    },
  })
}
