import { failsWhen } from '../../compile/fails.js'
import { DOUBLE_BITS, allIntegers, integerBits } from '../../compile/is-int-sql.js'
import { sql } from '../../compile/sql.js'
import { given, take } from '../../compile/take.js'
import { type Double, double, integer, isInt, isNumeric, toNumber } from '../../value.js'
import { eager } from '../eager.js'
import { ExpressionError } from '../expression-error.js'
import { wrongType } from '../wrong-type.js'

const BY_ZERO = 'can not divide by zero'

const isWhole = (value: number | bigint | Double): value is number | bigint => typeof value === 'bigint' || isInt(value)

/** The remainder with the sign of the dividend. */
export const mod = eager({
  name: '$mod',
  doc: {
    form: '{ $mod: [<number>, <number>] }',
    meaning: 'The remainder of a division, with the sign of the first number. Null or missing makes it null.',
    example: { expression: { $mod: ['$turns', 4] }, document: { turns: 10 }, result: 2 },
  },
  arity: [2, 2],
  evaluate: (a, b) => {
    if (a === undefined || a === null || b === undefined || b === null) return null
    if (!isNumeric(a) || !isNumeric(b)) throw wrongType('$mod', 'numbers', isNumeric(a) ? b : a)
    if (toNumber(b) === 0) throw new ExpressionError('$mod', BY_ZERO)
    if (!isWhole(a) || !isWhole(b)) return double(toNumber(a) % toNumber(b))
    const rest = BigInt(a) % BigInt(b)
    return typeof a === 'bigint' || typeof b === 'bigint' ? rest : integer(rest)
  },
  sql: operands => {
    const taken = take(operands, { operator: '$mod', wanted: 'number', wants: 'numbers', nulls: 'null' })
    const [a, b] = taken?.operands ?? []
    if (taken === undefined || a === undefined || b === undefined) return undefined
    if (a.type.kind === 'nothing' || b.type.kind === 'nothing') return given(taken, sql`null`, { kind: 'nothing' })
    const whole = allIntegers([a, b])
    const bits = integerBits(a)
    const long = [a, b].some(({ type }) => type.kind === 'int' && type.long === true)
    if (whole === undefined || (whole !== 'always' && (bits > DOUBLE_BITS || long)) || bits > 62) return undefined
    const constant = b.constant !== undefined && b.constant !== 0
    const fails = constant ? undefined : failsWhen(sql`${b.sql} = 0 and ${a.sql} is not null`, '$mod', BY_ZERO)
    if (whole === 'always') {
      return given(
        taken,
        sql`(${a.sql}::bigint % ${b.sql}::bigint)`,
        { kind: 'int', bits, ...(long ? { long: true } : {}) },
        { fails },
      )
    }
    const rest = sql`(${a.sql}::double % ${b.sql}::double)`
    if (whole === 'never') return given(taken, rest, { kind: 'double', finite: false }, { fails })
    return given(taken, rest, { kind: 'double', finite: false, mixed: bits }, { fails, isInt: whole })
  },
})
