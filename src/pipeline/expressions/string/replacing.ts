import { type Fragment, sql } from '../../compile/sql.js'
import { given, take } from '../../compile/take.js'
import { boundedText } from '../bounded.js'
import type { ExpressionDoc } from '../expression-doc.js'
import type { ExpressionOperator } from '../expression-operator.js'
import { named } from '../named.js'
import { wrongType } from '../wrong-type.js'

interface Replacing {
  readonly name: '$replaceOne' | '$replaceAll'
  readonly doc: ExpressionDoc
  readonly evaluate: (input: string, find: string, replacement: string) => string
  readonly sql?: (input: Fragment, find: Fragment, replacement: Fragment) => Fragment
}

/** $replaceOne and $replaceAll: `{$replaceOne: {input, find, replacement}}`. */
export function replacing({ name, doc, evaluate, sql: toSql }: Replacing): ExpressionOperator {
  return named({
    name,
    doc,
    fields: { input: 'required', find: 'required', replacement: 'required' },
    evaluate: ({ input, find, replacement }) => {
      for (const value of [input, find, replacement]) {
        if (value !== undefined && value !== null && typeof value !== 'string') throw wrongType(name, 'strings', value)
      }
      if (typeof input !== 'string' || typeof find !== 'string' || typeof replacement !== 'string') return null
      return boundedText(name, evaluate(input, find, replacement))
    },
    sql: ({ input, find, replacement }) => {
      if (input === undefined || typeof find?.literal !== 'string' || find.literal === '') return undefined
      if (typeof replacement?.literal !== 'string' || toSql === undefined) return undefined
      const taken = take([input], { operator: name, wanted: 'string', wants: 'strings', nulls: 'null' })
      const text = taken?.operands[0]
      return taken && text && given(taken, sql`${toSql(text.sql, find.sql, replacement.sql)}`, { kind: 'string' })
    },
  })
}
