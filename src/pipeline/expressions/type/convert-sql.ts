import { jsonKind } from '../../compile/json-kind.js'
import type { CompileContext } from '../../tree.js'
import { isNullish } from '../../compile/null-sql.js'
import { type Fragment, bind, concat, sql } from '../../compile/sql.js'
import { truthySql } from '../../compile/truthy-sql.js'
import { jsonIsInt, typeNameSql } from '../../compile/type-name-sql.js'
import type { SqlExpression, SqlKind } from '../../compile/types.js'
import { isoDateSql } from '../date/date-text-sql.js'
import { numberTextSql } from '../string/number-text-sql.js'
import type { Target } from './target.js'
import { MOST_MILLIS } from '../date/units.js'

/** A conversion in the engine: NULL for null, missing and what can't be converted; `reason` says why not. */
export interface Converted {
  readonly sql: Fragment
  readonly kind: SqlKind
  readonly reason: Fragment | undefined
}

const WHOLE = '[+-]?[0-9]+'
const DECIMAL = '[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?'

/** A text that matches, without the plus sign that the engine's casts don't read. */
const readable = (text: Fragment, pattern: string) =>
  sql`(case when regexp_full_match(${text}, ${bind(pattern, 'VARCHAR')}) then ltrim(${text}, '+') end)`

const reasonWhen = (condition: Fragment, reason: string) =>
  sql`(case when ${condition} then ${bind(reason, 'VARCHAR')} end)`

interface Whole {
  readonly kind: SqlKind
  readonly article: string
  /** The range as doubles, ends included. */
  readonly inRange: (value: Fragment) => Fragment
}

const WHOLES: Readonly<Record<'int' | 'long', Whole>> = {
  int: {
    kind: { kind: 'int', bits: 31 },
    article: 'an int',
    inRange: value => sql`${value} between -2147483648 and 2147483647`,
  },
  long: {
    kind: { kind: 'int', bits: 63, long: true },
    article: 'a long',
    inRange: value => sql`${value} >= -9223372036854775808 and ${value} < 9223372036854775808`,
  },
}

function wholeOf({ sql: value, type, isInt }: SqlExpression, to: 'int' | 'long'): Converted | undefined {
  const { kind, article, inRange } = WHOLES[to]
  switch (type.kind) {
    case 'bool':
      return { sql: sql`${value}::bigint`, kind, reason: undefined }
    case 'int': {
      if (type.bits > 63) return undefined
      if (to === 'long' || type.bits <= 31) return { sql: sql`${value}::bigint`, kind, reason: undefined }
      const held = sql`(${inRange(value)})`
      return {
        sql: sql`(case when ${held} then ${value} end)`,
        kind,
        reason: reasonWhen(sql`not ${held}`, `can not hold this long in ${article}`),
      }
    }
    case 'double': {
      // Of a number that may be an integer the sentence would have to tell which.
      if (isInt !== undefined || type.mixed !== undefined) return undefined
      const held = sql`(isfinite(${value}) and ${inRange(sql`trunc(${value})`)})`
      const whole = sql`try_cast(trunc(${value}) as bigint)`
      return {
        sql: sql`(case when ${held} then ${whole} end)`,
        kind,
        reason: reasonWhen(sql`not ${held}`, `can not hold this double in ${article}`),
      }
    }
    case 'string': {
      const number = sql`try_cast(${readable(value, WHOLE)} as bigint)`
      const held = sql`coalesce(${number} is not null${to === 'int' ? sql` and ${inRange(number)}` : sql``}, false)`
      return {
        sql: sql`(case when ${held} then ${number} end)`,
        kind,
        reason: reasonWhen(sql`${value} is not null and not ${held}`, `can not read this string as ${article}`),
      }
    }
    default:
      return undefined
  }
}

function doubleOf({ sql: value, type }: SqlExpression): Converted | undefined {
  const kind = { kind: 'double', finite: true } as const
  switch (type.kind) {
    case 'bool':
      return { sql: sql`${value}::double`, kind, reason: undefined }
    case 'int':
      return { sql: sql`${value}::double`, kind, reason: undefined }
    case 'double':
      return { sql: value, kind: { kind: 'double', finite: type.finite }, reason: undefined }
    case 'date':
      return { sql: sql`epoch_ms(${value})::double`, kind, reason: undefined }
    case 'string': {
      const number = sql`try_cast(${readable(value, DECIMAL)} as double)`
      const held = sql`coalesce(isfinite(${number}), false)`
      return {
        sql: sql`(case when ${held} then ${number} end)`,
        kind,
        reason: reasonWhen(sql`${value} is not null and not ${held}`, 'can not read this string as a double'),
      }
    }
    default:
      return undefined
  }
}

function textOf({ sql: value, type }: SqlExpression, context: CompileContext): Converted | undefined {
  const kind = { kind: 'string' } as const
  switch (type.kind) {
    case 'string':
      return { sql: value, kind, reason: undefined }
    case 'int':
      return type.bits > 63 ? undefined : { sql: sql`${value}::varchar`, kind, reason: undefined }
    case 'bool':
      return { sql: sql`${value}::varchar`, kind, reason: undefined }
    case 'date':
      return { sql: sql`strftime(${value}, '%Y-%m-%dT%H:%M:%S.%gZ')`, kind, reason: undefined }
    case 'double': {
      const printed = numberTextSql(value, context)
      return printed && { sql: printed, kind, reason: undefined }
    }
    default:
      return undefined
  }
}

function truthOf({ sql: value, type }: SqlExpression): Converted | undefined {
  const kind = { kind: 'bool' } as const
  if (type.kind === 'bool') return { sql: value, kind, reason: undefined }
  if (type.kind === 'int' || type.kind === 'double') return { sql: sql`(${value} <> 0)`, kind, reason: undefined }
  return { sql: sql`(case when ${value} is not null then true end)`, kind, reason: undefined }
}

function dateOf({ sql: value, type, isInt }: SqlExpression, context: CompileContext): Converted | undefined {
  const kind = { kind: 'date' } as const
  const never = (name: string): Converted => ({
    sql: sql`null::timestamp`,
    kind,
    reason: reasonWhen(sql`${value} is not null`, `can not convert ${name} to date`),
  })
  switch (type.kind) {
    case 'date':
      return { sql: value, kind, reason: undefined }
    case 'bool':
      return never('bool')
    case 'int':
      // An int is no date, a long is one: of others only the row tells which they are.
      return type.bits <= 31 && type.long !== true ? never('int') : undefined
    case 'double': {
      if (isInt !== undefined || type.mixed !== undefined) return undefined
      const most = bind(MOST_MILLIS, 'DOUBLE')
      const held = sql`(isfinite(${value}) and abs(trunc(${value})) <= ${most})`
      return {
        sql: sql`epoch_ms(case when ${held} then try_cast(trunc(${value}) as bigint) end)`,
        kind,
        reason: reasonWhen(sql`not ${held}`, 'can not hold this double in a date'),
      }
    }
    case 'string': {
      const date = isoDateSql(value, context)
      return {
        sql: date,
        kind,
        reason: reasonWhen(sql`${value} is not null and ${date} is null`, 'can not read this string as a date'),
      }
    }
    default:
      return undefined
  }
}

function typedSql(operand: SqlExpression, to: Target, context: CompileContext): Converted | undefined {
  switch (to) {
    case 'int':
    case 'long':
      return wholeOf(operand, to)
    case 'double':
      return doubleOf(operand)
    case 'string':
      return textOf(operand, context)
    case 'bool':
      return truthOf(operand)
    case 'date':
      return dateOf(operand, context)
  }
}

/** Which of JSON's types a value is, and the value as that type. */
function alternatives(value: Fragment): readonly { readonly when: Fragment; readonly as: SqlExpression }[] {
  return [
    {
      when: jsonKind.isString(value),
      as: { sql: sql`(${value} ->> '$')`, type: { kind: 'string', absent: 'null' } },
    },
    {
      when: jsonKind.isBool(value),
      as: { sql: sql`(${value}::varchar = 'true')`, type: { kind: 'bool', absent: 'null' } },
    },
    {
      when: sql`${jsonKind.isNumber(value)} and ${jsonIsInt(value)}`,
      as: { sql: sql`try_cast(${jsonKind.number(value)} as bigint)`, type: { kind: 'int', bits: 31, absent: 'null' } },
    },
    {
      when: jsonKind.isNumber(value),
      as: {
        sql: jsonKind.ifNumber(value),
        type: { kind: 'double', finite: true, absent: 'null' },
      },
    },
  ]
}

/** A JSON value: each of its types in its own way; objects and arrays are true and have no other conversion. */
function openSql(operand: SqlExpression, to: Target, context: CompileContext): Converted | undefined {
  const { sql: value } = operand
  if (to === 'bool') {
    const there = sql`not ${jsonKind.isNull(value)}`
    return { sql: sql`(case when ${there} then ${truthySql(operand)} end)`, kind: { kind: 'bool' }, reason: undefined }
  }
  const name = typeNameSql(operand)
  const ways = alternatives(value)
  const converted = ways.map(({ as }) => typedSql(as, to, context))
  if (name === undefined || converted.includes(undefined)) return undefined
  const values = ways.map(({ when }, i) => sql`when ${when} then ${converted[i]!.sql} `)
  const reasons = ways.map(({ when }, i) => sql`when ${when} then ${converted[i]!.reason ?? sql`null`} `)
  const refused = sql`${bind('can not convert ', 'VARCHAR')} || ${name} || ${bind(` to ${to}`, 'VARCHAR')}`
  return {
    sql: sql`(case ${concat(values)}end)`,
    kind: converted[0]!.kind,
    reason: sql`(case ${concat(reasons)}when not ${isNullish(operand)} then ${refused} end)`,
  }
}

/** A conversion of a typed or JSON value; `undefined` where the engine would not be exact. */
export function convertSql(operand: SqlExpression, to: Target, context: CompileContext): Converted | undefined {
  if (operand.type.kind === 'nothing') return { sql: sql`null`, kind: { kind: 'nothing' }, reason: undefined }
  return operand.type.kind === 'open' ? openSql(operand, to, context) : typedSql(operand, to, context)
}
