import type { Expression } from '../tree.js'
import { type Value, isArray, isDocument } from '../value.js'
import type { SqlExpression, SqlKind, Bulk } from './types.js'

/** Most parts of a value the engine makes, for each row; what may have more is evaluated, where it is counted. */
export const MOST_BULK = 2_000

/** Most parts of all that the engine makes of one row. */
export const MOST_ROW_BULK = 3_000

const ONE: Bulk = { items: 1, size: 1 }

/** Characters a part stands for. */
const PART_CHARACTERS = 8

/** What a stored value of a kind is taken to hold. */
const STORED: Readonly<Record<SqlKind['kind'], Bulk>> = {
  nothing: ONE,
  int: ONE,
  double: ONE,
  bool: ONE,
  date: ONE,
  string: { items: 1, size: 4 },
  struct: { items: 1, size: 16 },
  open: { items: 16, size: 32 },
  list: { items: 16, size: 64 },
  varied: { items: 16, size: 64 },
  pairs: { items: 16, size: 64 },
  merged: { items: 16, size: 64 },
}

/**
 * A list of what a group or a pipeline of $facet holds: how long it is the data says, and all of them together hold no
 * more than the data. What matters is that nothing multiplies it.
 */
const GATHERED: Bulk = { items: 128, size: 128 }

/** The most there may be, such as a whole partition beside each of its documents: nothing can be made of it. */
export const ALL_BULK: Bulk = { items: MOST_BULK, size: MOST_BULK }

const HOLDERS = new Set<SqlKind['kind']>(['string', 'list', 'struct', 'open', 'varied', 'pairs', 'merged'])

export const bulkOf = ({ type, bulk }: Pick<SqlExpression, 'type' | 'bulk'>): Bulk => bulk ?? STORED[type.kind]

/** An element of a list. */
export function elementBulk(list: Pick<SqlExpression, 'type' | 'bulk'>): Bulk {
  const { items, size } = bulkOf(list)
  const part = Math.max(1, Math.ceil(size / Math.max(items, 1)))
  return { items: part, size: part }
}

/** Several together. */
export const sumBulk = (all: readonly Bulk[]): Bulk => ({
  items: all.reduce((total, { items }) => total + items, 0),
  size: all.reduce((total, { size }) => total + size, 0),
})

const most = (all: readonly Bulk[]): Bulk => ({
  items: Math.max(1, ...all.map(({ items }) => items)),
  size: Math.max(1, ...all.map(({ size }) => size)),
})

function literalBulk(value: Value): Bulk {
  if (typeof value === 'string') return { items: 1, size: 1 + Math.ceil(value.length / PART_CHARACTERS) }
  if (isArray(value)) return { ...sumBulk(value.map(literalBulk)), items: value.length }
  return isDocument(value) ? sumBulk(Object.values(value).map(literalBulk)) : ONE
}

/** Operators that give one of their operands, or one value out of one of them. */
const ONE_OF = new Set(['$cond', '$ifNull', '$switch', '$min', '$max', '$first', '$last', '$arrayElemAt', '$getField'])

const textOf = ({ literal }: SqlExpression): string | undefined => (typeof literal === 'string' ? literal : undefined)

/** How many times as long a text may get when all of one is replaced by another. */
function replacing([, find, replacement]: readonly SqlExpression[]): number {
  const [from, to] = [find && textOf(find), replacement && textOf(replacement)]
  if (to === undefined) return PART_CHARACTERS
  return Math.max(1, to.length / Math.max(1, from?.length ?? 1)) + (from === '' ? to.length : 0)
}

/** The part of a list that a literal number of elements is. */
function sliced(list: Bulk, operands: readonly SqlExpression[]): Bulk {
  const count = operands.at(-1)?.constant
  if (count === undefined || Math.abs(count) >= list.items) return list
  const items = Math.abs(count)
  return { items, size: Math.ceil((list.size / list.items) * items) }
}

/** What a call gives, by what it was given; `operands` as they were compiled, in their order. */
function callBulk(operator: string, operands: readonly SqlExpression[]): Bulk {
  const given = operands.map(bulkOf)
  const [first = ONE] = given
  const last = given.at(-1) ?? ONE
  if (ONE_OF.has(operator)) return most(given)
  switch (operator) {
    case '$map':
      return { items: first.items, size: first.items * last.size }
    case '$filter':
    case '$sortArray':
    case '$reverseArray':
      return first
    case '$slice':
      return sliced(first, operands)
    case '$let':
      return last
    case '$range': {
      const [start = 0, end = 0, step = 1] = operands.map(({ constant }) => constant)
      const items = Math.max(0, Math.ceil((end - start) / step))
      return { items, size: items }
    }
    case '$replaceAll': {
      const times = replacing(operands)
      return { items: 1, size: Math.ceil(first.size * times) }
    }
    case '$split':
      return { items: first.size * PART_CHARACTERS, size: first.size * PART_CHARACTERS }
    case '$regexFindAll':
      return { items: first.size * PART_CHARACTERS, size: first.size * PART_CHARACTERS * 4 }
    default:
      return sumBulk(given)
  }
}

/** A list of values; `undefined` where each of them may be a list that is all there is. */
export function gatheredBulk(operands: readonly SqlExpression[]): Bulk | undefined {
  return operands.some(operand => bulkOf(operand).items >= ALL_BULK.items) ? undefined : GATHERED
}

/** A column beside the elements of another: a gathered list is then there as often as there are elements. */
export function repeatedBulk(column: Pick<SqlExpression, 'type' | 'bulk'>): Bulk | undefined {
  return (column.bulk?.items ?? 0) >= GATHERED.items ? ALL_BULK : column.bulk
}

/** What an expression makes; `undefined` for what holds no more than was there before. */
export function madeBulk(
  expression: Expression,
  compiled: SqlExpression,
  operands: readonly SqlExpression[],
): Bulk | undefined {
  switch (expression.kind) {
    case 'field':
      return undefined
    case 'literal':
      return literalBulk(expression.value)
    case 'array':
      return { ...sumBulk(operands.map(bulkOf)), items: operands.length }
    case 'object':
      return compiled.bulk
    case 'call':
      return HOLDERS.has(compiled.type.kind) ? callBulk(expression.operator, operands) : ONE
    default:
      return ONE
  }
}
