import { type Fragment, sql } from './sql.js'

const textOf = (value: Fragment): Fragment => sql`${value}::varchar`

const startsWith = (character: Fragment) => (value: Fragment) => sql`starts_with(${textOf(value)}, ${character})`

/** Digits and the minus sign stand together among the characters. */
const isNumber = (value: Fragment): Fragment => sql`(${textOf(value)} >= '-' and ${textOf(value)} < ':')`
const isString = startsWith(sql`'"'`)
const number = (value: Fragment): Fragment => sql`try_cast(${textOf(value)} as double)`

/**
 * What a JSON value is, as conditions; NULL of a missing one. The engine writes the values it takes out of documents
 * without blanks, so that the first character of their text tells: `json_type` would read each of them again.
 */
export const jsonKind = {
  isNumber,
  isString,
  isBool: (value: Fragment): Fragment => sql`(${textOf(value)} in ('true', 'false'))`,
  isNull: (value: Fragment): Fragment => sql`(${textOf(value)} = 'null')`,
  isObject: startsWith(sql`'{'`),
  isArray: startsWith(sql`'['`),
  /** A document or an array. */
  isNested: (value: Fragment): Fragment =>
    sql`(starts_with(${textOf(value)}, '{') or starts_with(${textOf(value)}, '['))`,
  /** The number it is; only of numbers. */
  number,
  /** The number it is, NULL of anything else. */
  ifNumber: (value: Fragment): Fragment => sql`(case when ${isNumber(value)} then ${number(value)} end)`,
  /** The text it is, NULL of anything else. */
  ifString: (value: Fragment): Fragment => sql`(case when ${isString(value)} then ${value} ->> '$' end)`,
} as const
