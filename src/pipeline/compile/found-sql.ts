import type { Pattern } from '../pattern.js'
import { type Fragment, bind, sql } from './sql.js'

/** Whether a pattern is found in a text, NULL of NULL; `undefined` where the engine may not read the pattern alike. */
export function foundSql(text: Fragment, { plain, engine }: Pattern): Fragment | undefined {
  // A plain text is a substring search, several times as fast as a pattern.
  if (plain !== undefined) return sql`contains(${text}, ${bind(plain, 'VARCHAR')})`
  return engine === undefined ? undefined : sql`regexp_matches(${text}, ${bind(engine, 'VARCHAR')})`
}
