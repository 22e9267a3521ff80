import { bind, sql } from '../compile/sql.js'
import { readLiteral, toLiteral } from '../extended-json.js'
import { at } from '../parse-context.js'
import { Refusal } from '../refusal.js'
import { integer } from '../value.js'
import type { LeafOperator } from './leaf-operator.js'
import { truncated, truncatedSql } from './whole-value.js'

/** Numbers whose remainder is the given one; fractions are cut off on both sides. */
export const mod: LeafOperator = {
  name: '$mod',
  doc: {
    form: '{ <field>: { $mod: [<divisor>, <remainder>] } }',
    meaning:
      'Numbers that leave the remainder when divided. Fractions are cut off first; the remainder has the sign of the number.',
    example: {
      documents: [{ a: 4 }, { a: 5 }, { a: 6.5 }],
      pipeline: [{ $match: { a: { $mod: [2, 0] } } }],
      result: [{ a: 4 }, { a: 6.5 }],
    },
  },
  parse: (argument, context) => {
    const { where } = context.parse
    if (!Array.isArray(argument) || argument.length !== 2) {
      throw new Refusal(where, '$mod takes an array of a divisor and a remainder')
    }
    const [divisor, remainder] = argument.map((item: unknown, i) => {
      const inner = at(context.parse, i).where
      const whole = truncated(readLiteral(item, inner))
      if (whole === undefined) throw new Refusal(inner, 'is a number of at most 64 bits')
      return whole
    }) as [bigint, bigint]
    if (divisor === 0n) throw new Refusal(at(context.parse, 0).where, 'the divisor is not 0')
    return {
      elements: true,
      test: value => {
        const whole = truncated(value)
        return whole !== undefined && whole % divisor === remainder
      },
      sql: (value, type) => {
        const whole = truncatedSql(value, type)
        // The engine raises for the least of 64 bits by -1; every number leaves 0 there.
        const by = divisor === -1n ? 1n : divisor
        return whole === undefined
          ? sql`false`
          : sql`((${whole})::bigint % ${bind(by, 'BIGINT')}) = ${bind(remainder, 'BIGINT')}`
      },
      json: [divisor, remainder].map(whole => toLiteral(integer(whole))),
    }
  },
}
