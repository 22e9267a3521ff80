import { advise } from '../../advise.js'
import { echo } from '../../../base/text.js'
import { failsWhen, failing, failsWithin } from '../../compile/fails.js'
import { isNullish } from '../../compile/null-sql.js'
import { type Fragment, bind, join, sql, trusted } from '../../compile/sql.js'
import { type Taken, given, take } from '../../compile/take.js'
import type { SqlExpression } from '../../compile/types.js'
import { chosen, unify } from '../../compile/unify.js'
import { ExpressionError } from '../expression-error.js'
import { named } from '../named.js'
import { wrongType } from '../wrong-type.js'
import { checkArguments } from './check-arguments.js'
import { type FormatPart, formatPart, readFormat } from './date-format.js'
import { type ZoneSql, zoneSql } from './local-sql.js'
import { offsetAt, readTimeZone, toLocal, zoneOf } from './time-zone.js'
import { Refusal } from '../../refusal.js'

const NAME = '$dateToString'
const FORMAT = 'takes a format of %Y %m %d %H %M %S %L %j %u %w %U %V %G %b %B %z %Z %% and other characters'
const YEARS = 'takes dates of the years 0 to 9999'
const UTC_FORMAT = '%Y-%m-%dT%H:%M:%S.%LZ'

/** Without a format a zone other than UTC has no Z. */
const defaultFormat = (zone: string) => (zone === 'UTC' ? UTC_FORMAT : UTC_FORMAT.slice(0, -1))

const isUtc = (zone: unknown) => typeof zone === 'string' && readTimeZone(zone) === 'UTC'

/** Specifiers that the engine prints alike, by its own letter. */
const ENGINE: Readonly<Record<string, string>> = {
  Y: '%Y',
  m: '%m',
  b: '%b',
  B: '%B',
  d: '%d',
  H: '%H',
  M: '%M',
  S: '%S',
  L: '%g',
  j: '%j',
  u: '%u',
  U: '%U',
  V: '%V',
  G: '%G',
}

/** A date in a zone: its local time, and the minutes that is ahead of UTC. */
interface LocalSql {
  readonly local: Fragment
  readonly ahead: Fragment
}

function localSqlOf(instant: Fragment, zone: ZoneSql): LocalSql {
  const local = zone.toLocal(instant)
  // Cut toward zero: some zones were ahead by seconds too.
  return { local, ahead: sql`trunc((epoch_us(${local}) - epoch_us(${instant})) / 60000000.0)::bigint` }
}

const twoDigits = (number: Fragment) => sql`lpad((${number})::varchar, 2, '0')`

function offsetSql(specifier: string, ahead: Fragment): Fragment {
  if (specifier !== 'z') return sql`(${ahead})::varchar`
  const sign = sql`(case when ${ahead} < 0 then '-' else '+' end)`
  return sql`${sign} || ${twoDigits(sql`abs(${ahead}) // 60`)} || ${twoDigits(sql`abs(${ahead}) % 60`)}`
}

function partSql(part: FormatPart, { local, ahead }: LocalSql, { offset }: ZoneSql): Fragment {
  if ('text' in part) return sql`${bind(part.text, 'VARCHAR')}`
  const letter = ENGINE[part.specifier]
  if (letter !== undefined) return sql`strftime(${local}, ${bind(letter, 'VARCHAR')})`
  if (part.specifier === 'w') return sql`(dayofweek(${local}) + 1)::varchar`
  if (offset === undefined) return offsetSql(part.specifier, ahead)
  return sql`${bind(formatPart(part.specifier, new Date(0), offset), 'VARCHAR')}`
}

/** Parts that the engine prints together are one format: one call a run of them. */
function textSql(parts: readonly FormatPart[], at: LocalSql, zone: ZoneSql): Fragment | undefined {
  const plain = parts.map(part => ('text' in part ? part.text.replaceAll('%', '%%') : ENGINE[part.specifier]))
  if (plain.length > 0 && !plain.includes(undefined)) {
    return sql`strftime(${at.local}, ${bind(plain.join(''), 'VARCHAR')})`
  }
  if (parts.length === 0) return undefined
  const texts = parts.map(part => partSql(part, at, zone))
  return sql`(${join(texts, ' || ')})`
}

/** A date as text. */
export const dateToString = named({
  name: NAME,
  doc: {
    form: '{ $dateToString: { date, format, timezone, onNull } }',
    meaning:
      'The date as text in the time zone (UTC when none is given). The format holds %Y year, %m month, %b and %B its name, %d day, %H %M %S time, %L milliseconds, %j day of the year, %u day of the week from Monday, %w from Sunday, %U week, %V and %G ISO week and its year, %z offset, %Z offset in minutes, %% a %; without one it is ISO 8601. Null and missing give onNull, else null.',
    example: {
      expression: { $dateToString: { date: '$created_dt', format: '%Y-%m' } },
      document: { created_dt: { $date: '2026-03-07T17:08:09Z' } },
      result: '2026-03',
    },
  },
  fields: { date: 'required', format: 'optional', timezone: 'optional', onNull: 'optional' },
  check: (operands, where) => {
    const format = operands.get('format')
    if (format?.kind === 'literal' && typeof format.value === 'string' && readFormat(format.value) === undefined) {
      throw new Refusal(`${where}.format`, `${NAME} ${FORMAT}`)
    }
    checkArguments(NAME, operands, where)
  },
  advise: (operands, context) => {
    const format = operands.get('format')
    if (format?.kind !== 'literal' || typeof format.value !== 'string' || format.value.includes('%')) return
    const place = { ...context, where: `${context.where}.format` }
    advise(place, `${echo(format.value)} holds no %, and so is the same text for every date`, '; a day is "%Y-%m-%d"')
  },
  evaluate: ({ date, format, timezone, onNull }, given) => {
    if (date === undefined || date === null) return given.has('onNull') ? onNull : null
    if (given.has('format') && (format ?? null) === null) return null
    if (given.has('timezone') && (timezone ?? null) === null) return null
    if (!(date instanceof Date)) throw wrongType(NAME, 'dates', date)
    const zone = zoneOf(NAME, timezone)
    const parts = readFormat(typeof format === 'string' ? format : format === undefined ? defaultFormat(zone) : '%')
    if (parts === undefined) throw new ExpressionError(NAME, FORMAT)
    const local = toLocal(date, zone)
    if (local.getUTCFullYear() < 0 || local.getUTCFullYear() > 9999) throw new ExpressionError(NAME, YEARS)
    const offset = Math.trunc(offsetAt(date.getTime(), zone) / 60_000)
    return parts.map(part => ('text' in part ? part.text : formatPart(part.specifier, local, offset))).join('')
  },
  sql: ({ date, format, timezone, onNull }) => {
    const zone = zoneSql(timezone)
    const given = format?.literal
    if (date === undefined || zone === undefined || (format !== undefined && typeof given !== 'string'))
      return undefined
    const utc = timezone === undefined || isUtc(timezone.literal)
    const text = typeof given === 'string' ? given : defaultFormat(utc ? 'UTC' : '')
    const parts = readFormat(text)
    const taken = take([date], { operator: NAME, wanted: 'date', wants: 'dates', nulls: 'null' })
    const instant = taken?.operands[0]
    if (parts === undefined || taken === undefined || instant === undefined) return undefined
    const result = printedSql(taken, instant, parts, zone)
    if (result === undefined || onNull === undefined) return result
    const unified = unify([{ ...result, type: { ...result.type, absent: 'never' } }, onNull])
    if (unified === undefined) return undefined
    const nullish = isNullish(date)
    const either = chosen(
      unified,
      onNull.type.absent,
      ([value, instead]) => sql`(case when ${nullish} then ${instead!} else ${value!} end)`,
    )
    return failing(either, result.fails, failsWithin(nullish, onNull.fails))
  },
})

/** The text of a date, NULL where there is none. */
function printedSql(
  taken: Taken,
  instant: SqlExpression,
  parts: readonly FormatPart[],
  zone: ZoneSql,
): SqlExpression | undefined {
  if (instant.type.kind === 'nothing') return given(taken, sql`null`, { kind: 'nothing' })
  if (instant.type.kind !== 'date') return undefined
  const at = localSqlOf(instant.sql, zone)
  const { local } = at
  const printed = textSql(parts, at, zone)
  if (printed === undefined) return undefined
  // The engine pads the years of the first millennium in a way of its own; calls have none.
  const { bounded } = instant.type
  const padded = (date: Fragment, text: Fragment) =>
    bounded === true ? text : sql`(case when year(${date}) between 1000 and 9999 then ${text} end)`
  const fails = bounded === true ? undefined : failsWhen(sql`year(${local}) not between 0 and 9999`, NAME, YEARS)
  const result = given(taken, padded(local, printed), { kind: 'string' }, { fails })
  const unit = unitShown(parts)
  if (unit === undefined) return result
  // Rows are grouped by the date cut to what the text shows: the text is made for groups.
  const value = (date: Fragment) => padded(date, textSql(parts, { ...at, local: date }, zone)!)
  return { ...result, groupedBy: { sql: sql`date_trunc(${trusted(`'${unit}'`)}, ${local})::timestamp`, value } }
}

/** The unit that a text shows, no more and no less, such as the month of `%Y-%m`. */
function unitShown(parts: readonly FormatPart[]): 'year' | 'month' | 'day' | undefined {
  const shown = new Set(parts.flatMap(part => ('specifier' in part ? part.specifier : [])))
  if (!shown.delete('Y')) return undefined
  const months = ['m', 'b', 'B'].map(one => shown.delete(one)).includes(true)
  const days = shown.delete('d')
  if (shown.size > 0 || (days && !months)) return undefined
  return days ? 'day' : months ? 'month' : 'year'
}
