import { type Fragment, bind, sql } from '../../compile/sql.js'
import { given, take } from '../../compile/take.js'
import { type Value, isArray, isInt } from '../../value.js'
import { eager } from '../eager.js'
import { ExpressionError } from '../expression-error.js'
import { whole } from '../whole-number.js'
import { wrongType } from '../wrong-type.js'

const WHOLE = 'takes whole numbers as position and count'
const COUNT = 'takes a count from 1 beside a position'

function readWhole(value: Value): number {
  const number = whole(value)
  if (number === undefined) throw new ExpressionError('$slice', WHOLE)
  return number
}

/** First and last place, counted from 1, of what is cut out. */
function range(list: Fragment, numbers: readonly number[]): readonly [Fragment, Fragment] | undefined {
  const [a, b] = numbers
  if (a === undefined) return undefined
  const n = (number: number) => sql`${bind(BigInt(number), 'BIGINT')}`
  if (b === undefined) {
    return a >= 0 ? [n(1), n(a)] : [sql`greatest(len(${list}) + ${n(a)}, 0) + 1`, sql`len(${list})`]
  }
  if (b < 1) return undefined
  const start = a >= 0 ? n(a) : sql`greatest(len(${list}) + ${n(a)}, 0)`
  return [sql`${start} + 1`, sql`${start} + ${n(b)}`]
}

/** A part of an array. */
export const slice = eager({
  name: '$slice',
  doc: {
    form: '{ $slice: [<array>, <count>] } or { $slice: [<array>, <position>, <count>] }',
    meaning:
      'The first so many elements, the last so many when the count is negative, or so many from a position, which counts from the end when it is negative. Null or missing operands give null.',
    example: { expression: { $slice: ['$words', 1, 2] }, document: { words: ['a', 'b', 'c'] }, result: ['b', 'c'] },
  },
  arity: [2, 3],
  evaluate: (list, ...numbers) => {
    if (list === undefined || list === null || numbers.some(one => one === undefined || one === null)) return null
    if (!isArray(list)) throw wrongType('$slice', 'an array', list)
    const [a = 0, b] = numbers.map(one => readWhole(one!))
    if (b === undefined) return a >= 0 ? list.slice(0, a) : list.slice(a)
    if (b < 1) throw new ExpressionError('$slice', COUNT)
    const start = a >= 0 ? a : Math.max(list.length + a, 0)
    return list.slice(start, start + b)
  },
  sql: ([input, ...numbers]) => {
    const constants = numbers.flatMap(one => (isInt(one.constant) ? [one.constant] : []))
    if (input === undefined || constants.length < numbers.length) return undefined
    const taken = take([input], { operator: '$slice', wanted: 'list', wants: 'an array', nulls: 'null' })
    const list = taken?.operands[0]
    if (taken === undefined || list?.type.kind !== 'list') return undefined
    const places = range(list.sql, constants)
    return places && given(taken, sql`list_slice(${list.sql}, ${places[0]}, ${places[1]})`, list.type)
  },
})
