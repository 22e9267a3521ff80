import { bind, sql } from '../compile/sql.js'
import { readLiteral, toLiteral } from '../extended-json.js'
import { at } from '../parse-context.js'
import { Refusal } from '../refusal.js'
import { type Value, integer, isArray, isNumeric, toNumber } from '../value.js'
import type { LeafContext, LeafOperator } from './leaf-operator.js'
import { truncated, truncatedSql } from './whole-value.js'

type Quantity = 'AllSet' | 'AllClear' | 'AnySet' | 'AnyClear'

/** The bit beyond which a number's sign repeats for ever. */
const SIGN_BIT = 63

/** A mask from a number (not negative) or from the places of bits. */
function parseMask(argument: unknown, { parse }: LeafContext, name: string): bigint {
  const value = readLiteral(argument, parse.where)
  if (isArray(value)) {
    return value.reduce<bigint>((mask, item, i) => {
      const place = isNumeric(item) ? toNumber(item) : Number.NaN
      if (!Number.isInteger(place) || place < 0 || place > 2_147_483_647) {
        throw new Refusal(at(parse, i).where, 'the place of a bit is a whole number from 0')
      }
      return mask | (1n << BigInt(Math.min(place, SIGN_BIT)))
    }, 0n)
  }
  const mask = isNumeric(value) ? truncated(value) : undefined
  if (mask === undefined || mask < 0n || (typeof value === 'number' && !Number.isInteger(value))) {
    throw new Refusal(parse.where, `${name} takes a mask, a whole number from 0, or an array of places of bits`)
  }
  return mask
}

/** No long holds the bit of the sign beside others: then it is the places of all. */
function maskToJson(mask: bigint): unknown {
  if (BigInt.asIntN(64, mask) === mask) return toLiteral(integer(mask))
  return Array.from({ length: SIGN_BIT + 1 }, (_, place) => place).filter(place => (mask >> BigInt(place)) & 1n)
}

/** Whole numbers of 64 bits have bits; fractions, and what is no number, have none. */
function whole(value: Value | undefined): bigint | undefined {
  const number = truncated(value)
  if (number === undefined || !isNumeric(value)) return undefined
  return typeof value === 'bigint' || toNumber(value) === Number(number) ? BigInt.asUintN(64, number) : undefined
}

function holds(quantity: Quantity, masked: bigint, mask: bigint): boolean {
  switch (quantity) {
    case 'AllSet':
      return masked === mask
    case 'AllClear':
      return masked === 0n
    case 'AnySet':
      return masked !== 0n
    case 'AnyClear':
      return masked !== mask
  }
}

const COMPARED = {
  AllSet: ['=', 'mask'],
  AllClear: ['=', 'zero'],
  AnySet: ['<>', 'zero'],
  AnyClear: ['<>', 'mask'],
} as const

/** The operators over bits: whether all or any of some bits are set or clear. */
export function bits(quantity: Quantity, meaning: string, example: LeafOperator['doc']['example']): LeafOperator {
  const name = `$bits${quantity}`
  return {
    name,
    doc: { form: `{ <field>: { ${name}: <mask> } } or { <field>: { ${name}: [<place>, …] } }`, meaning, example },
    parse: (argument, context) => {
      const mask = parseMask(argument, context, name)
      return {
        elements: true,
        test: value => {
          const number = whole(value)
          return number !== undefined && holds(quantity, number & mask, mask)
        },
        sql: (value, type) => {
          const number = truncatedSql(value, type)
          if (number === undefined) return sql`false`
          const signed = sql`${bind(BigInt.asIntN(64, mask), 'BIGINT')}`
          const [op, against] = COMPARED[quantity]
          const masked = sql`((${number})::bigint & ${signed})`
          const other = against === 'mask' ? signed : sql`0`
          const met = op === '=' ? sql`${masked} = ${other}` : sql`${masked} <> ${other}`
          if (type.kind === 'int') return met
          const double = type.kind === 'double' ? value : sql`try_cast(${value} as double)`
          return sql`(${double} = trunc(${double}) and ${met})`
        },
        json: maskToJson(mask),
      }
    },
  }
}
