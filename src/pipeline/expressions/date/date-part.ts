import { type Fragment } from '../../compile/sql.js'
import { given, take } from '../../compile/take.js'
import type { SqlKind } from '../../compile/types.js'
import { INT } from '../../given-type.js'
import type { Value } from '../../value.js'
import type { ExpressionOperator } from '../expression-operator.js'
import { named } from '../named.js'
import { wrongType } from '../wrong-type.js'
import { checkArguments } from './check-arguments.js'
import { zoneSql } from './local-sql.js'
import { toLocal, zoneOf } from './time-zone.js'

const EXAMPLE = { created_dt: { $date: '2026-03-07T17:08:09.045Z' } }

interface DatePart {
  readonly name: string
  /** What it gives, as the reference page says: `The hour, 0–23`. */
  readonly part: string
  /** What it gives of the date of the example. */
  readonly example: number
  /** Of a local time, whose UTC parts are the local ones. */
  readonly evaluate: (local: Date) => Value
  readonly sql: (local: Fragment) => Fragment
  /** A long, as the year of an ISO week is; an int otherwise. */
  readonly long?: true
}

/** A part of a date: `{$year: date}` or `{$year: {date, timezone}}`. */
export function datePart({ name, part, example, evaluate, sql: toSql, long }: DatePart): ExpressionOperator {
  const kind: SqlKind = { kind: 'int', bits: 31, ...(long === undefined ? {} : { long }) }
  return named({
    name,
    doc: {
      form: `{ ${name}: <date> } or { ${name}: { date, timezone } }`,
      meaning: `${part}, in the time zone (UTC when none is given). Null and missing give null.`,
      example: { expression: { [name]: '$created_dt' }, document: EXAMPLE, result: example },
    },
    fields: { date: 'required', timezone: 'optional' },
    short: 'date',
    gives: INT,
    check: (operands, where) => checkArguments(name, operands, where),
    evaluate: ({ date, timezone }, given) => {
      if (given.has('timezone') && (timezone === undefined || timezone === null)) return null
      if (date === undefined || date === null) return null
      if (!(date instanceof Date)) throw wrongType(name, 'dates', date)
      return evaluate(toLocal(date, zoneOf(name, timezone)))
    },
    sql: ({ date, timezone }) => {
      const zone = zoneSql(timezone)
      const taken = date && take([date], { operator: name, wanted: 'date', wants: 'dates', nulls: 'null' })
      const instant = taken?.operands[0]
      if (zone === undefined || taken === undefined || instant === undefined) return undefined
      if (instant.type.kind === 'nothing') return given(taken, instant.sql, { kind: 'nothing' })
      return given(taken, toSql(zone.toLocal(instant.sql)), kind)
    },
  })
}
