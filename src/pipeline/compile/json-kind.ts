import { type Fragment, sql } from './sql.js'

const textOf = (value: Fragment): Fragment => sql`${value}::varchar`

const startsWith = (character: Fragment) => (value: Fragment) => sql`starts_with(${textOf(value)}, ${character})`

/**
 * What a JSON value is, as conditions; NULL of a missing one. The engine writes the values it takes out of documents
 * without blanks, so that the first character of their text tells: `json_type` would read each of them again.
 */
export const jsonKind = {
  /** Digits and the minus sign stand together among the characters. */
  isNumber: (value: Fragment): Fragment => sql`(${textOf(value)} >= '-' and ${textOf(value)} < ':')`,
  isString: startsWith(sql`'"'`),
  isBool: (value: Fragment): Fragment => sql`(${textOf(value)} in ('true', 'false'))`,
  isNull: (value: Fragment): Fragment => sql`(${textOf(value)} = 'null')`,
  isObject: startsWith(sql`'{'`),
  isArray: startsWith(sql`'['`),
  /** A document or an array. */
  isNested: (value: Fragment): Fragment =>
    sql`(starts_with(${textOf(value)}, '{') or starts_with(${textOf(value)}, '['))`,
  /** The number it is; only of numbers. */
  number: (value: Fragment): Fragment => sql`try_cast(${textOf(value)} as double)`,
} as const
