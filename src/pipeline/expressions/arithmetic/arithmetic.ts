import { type Fragment, sql } from '../../compile/sql.js'
import { type SqlExpression, type SqlType } from '../../compile/types.js'
import { type Value, double, integer, isInt, isNumeric, toNumber, typeName } from '../../value.js'
import { eager } from '../eager.js'
import { ExpressionError } from '../expression-error.js'
import type { ExpressionOperator } from '../expression-operator.js'

interface Arithmetic {
  integers(a: bigint, b: bigint): bigint
  doubles(a: number, b: number): number
  /** Bound of the magnitude of the result, in bits. */
  bits(a: number, b: number): number
  readonly sign: '+' | '-' | '*'
  /** The result over no operands; 0 unless given. */
  readonly neutral?: number
}

const isInteger = (value: Value): value is number | bigint => typeof value === 'bigint' || isInt(value)

/** One step over two values that are neither null nor missing. Integers stay integers and widen; a date moves by ms. */
function step(name: string, a: Value, b: Value, rules: Arithmetic): Value {
  if (a instanceof Date || b instanceof Date) return dateStep(name, a, b, rules.sign)
  if (!isNumeric(a) || !isNumeric(b)) {
    throw new ExpressionError(
      name,
      `takes numbers${rules.sign === '*' ? '' : ' and dates'}, not ${typeName(isNumeric(a) ? b : a)}`,
    )
  }
  if (!isInteger(a) || !isInteger(b)) return double(rules.doubles(toNumber(a), toNumber(b)))
  const exact = rules.integers(BigInt(a), BigInt(b))
  if (BigInt.asIntN(64, exact) !== exact) return double(Number(exact))
  return typeof a === 'bigint' || typeof b === 'bigint' ? exact : integer(exact)
}

function dateStep(name: string, a: Value, b: Value, sign: Arithmetic['sign']): Value {
  if (sign === '-' && a instanceof Date && b instanceof Date) return BigInt(a.getTime() - b.getTime())
  if (sign === '-' && a instanceof Date && isNumeric(b)) return new Date(a.getTime() - Math.round(toNumber(b)))
  if (sign === '+' && a instanceof Date && isNumeric(b)) return new Date(a.getTime() + Math.round(toNumber(b)))
  if (sign === '+' && b instanceof Date && isNumeric(a)) return new Date(b.getTime() + Math.round(toNumber(a)))
  throw new ExpressionError(name, 'can not combine these values with a date')
}

/** Largest integers the engine keeps without widening to a double, as MongoDB does at 64 bits. */
const EXACT_BITS = 62

function stepSql(a: SqlExpression, b: SqlExpression, rules: Arithmetic): SqlExpression | undefined {
  const absent = a.type.absent === 'never' && b.type.absent === 'never' ? 'never' : 'null'
  const combine = (left: Fragment, right: Fragment): Fragment =>
    ({ '+': sql`(${left} + ${right})`, '-': sql`(${left} - ${right})`, '*': sql`(${left} * ${right})` })[rules.sign]
  if (a.type.kind === 'int' && b.type.kind === 'int') {
    const bits = rules.bits(a.type.bits, b.type.bits)
    if (bits > EXACT_BITS) return undefined
    return { sql: combine(sql`${a.sql}::bigint`, sql`${b.sql}::bigint`), type: { kind: 'int', bits, absent } }
  }
  const numeric = (type: SqlType) => type.kind === 'int' || type.kind === 'double'
  if (!numeric(a.type) || !numeric(b.type)) return undefined
  // Doubles may overflow to infinity; they are no longer known to be finite.
  return { sql: combine(sql`${a.sql}::double`, sql`${b.sql}::double`), type: { kind: 'double', finite: false, absent } }
}

export function arithmetic(name: string, arity: readonly [number, number], rules: Arithmetic): ExpressionOperator {
  return eager({
    name,
    arity,
    evaluate: (...values) => {
      if (values.some(value => value === undefined || value === null)) return null
      const [first = rules.neutral ?? 0, ...rest] = values as readonly Value[]
      if (rest.length === 0 && !isNumeric(first) && !(first instanceof Date)) {
        throw new ExpressionError(name, `takes numbers, not ${typeName(first)}`)
      }
      return rest.reduce((a, b) => step(name, a, b, rules), first)
    },
    sql: operands => {
      const [first, ...rest] = operands
      if (first === undefined || rest.length === 0) return undefined
      return rest.reduce<SqlExpression | undefined>((a, b) => a && stepSql(a, b, rules), first)
    },
  })
}
