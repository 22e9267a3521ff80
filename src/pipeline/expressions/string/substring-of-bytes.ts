import { isNumeric, toNumber, type Value } from '../../value.js'
import { eager } from '../eager.js'
import type { ExpressionDoc } from '../expression-doc.js'
import { ExpressionError } from '../expression-error.js'
import type { ExpressionOperator } from '../expression-operator.js'
import { textOf } from './text-of.js'

function place(name: string, value: Value | undefined): number {
  if (!isNumeric(value) || Number.isNaN(toNumber(value)))
    throw new ExpressionError(name, 'takes numbers as start and count')
  return Math.trunc(toNumber(value))
}

/** Whether a byte continues a character of UTF-8. */
const continues = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80

/** $substrBytes, and $substr, which is its old name. */
export function substringOfBytes(name: '$substr' | '$substrBytes', doc: ExpressionDoc): ExpressionOperator {
  return eager({
    name,
    doc,
    arity: [3, 3],
    evaluate: (value, from, count) => {
      const bytes = Buffer.from(textOf(name, value), 'utf8')
      const start = place(name, from)
      const length = place(name, count)
      if (start < 0) throw new ExpressionError(name, 'takes a start from 0')
      // A negative count is the rest of the text.
      const end = length < 0 ? bytes.length : Math.min(start + length, bytes.length)
      if (continues(bytes[start])) throw new ExpressionError(name, 'can not begin inside a character')
      if (start < bytes.length && continues(bytes[end]))
        throw new ExpressionError(name, 'can not end inside a character')
      return bytes.subarray(start, end).toString('utf8')
    },
  })
}
