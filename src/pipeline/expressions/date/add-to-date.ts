import { type Fragment, bind, sql } from '../../compile/sql.js'
import { given, take } from '../../compile/take.js'
import { DATE } from '../../given-type.js'
import { isNumeric, toNumber, type Value } from '../../value.js'
import type { ExpressionDoc } from '../expression-doc.js'
import { ExpressionError } from '../expression-error.js'
import type { ExpressionOperator } from '../expression-operator.js'
import { named } from '../named.js'
import { wrongType } from '../wrong-type.js'
import { zoneSql } from './local-sql.js'
import { zoneOf } from './time-zone.js'
import { DAYS, FIXED_MS, MONTHS, UNITS, type Unit, unitOf } from './units.js'
import { checkArguments } from './check-arguments.js'
import { addUnits } from './add-units.js'
import { dateThere } from './date-there.js'

function amountOf(name: string, value: Value): number {
  const amount = isNumeric(value) ? toNumber(value) : Number.NaN
  if (!Number.isInteger(amount)) throw new ExpressionError(name, 'takes a whole number as amount')
  return amount
}

/** Most of a unit that the engine adds: with thousands of additions a date still stays within its range. */
const MOST: Readonly<Record<Unit, number>> = {
  year: 30,
  quarter: 120,
  month: 360,
  week: 1500,
  day: 10_000,
  hour: 250_000,
  minute: 15_000_000,
  second: 900_000_000,
  millisecond: 900_000_000_000,
}

function intervalSql(unit: Unit, amount: number): Fragment {
  const months = MONTHS[unit]
  if (months !== undefined) return sql`to_months(${bind(BigInt(amount * months), 'BIGINT')}::integer)`
  const days = DAYS[unit]
  if (days !== undefined) return sql`to_days(${bind(BigInt(amount * days), 'BIGINT')}::integer)`
  return sql`to_milliseconds(${bind(BigInt(amount * (FIXED_MS[unit] ?? 0)), 'BIGINT')})`
}

/** $dateAdd and $dateSubtract: `{$dateAdd: {startDate, unit, amount, timezone}}`. */
export function addToDate(name: '$dateAdd' | '$dateSubtract', doc: ExpressionDoc): ExpressionOperator {
  const sign = name === '$dateAdd' ? 1 : -1
  return named({
    name,
    doc,
    fields: { startDate: 'required', unit: 'required', amount: 'required', timezone: 'optional' },
    gives: DATE,
    check: (operands, where) => checkArguments(name, operands, where),
    evaluate: ({ startDate, unit, amount, timezone }, given) => {
      if ([startDate ?? null, unit ?? null, amount ?? null].includes(null)) return null
      if (given.has('timezone') && (timezone ?? null) === null) return null
      if (!(startDate instanceof Date)) throw wrongType(name, 'dates as startDate', startDate)
      const known = unitOf(unit)
      if (known === undefined) throw new ExpressionError(name, `takes the units ${UNITS.join(', ')}`)
      return dateThere(name, addUnits(startDate, known, sign * amountOf(name, amount!), zoneOf(name, timezone)))
    },
    sql: ({ startDate, unit, amount, timezone }) => {
      const known = unitOf(unit?.literal)
      const zone = zoneSql(timezone)
      const count = amount?.constant
      if (startDate === undefined || known === undefined || zone === undefined) return undefined
      if (count === undefined || !Number.isInteger(count) || Math.abs(count) > MOST[known]) return undefined
      const taken = take([startDate], { operator: name, wanted: 'date', wants: 'dates as startDate', nulls: 'null' })
      const date = taken?.operands[0]
      if (taken !== undefined && date?.type.kind === 'nothing') return given(taken, sql`null`, { kind: 'nothing' })
      if (taken === undefined || date?.type.kind !== 'date') return undefined
      const interval = intervalSql(known, sign * count)
      if (FIXED_MS[known] !== undefined) return given(taken, sql`(${date.sql} + ${interval})`, { kind: 'date' })
      const moved = zone.fromLocal(sql`(${zone.toLocal(date.sql)} + ${interval})`)
      return given(taken, sql`(${moved})::timestamp`, { kind: 'date' })
    },
  })
}
