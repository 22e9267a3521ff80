import { type Fragment, bind, sql } from '../../compile/sql.js'
import { given, take } from '../../compile/take.js'
import type { ExpressionDoc } from '../expression-doc.js'
import type { ExpressionOperator } from '../expression-operator.js'
import { named } from '../named.js'
import { wrongType } from '../wrong-type.js'

/** What is cut off when no characters are given: MongoDB's list of white space. */
const BLANKS = '\0\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a'

function trimmed(text: string, chars: string, start: boolean, end: boolean): string {
  // Characters are code points: no surrogate is cut from its pair.
  const cut = new Set(Array.from(chars))
  const points = Array.from(text)
  const first = start ? points.findIndex(point => !cut.has(point)) : 0
  if (first === -1) return ''
  const last = end ? points.findLastIndex(point => !cut.has(point)) : points.length - 1
  return points.slice(first, last + 1).join('')
}

interface Trimming {
  readonly name: '$trim' | '$ltrim' | '$rtrim'
  readonly doc: ExpressionDoc
  readonly start: boolean
  readonly end: boolean
  readonly sql: (text: Fragment, chars: Fragment) => Fragment
}

/** $trim, $ltrim and $rtrim: `{$trim: {input, chars}}`. */
export function trimming({ name, doc, start, end, sql: toSql }: Trimming): ExpressionOperator {
  return named({
    name,
    doc,
    fields: { input: 'required', chars: 'optional' },
    evaluate: ({ input, chars }, given) => {
      if (input === undefined || input === null) return null
      if (typeof input !== 'string') throw wrongType(name, 'strings', input)
      if (!given.has('chars')) return trimmed(input, BLANKS, start, end)
      if (chars === undefined || chars === null) return null
      if (typeof chars !== 'string') throw wrongType(name, 'strings', chars)
      return trimmed(input, chars, start, end)
    },
    sql: ({ input, chars }) => {
      if (input === undefined || (chars !== undefined && typeof chars.literal !== 'string')) return undefined
      // The engine's own trim has no way to cut nothing.
      if (chars?.literal === '') return undefined
      const taken = take([input], { operator: name, wanted: 'string', wants: 'strings', nulls: 'null' })
      const text = taken?.operands[0]
      const set = chars?.sql ?? sql`${bind(BLANKS, 'VARCHAR')}`
      return taken && text && given(taken, toSql(text.sql, set), { kind: 'string' })
    },
  })
}
