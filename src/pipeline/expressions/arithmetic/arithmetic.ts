import { DOUBLE_BITS, EXACT_BITS, allIntegers, integerBits } from '../../compile/is-int-sql.js'
import { type Fragment, sql } from '../../compile/sql.js'
import { given, take } from '../../compile/take.js'
import type { SqlExpression, SqlKind } from '../../compile/types.js'
import type { FieldType } from '../../../calls/field-type.js'
import type { Expression, TypeOf } from '../../tree.js'
import { type Value, double, integer, isInt, isNumeric, toNumber } from '../../value.js'
import { eager } from '../eager.js'
import type { ExpressionDoc } from '../expression-doc.js'
import { ExpressionError } from '../expression-error.js'
import type { ExpressionOperator } from '../expression-operator.js'
import { wrongType } from '../wrong-type.js'
import { dateThere } from '../date/date-there.js'

interface Arithmetic {
  readonly name: string
  readonly doc: ExpressionDoc
  readonly arity: readonly [number, number]
  integers(a: bigint, b: bigint): bigint
  doubles(a: number, b: number): number
  /** Bound of the magnitude of the result, in bits. */
  bits(a: number, b: number): number
  readonly sign: '+' | '-' | '*'
  /** The type of the result, where that is known: see OperatorCall. */
  gives?(operands: readonly Expression[], typeOf: TypeOf): FieldType | undefined
  /** The result over no operands. */
  readonly neutral: number
}

const isInteger = (value: Value): value is number | bigint => typeof value === 'bigint' || isInt(value)

/** One step over two values that are neither null nor missing. Integers stay integers and widen; a date moves by ms. */
function step(a: Value, b: Value, rules: Arithmetic): Value {
  if (typeof a === 'number' && typeof b === 'number') {
    const plain = rules.doubles(a, b)
    if (!isInt(a) || !isInt(b)) return double(plain)
    // The product of two ints may need more digits than a number has.
    return isInt(plain) ? plain : integer(rules.integers(BigInt(a), BigInt(b)))
  }
  if (a instanceof Date || b instanceof Date) return dateStep(a, b, rules)
  if (!isNumeric(a) || !isNumeric(b)) throw wrongType(rules.name, wants(rules), isNumeric(a) ? b : a)
  if (!isInteger(a) || !isInteger(b)) return double(rules.doubles(toNumber(a), toNumber(b)))
  const exact = rules.integers(BigInt(a), BigInt(b))
  return BigInt.asIntN(64, exact) === exact ? exact : double(Number(exact))
}

const wants = ({ sign }: Arithmetic) => (sign === '*' ? 'numbers' : 'numbers and dates')

/** Milliseconds as a whole number: what is added with halves away from zero, what is taken off cut at the point, as MongoDB has it. */
const milliseconds = (value: number | bigint | { readonly value: number }, sign: Arithmetic['sign']) => {
  const number = typeof value === 'object' ? value.value : Number(value)
  return sign === '-' ? -Math.trunc(number) : Math.sign(number) * Math.round(Math.abs(number))
}

function dateStep(a: Value, b: Value, { name, sign }: Arithmetic): Value {
  if (sign === '-' && a instanceof Date && b instanceof Date) return BigInt(a.getTime() - b.getTime())
  const [date, number] = a instanceof Date ? [a, b] : [b, a]
  if (sign === '*' || !(date instanceof Date) || !isNumeric(number) || (sign === '-' && !(a instanceof Date))) {
    throw new ExpressionError(name, 'can not combine these values with a date')
  }
  return dateThere(name, new Date(date.getTime() + milliseconds(number, sign)))
}

/** Bits of milliseconds that can be added thousands of times without leaving the engine's dates. */
const DATE_BITS = 40

function datesSql(a: SqlExpression, b: SqlExpression, { sign }: Arithmetic): SqlExpression | undefined {
  const absent = a.type.absent === 'never' && b.type.absent === 'never' ? 'never' : 'null'
  if (a.type.kind === 'date' && b.type.kind === 'date' && sign === '-') {
    return {
      sql: sql`(epoch_ms(${a.sql}) - epoch_ms(${b.sql}))`,
      type: { kind: 'int', bits: 54, long: true, absent },
    }
  }
  const [date, number] = a.type.kind === 'date' ? [a, b] : [b, a]
  if (number.type.kind !== 'int' || number.type.bits > DATE_BITS || (sign === '-' && date !== a)) return undefined
  const interval = sql`to_milliseconds(${number.sql})`
  return {
    sql: sign === '-' ? sql`(${date.sql} - ${interval})` : sql`(${date.sql} + ${interval})`,
    type: { kind: 'date', absent },
  }
}

/** The result's kind and, where only the row tells, whether it is an integer; `undefined` where it may not be exact. */
function resultOf(
  a: SqlExpression,
  b: SqlExpression,
  rules: Arithmetic,
): { readonly kind: SqlKind; readonly isInt?: Fragment } | undefined {
  const whole = allIntegers([a, b])
  const bits = rules.bits(integerBits(a), integerBits(b))
  if (whole === 'always') {
    if (bits > EXACT_BITS) return undefined
    const long = [a, b].some(({ type }) => type.kind === 'int' && type.long === true)
    return { kind: { kind: 'int', bits, ...(long ? { long: true } : {}) } }
  }
  // Doubles may overflow to infinity: they are no longer known to be finite.
  if (whole === 'never') return { kind: { kind: 'double', finite: false } }
  const long = [a, b].some(({ type }) => type.kind === 'int' && type.long === true)
  if (whole === undefined || bits > DOUBLE_BITS || long) return undefined
  return { kind: { kind: 'double', finite: false, mixed: bits }, isInt: whole }
}

function numbersSql(a: SqlExpression, b: SqlExpression, rules: Arithmetic): SqlExpression | undefined {
  const result = resultOf(a, b, rules)
  if (result === undefined) return undefined
  const cast = result.kind.kind === 'int' ? sql`::bigint` : sql`::double`
  const [left, right] = [sql`${a.sql}${cast}`, sql`${b.sql}${cast}`]
  const combined = { '+': sql`(${left} + ${right})`, '-': sql`(${left} - ${right})`, '*': sql`(${left} * ${right})` }
  const absent = a.type.absent === 'never' && b.type.absent === 'never' ? 'never' : 'null'
  return {
    sql: combined[rules.sign],
    type: { ...result.kind, absent },
    ...(result.isInt === undefined ? {} : { isInt: result.isInt }),
  }
}

function compile(operands: readonly SqlExpression[], rules: Arithmetic): SqlExpression | undefined {
  if (rules.sign !== '*' && operands.some(({ type }) => type.kind === 'date')) {
    const [a, b] = operands
    return a === undefined || b === undefined || operands.length > 2 ? undefined : datesSql(a, b, rules)
  }
  const nulls = rules.sign === '-' ? 'null' : 'null in order'
  const taken = take(operands, { operator: rules.name, wanted: 'number', wants: wants(rules), nulls })
  const [first, ...rest] = taken?.operands ?? []
  if (taken === undefined || first === undefined) return undefined
  if (taken.operands.some(({ type }) => type.kind === 'nothing')) return given(taken, sql`null`, { kind: 'nothing' })
  const result = rest.reduce<SqlExpression | undefined>((a, b) => a && numbersSql(a, b, rules), first)
  return result && given(taken, result.sql, result.type, { isInt: result.isInt })
}

/** An operator over numbers that is applied from left to right. */
export function arithmetic(rules: Arithmetic): ExpressionOperator {
  return eager({
    name: rules.name,
    doc: rules.doc,
    arity: rules.arity,
    gives: (operands, typeOf) => rules.gives?.(operands, typeOf),
    evaluate: (...values) => {
      let result: Value | undefined
      // $subtract is null as soon as one operand is; the others stop at the first operand that is null or wrong.
      if (rules.sign === '-' && values.some(value => value === undefined || value === null)) return null
      for (const value of values) {
        if (value === undefined || value === null) return null
        if (!isNumeric(value) && !(value instanceof Date && rules.sign !== '*')) {
          throw wrongType(rules.name, wants(rules), value)
        }
        result = result === undefined ? value : step(result, value, rules)
      }
      return result ?? rules.neutral
    },
    sql: operands => compile(operands, rules),
  })
}
