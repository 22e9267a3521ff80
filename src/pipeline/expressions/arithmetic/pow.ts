import { failsWhen } from '../../compile/fails.js'
import { allIntegers } from '../../compile/is-int-sql.js'
import { sql } from '../../compile/sql.js'
import { given, take } from '../../compile/take.js'
import { type Value, double, integer, isInt, isNumeric, toNumber } from '../../value.js'
import { eager } from '../eager.js'
import { ExpressionError } from '../expression-error.js'
import { wrongType } from '../wrong-type.js'

const ZERO = 'can not raise 0 to a negative exponent'

/** The power of two integers: an integer where 64 bits hold it, else a double. */
function integerPower(base: number | bigint, exponent: number | bigint): Value {
  const [b, e] = [BigInt(base), BigInt(exponent)]
  const unit = b === 1n || b === -1n
  if (e < 0n && !unit) return double(Number(b) ** Number(e))
  if (e > 63n && !unit && b !== 0n) return double(Number(b) ** Number(e))
  const power = unit ? (b === -1n && e % 2n !== 0n ? -1n : 1n) : b ** e
  if (BigInt.asIntN(64, power) !== power) return double(Number(b) ** Number(e))
  return typeof base === 'bigint' || typeof exponent === 'bigint' ? power : integer(power)
}

/** As C has it and the engine too: 1 to any power is 1, and so is -1 to an infinite one, where JavaScript gives NaN. */
function powerOf(base: number, exponent: number): number {
  const one = base === 1 || (base === -1 && Math.abs(exponent) === Infinity)
  return one ? 1 : Math.pow(base, exponent)
}

/** A number raised to a power. */
export const pow = eager({
  name: '$pow',
  doc: {
    form: '{ $pow: [<number>, <exponent>] }',
    meaning:
      'The number raised to the exponent: an integer for two integers where 64 bits hold it, else a double. Zero with a negative exponent is an error; null and missing give null.',
    example: { expression: { $pow: ['$n', 2] }, document: { n: 5 }, result: 25 },
  },
  arity: [2, 2],
  evaluate: (base, exponent) => {
    if (base === undefined || base === null || exponent === undefined || exponent === null) return null
    if (!isNumeric(base) || !isNumeric(exponent)) throw wrongType('$pow', 'numbers', isNumeric(base) ? exponent : base)
    if (toNumber(base) === 0 && toNumber(exponent) < 0) throw new ExpressionError('$pow', ZERO)
    const whole = (value: Value): value is number | bigint => typeof value === 'bigint' || isInt(value)
    if (whole(base) && whole(exponent)) return integerPower(base, exponent)
    return double(powerOf(toNumber(base), toNumber(exponent)))
  },
  sql: operands => {
    const taken = take(operands, { operator: '$pow', wanted: 'number', wants: 'numbers', nulls: 'null' })
    const [base, exponent] = taken?.operands ?? []
    if (taken === undefined || base === undefined || exponent === undefined) return undefined
    if (base.type.kind === 'nothing' || exponent.type.kind === 'nothing')
      return given(taken, sql`null`, { kind: 'nothing' })
    const fails = failsWhen(sql`${base.sql} = 0 and ${exponent.sql} < 0`, '$pow', ZERO)
    const whole = allIntegers([base, exponent])
    // Square and cube are what integers are raised to; other integer powers change their type with their size.
    if (whole === 'always' && base.type.kind === 'int' && base.type.long !== true) {
      const bits = base.type.bits * (exponent.constant ?? 99)
      if (bits > 62) return undefined
      const factor = sql`${base.sql}::bigint`
      if (exponent.constant === 2) return given(taken, sql`(${factor} * ${factor})`, { kind: 'int', bits })
      if (exponent.constant === 3) return given(taken, sql`(${factor} * ${factor} * ${factor})`, { kind: 'int', bits })
      return undefined
    }
    // The engine and JavaScript differ where the base is 1 or -1 and the exponent infinite or no number.
    if (whole !== 'never' || exponent.constant === undefined || !Number.isFinite(exponent.constant)) return undefined
    return given(
      taken,
      sql`pow(${base.sql}::double, ${exponent.sql}::double)`,
      { kind: 'double', finite: false },
      { fails },
    )
  },
})
