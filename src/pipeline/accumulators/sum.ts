import { bind, sql } from '../compile/sql.js'
import { double, integer, isInt, isNumeric, toNumber } from '../value.js'
import { ofValues } from './of-values.js'

/** Adds doubles with Neumaier's compensation, as MongoDB does: ten times 0.1 is 1. */
export function compensatedSum(): { add(value: number): void; result(): number } {
  let sum = 0
  let compensation = 0
  return {
    add: value => {
      const next = sum + value
      if (Number.isFinite(next))
        compensation += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum
      sum = next
    },
    result: () => sum + compensation,
  }
}

/** The sum of the numbers; what is not a number is ignored, nothing gives 0; integers stay integers and widen. */
export const sum = ofValues({
  name: '$sum',
  start: () => {
    let integers = 0n
    let long = false
    let doubles: ReturnType<typeof compensatedSum> | undefined
    return {
      add: value => {
        if (!isNumeric(value)) return
        if (typeof value === 'bigint' || isInt(value)) {
          integers += BigInt(value)
          long ||= typeof value === 'bigint'
        } else {
          doubles ??= compensatedSum()
          doubles.add(toNumber(value))
        }
      },
      result: () => {
        if (doubles === undefined) {
          if (BigInt.asIntN(64, integers) !== integers) return double(Number(integers))
          return long ? integers : integer(integers)
        }
        doubles.add(Number(integers))
        return double(doubles.result())
      },
    }
  },
  sql: ({ sql: value, type, constant }) => {
    if (type.kind === 'int' && constant !== undefined) {
      return {
        sql: sql`(count(*) * ${bind(BigInt(constant), 'BIGINT')})`,
        type: { kind: 'int', bits: type.bits + 31, absent: 'never' },
      }
    }
    // Each row adds at most 2^31 to what 2^31 rows can hold: 64-bit sums can't overflow.
    if (type.kind === 'int' && type.bits <= 31) {
      return { sql: sql`coalesce(sum(${value}), 0)::bigint`, type: { kind: 'int', bits: 62, absent: 'never' } }
    }
    if (type.kind === 'double' && type.finite) {
      return { sql: sql`coalesce(fsum(${value}), 0)`, type: { kind: 'double', finite: false, absent: 'never' } }
    }
    if (type.kind === 'int' || type.kind === 'double' || type.kind === 'open') return undefined
    return { sql: sql`0::bigint`, type: { kind: 'int', bits: 1, absent: 'never' } }
  },
})
