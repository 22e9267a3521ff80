import { failing, failsWhen, failsWithin, firstFailure } from '../../compile/fails.js'
import type { CompileContext } from '../../tree.js'
import { jsonKind } from '../../compile/json-kind.js'
import { isNullish } from '../../compile/null-sql.js'
import { type Fragment, sql } from '../../compile/sql.js'
import { type SqlExpression, joinAbsent } from '../../compile/types.js'
import { chosen, unify } from '../../compile/unify.js'
import { formattedDateSql, isoDateSql } from './date-text-sql.js'

/** What is said of a value that is no date. */
export const UNREADABLE = 'can not read this value as a date'

const NULL: SqlExpression = { sql: sql`null`, type: { kind: 'nothing', absent: 'null' } }

/** The text of a value, NULL where it is none. */
function textSql({ sql: value, type }: SqlExpression): Fragment {
  if (type.kind === 'string') return value
  return type.kind === 'open' ? jsonKind.ifString(value) : sql`null::varchar`
}

/** $dateFromString without a time zone, by a format or without one. */
export function dateFromStringSql(
  input: SqlExpression,
  format: string | undefined,
  onError: SqlExpression | undefined,
  onNull: SqlExpression | undefined,
  context: Pick<CompileContext, 'exactUnless'>,
): SqlExpression | undefined {
  // What the engine knows beforehand it folds to a NULL of no type, which it then refuses.
  if (input.literal !== undefined || input.type.kind === 'nothing') return undefined
  const text = textSql(input)
  const date = format === undefined ? isoDateSql(text, context) : formattedDateSql(text, format)
  if (date === undefined) return undefined
  const instead = onNull ?? NULL
  const nullish = isNullish(input)
  const wrong = sql`(not ${nullish} and ${date} is null)`
  const isNull = ({ type }: SqlExpression) => type.kind === 'nothing' && type.absent === 'null'
  if (isNull(instead) && (onError === undefined || isNull(onError))) {
    const own = onError === undefined ? failsWhen(wrong, '$dateFromString', UNREADABLE) : undefined
    return failing({ sql: date, type: { kind: 'date', absent: 'null' } }, firstFailure([input.fails, own]))
  }
  const found: SqlExpression = { sql: date, type: { kind: 'date', absent: 'never' } }
  const unified = unify(onError === undefined ? [found, instead] : [found, instead, onError])
  if (unified === undefined) return undefined
  const absent = joinAbsent(instead.type.absent, onError?.type.absent ?? 'never')
  const expression = chosen(unified, absent, ([value, forNull, forError]) =>
    forError === undefined
      ? sql`(case when ${nullish} then ${forNull!} else ${value!} end)`
      : sql`(case when ${nullish} then ${forNull!} when ${wrong} then ${forError} else ${value!} end)`,
  )
  const own =
    onError === undefined ? failsWhen(wrong, '$dateFromString', UNREADABLE) : failsWithin(wrong, onError.fails)
  return failing(expression, firstFailure([input.fails, failsWithin(nullish, instead.fails), own]))
}
