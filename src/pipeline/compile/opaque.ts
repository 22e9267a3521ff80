import { type Fragment, identifier, join, sql } from './sql.js'
import { isOpaqueKind, type SqlExpression, type SqlType, withAbsent } from './types.js'
import { type Unified, commonType } from './unify.js'

/** The name of an alternative of a varied value, or of a part of a merged one. */
export const alternative = (place: number): string => `v${place}`

/**
 * Whether it holds a value of several types or a document whose names only the data tells: the engine passes those on and
 * gives them out; whatever looks into one is evaluated.
 */
export function isOpaque(type: SqlType): boolean {
  switch (type.kind) {
    case 'varied':
    case 'pairs':
    case 'merged':
      return true
    case 'list':
      return isOpaque(type.of)
    case 'struct':
      return [...type.fields.values()].some(isOpaque)
    default:
      return false
  }
}

/** Expressions that pass a value on as it is, or look only at whether it is there. */
const PASSING = new Set(['$cond', '$ifNull', '$switch', '$arrayToObject', '$let', '$mergeObjects'])

/** Whether an operator may be given such operands. */
export const passes = (operator: string, operands: readonly SqlExpression[]): boolean =>
  PASSING.has(operator) || !operands.some(({ type }) => isOpaque(type))

/** An integer or a double, each by itself: together they have no one type that a document can hold. */
function numbers({ sql: value, type, isInt }: SqlExpression): readonly SqlExpression[] | undefined {
  if (type.kind !== 'double' || type.mixed === undefined || isInt === undefined) return undefined
  const { mixed: bits, ...double } = type
  return [
    { sql: sql`(case when ${isInt} then ${value}::bigint end)`, type: { kind: 'int', bits, absent: 'missing' } },
    { sql: sql`(case when not ${isInt} then ${value} end)`, type: { ...double, absent: 'missing' } },
  ]
}

/** Expressions of several types as one: a document with a field for each type, of which one is there. */
export function varied(expressions: readonly SqlExpression[]): Unified | undefined {
  const of: SqlType[] = []
  const placeOf = (type: SqlType): number => {
    for (const [place, known] of of.entries()) {
      const common = known.kind === type.kind ? commonType([known, type]) : undefined
      if (common === undefined) continue
      of[place] = common
      return place
    }
    return of.push(type) - 1
  }
  const held = expressions.map(expression => {
    const { kind } = expression.type
    if (kind === 'nothing') return []
    if (kind === 'open' || isOpaqueKind(kind)) return undefined
    if (kind === 'double' && expression.type.mixed !== undefined && expression.isInt === undefined) return undefined
    const parts = numbers(expression) ?? [expression]
    return parts.map(part => ({ sql: part.sql, place: placeOf(withAbsent(part.type, 'missing')) }))
  })
  if (held.includes(undefined) || of.length < 2) return undefined
  const branches = expressions.map(({ sql: value, type, isNull }, i) => {
    const parts = held[i]!
    const fields = of.map((_, place): Fragment => {
      const part = parts.find(one => one.place === place)
      return sql`${identifier(alternative(place))} := ${part?.sql ?? sql`null`}`
    })
    const whole = sql`struct_pack(${join(fields, ', ')})`
    const made =
      type.kind === 'nothing'
        ? sql`null`
        : type.absent === 'never'
          ? whole
          : sql`(case when ${value} is not null then ${whole} end)`
    const known = type.absent === 'either' ? isNull : type.absent === 'null' ? sql`true` : sql`false`
    return { sql: made, isInt: sql`false`, isNull: known }
  })
  return { kind: { kind: 'varied', of }, branches, mixed: false }
}
