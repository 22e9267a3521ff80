import { fieldOf, sql } from './sql.js'
import { type SqlExpression, joinAbsent, withAbsent } from './types.js'

/** A field of a struct; a field of a struct that is NULL is missing, whatever the struct's NULL means. */
export function fieldSql(struct: SqlExpression, name: string): SqlExpression {
  const { type } = struct
  const field = type.kind === 'struct' ? type.fields.get(name) : undefined
  if (field === undefined) return { sql: sql`null`, type: { kind: 'nothing', absent: 'missing' } }
  const absent = type.absent === 'never' ? field.absent : joinAbsent(field.absent, 'missing')
  const part = struct.parts?.get(name)
  const bulk = part === undefined ? struct.bulk : part.bulk
  const value: SqlExpression = {
    sql: part?.sql ?? fieldOf(struct.sql, name),
    type: withAbsent(field, absent),
    ...(part?.parts === undefined ? {} : { parts: part.parts }),
    ...(bulk === undefined ? {} : { bulk }),
  }
  // A field that is null in a struct that is there, or missing with the struct.
  return absent === 'either' && field.absent === 'null' ? { ...value, isNull: sql`(${struct.sql} is not null)` } : value
}
