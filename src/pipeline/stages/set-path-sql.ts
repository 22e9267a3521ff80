import { bulkOf, elementBulk, sumBulk } from '../compile/bulk.js'
import { objectSql } from '../compile/compile-expression.js'
import { failing } from '../compile/fails.js'
import { fieldSql } from '../compile/field-sql.js'
import { lambdaName } from '../compile/lambda.js'
import { withField } from '../compile/open-object-sql.js'
import { varied } from '../compile/opaque.js'
import { type Fragment, sql } from '../compile/sql.js'
import { isOpaqueKind, type SqlExpression, type SqlType } from '../compile/types.js'
import { asJson, chosen } from '../compile/unify.js'
import { mergedSql } from '../expressions/object/merge-objects.js'
import type { FieldPath } from '../path.js'

const whenNull = (there: Fragment, absent: Fragment, value: Fragment): Fragment =>
  sql`(case when ${there} is null then ${absent} else ${value} end)`

/** Most fields of a document that another is set in: each makes the document anew. */
const MOST_FIELDS = 200

/**
 * A column with a value set at a path inside it, as setPath does: structs are merged into, every element of a list is
 * set, anything else becomes a document. `undefined` where the engine would not be exact.
 */
export function setPathSql(
  column: SqlExpression | undefined,
  path: FieldPath,
  value: SqlExpression,
): SqlExpression | undefined {
  const [name, ...rest] = path
  if (name === undefined) return value
  const type = column?.type
  if (type !== undefined && isOpaqueKind(type.kind)) return undefined
  if (column !== undefined && type?.kind === 'open') return setInObject(column, type, path, value)
  if (column !== undefined && type?.kind === 'list') return setElements(column, type, path, value)
  if (column === undefined || type?.kind !== 'struct') return setScalar(column, name, rest, value)
  if (type.fields.size >= MOST_FIELDS) return undefined
  // Fields of a struct that is NULL are missing: the same field by field, whether the struct is there or not.
  const fields = [...type.fields.keys()].map(field => [field, fieldSql(column, field)] as const)
  const known = fields.find(([field]) => field === name)
  const set = setPathSql(known?.[1], rest, value)
  if (set === undefined) return undefined
  const inPlace = objectSql(fields.map(([field, old]) => [field, field === name ? set : old]))
  const atEnd = objectSql([...fields.filter(([field]) => field !== name), [name, set]])
  const absent = type.fields.get(name)?.absent
  // A field that was not there is the last one then.
  const isShifted = known !== undefined && known !== fields.at(-1) && absent !== 'never' && absent !== 'null'
  const made = known === undefined ? atEnd : isShifted ? either(known[1].sql, atEnd, inPlace) : inPlace
  // What was set in it before may fail.
  return made && failing(made, column.fails)
}

/** One value where another is NULL, and one of another type where it is not. */
function either(
  there: Fragment,
  absent: SqlExpression | undefined,
  present: SqlExpression | undefined,
): SqlExpression | undefined {
  const unified = absent && present && varied([absent, present])
  const value = unified && chosen(unified, 'never', ([none, some]) => whenNull(there, none!, some!))
  return value && failing({ ...value, bulk: sumBulk([absent, present].map(bulkOf)) }, absent.fails, present.fails)
}

/** Names that JavaScript puts before all others, wherever they are set. */
const INDEX = /^\d+$/

/** A field of a JSON object, where its value is one that JSON holds. */
function setInObject(
  column: SqlExpression,
  type: SqlType & { readonly kind: 'open' },
  [name, ...rest]: FieldPath,
  value: SqlExpression,
): SqlExpression | undefined {
  if (name === undefined || rest.length > 0 || INDEX.test(name)) return undefined
  const json = type.object === true && value.type.absent === 'never' ? asJson(value) : undefined
  if (json === undefined) {
    // A value that JSON does not hold is laid over the object.
    const { absent } = value.type
    const over =
      type.object === true && (absent === 'never' || absent === 'null') ? objectSql([[name, value]]) : undefined
    return over && mergedSql([column, over])
  }
  const made: SqlExpression = {
    sql: withField(column.sql, name, json),
    type: { kind: 'open', object: true, absent: 'never' },
  }
  return failing(made, column.fails, value.fails)
}

/** A scalar, a missing or a null value becomes a document of the one field. */
function setScalar(
  column: SqlExpression | undefined,
  name: string,
  rest: FieldPath,
  value: SqlExpression,
): SqlExpression | undefined {
  const inner = setPathSql(undefined, rest, value)
  const made = inner && objectSql([[name, inner]])
  return made && failing(made, column?.fails)
}

function setElements(
  column: SqlExpression,
  type: SqlType & { readonly kind: 'list' },
  path: FieldPath,
  value: SqlExpression,
): SqlExpression | undefined {
  const element = lambdaName()
  const inner = setPathSql({ sql: element, type: type.of, bulk: elementBulk(column) }, path, value)
  if (inner === undefined) return undefined
  const { items } = bulkOf(column)
  const set: SqlExpression = {
    sql: sql`list_transform(${column.sql}, lambda ${element}: ${inner.sql})`,
    type: { ...type, of: inner.type },
    bulk: { items, size: items * bulkOf(inner).size },
  }
  // A list that is not there becomes a document.
  const made = type.absent === 'never' ? set : either(column.sql, setPathSql(undefined, path, value), set)
  // The value is computed once, whatever elements there are.
  return made && failing(made, column.fails, inner.fails)
}
