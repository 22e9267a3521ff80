import { jsonKind } from '../compile/json-kind.js'
import { elementBulk, repeatedBulk } from '../compile/bulk.js'
import type { CompileContext } from '../tree.js'
import { objectSql } from '../compile/compile-expression.js'
import { fieldSql } from '../compile/field-sql.js'
import { openField } from '../compile/open-field-sql.js'
import type { Column, Relation } from '../compile/relation.js'
import { filtered } from '../compile/rows.js'
import { type Fragment, bind, sql } from '../compile/sql.js'
import { type SqlExpression, type SqlType, withAbsent } from '../compile/types.js'
import type { FieldPath } from '../path.js'
import { setColumns } from './set-columns.js'
import type { Unwind } from './unwind-spec.js'

/** Names of columns of our own. They are told from fields of the same name by their place: they come last. */
const ITEM = ' item'
const PLACE = ' place'

const NULL_INDEX: SqlExpression = { sql: sql`null`, type: { kind: 'nothing', absent: 'null' } }

/** The value at a path through documents only, as $unwind finds it. */
function target(column: SqlExpression | undefined, path: FieldPath): SqlExpression | undefined {
  const missing: SqlExpression = { sql: sql`null`, type: { kind: 'nothing', absent: 'missing' } }
  return path.reduce<SqlExpression | undefined>((value, part) => {
    if (value?.type.kind === 'open') {
      const inner = openField(value, part)
      return inner && { sql: inner, type: { kind: 'open', absent: 'missing' } }
    }
    return value?.type.kind === 'struct' ? fieldSql(value, part) : value && missing
  }, column ?? missing)
}

/** What is unnested: the elements, and their places; a place is null where the value is no array. */
interface Unnested {
  readonly item: SqlExpression
  readonly place: SqlExpression
}

const place = (list: Fragment) => sql`(generate_subscripts(${list}, 1) - ${bind(1n, 'BIGINT')})`
const placeType = (absent: SqlType['absent']): SqlType => ({ kind: 'int', bits: 31, long: true, absent })

/** The fields of the elements, unnested each by itself; `list` says of which list. */
function unnestedParts(
  { elements, type }: SqlExpression,
  list: (part: Fragment) => Fragment,
): Pick<SqlExpression, 'parts'> {
  if (elements === undefined || type.kind !== 'list') return {}
  const parts = [...elements].flatMap(([name, part]): [string, SqlExpression][] =>
    part.type.kind === 'list' ? [[name, { sql: sql`unnest(${list(part.sql)})`, type: part.type.of }]] : [],
  )
  return { parts: new Map(parts) }
}

/** A list as long as the value, which may be quicker to make. */
const asLong = ({ sql: value, elements }: SqlExpression): Fragment => elements?.values().next().value?.sql ?? value

function ofList(value: SqlExpression, of: SqlType, preserve: boolean): Unnested | undefined {
  const long = asLong(value)
  if (!preserve) {
    return {
      item: { sql: sql`unnest(${value.sql})`, type: of, ...unnestedParts(value, part => part) },
      place: { sql: place(long), type: placeType('never') },
    }
  }
  // One row is kept without an element: missing for an empty array; a null stays null, which one NULL can't tell.
  if (
    value.type.absent === 'null' ||
    value.type.absent === 'either' ||
    of.absent === 'null' ||
    of.absent === 'either'
  ) {
    return undefined
  }
  const none = sql`(${long} is null or len(${long}) = 0)`
  const list = (one: Fragment) => sql`(case when ${none} then [null] else ${one} end)`
  return {
    item: { sql: sql`unnest(${list(value.sql)})`, type: withAbsent(of, 'missing'), ...unnestedParts(value, list) },
    place: { sql: sql`(case when ${none} then null else ${place(list(long))} end)`, type: placeType('null') },
  }
}

/** A JSON value: the elements of an array, or the value itself; missing and null only when they are preserved. */
function ofOpen({ sql: value }: SqlExpression, preserve: boolean): Unnested {
  const elements = sql`json_extract(${value}, '$[*]')`
  const none = preserve ? sql`[null]` : sql`[]`
  const list = sql`(case when ${value} is null then ${none}::json[] when ${jsonKind.isNull(value)} then ${preserve ? sql`[${value}]` : sql`[]::json[]`} when not ${jsonKind.isArray(value)} then [${value}] when json_array_length(${value}) = 0 then ${none}::json[] else ${elements} end)`
  const isArray = sql`coalesce(${jsonKind.isArray(value)} and json_array_length(${value}) > 0, false)`
  return {
    item: { sql: sql`unnest(${list})`, type: { kind: 'open', absent: preserve ? 'missing' : 'never' } },
    place: { sql: sql`(case when ${isArray} then ${place(list)} end)`, type: placeType('null') },
  }
}

/** The column with the element in the place of the array; what leads to it is left as it is where it is not there. */
function replaced(column: SqlExpression, path: FieldPath, item: SqlExpression): SqlExpression | undefined {
  const [name, ...rest] = path
  if (name === undefined) return item
  if (column.type.kind === 'open') return rest.length === 0 ? replacedInObject(column, name, item) : undefined
  if (column.type.kind !== 'struct') return undefined
  const fields = [...column.type.fields.keys()].map(field => [field, fieldSql(column, field)] as const)
  const old = fields.find(([field]) => field === name)?.[1]
  const inner = old && replaced(old, rest, item)
  if (inner === undefined) return undefined
  const inside: SqlExpression = { sql: column.sql, type: { ...column.type, absent: 'never' } }
  const object = objectSql(
    [...column.type.fields.keys()].map(field => [field, field === name ? inner : fieldSql(inside, field)]),
  )
  if (object === undefined || column.type.absent === 'never') return object
  return {
    sql: sql`(case when ${column.sql} is null then null else ${object.sql} end)`,
    type: withAbsent(object.type, column.type.absent),
    ...(object.parts && { parts: object.parts }),
  }
}

/** A JSON object with one field replaced, written again field by field; a missing element leaves the field out. */
function replacedInObject(object: SqlExpression, name: string, item: SqlExpression): SqlExpression | undefined {
  if (item.type.kind !== 'open') return undefined
  const key = bind(name, 'VARCHAR')
  const entries = sql`map_entries(try_cast(${object.sql} as map(varchar, json)))`
  const kept = sql`list_filter(${entries}, lambda f: f.key <> ${key} or ${item.sql} is not null)`
  const texts = sql`list_transform(${kept}, lambda f: to_json(f.key)::varchar || ':' || case when f.key = ${key} then ${item.sql}::varchar else coalesce(f.value::varchar, 'null') end)`
  const text = sql`('{' || array_to_string(${texts}, ',') || '}')::json`
  return {
    sql: sql`(case when ${jsonKind.isObject(object.sql)} then ${text} else ${object.sql} end)`,
    type: object.type,
  }
}

function repeated(column: Column): Column {
  const bulk = repeatedBulk(column)
  return bulk === undefined ? column : { ...column, bulk }
}

/** The columns with the element's place, where it is asked for. */
function indexed(columns: readonly Column[], { index }: Unwind, place: SqlExpression): readonly Column[] | undefined {
  return index === undefined ? columns : setColumns(columns, [{ path: index, value: place }])
}

/** What is no array is kept as one document, or dropped where it is null or missing. */
function withoutElements(spec: Unwind, value: SqlExpression, relation: Relation, context: CompileContext) {
  const columns = indexed(relation.columns, spec, NULL_INDEX)
  if (columns === undefined) return undefined
  const there = value.type.kind === 'nothing' ? sql`false` : sql`${value.sql} is not null`
  return context.step({ ...relation, columns, from: spec.preserve ? relation.from : filtered(relation.from, there) })
}

/** $unwind in the engine, or `undefined` where it would not be exact. */
export function unwindSql(spec: Unwind, relation: Relation, context: CompileContext): Relation | undefined {
  const [name, ...rest] = spec.path
  const column = relation.columns.find(one => one.name === name)
  const value = target(column, rest)
  if (column === undefined || value === undefined) {
    return column === undefined && value !== undefined ? withoutElements(spec, value, relation, context) : undefined
  }
  const { type } = value
  if (type.kind !== 'list' && type.kind !== 'open') return withoutElements(spec, value, relation, context)
  const unnested = type.kind === 'list' ? ofList(value, type.of, spec.preserve) : ofOpen(value, spec.preserve)
  if (unnested === undefined) return undefined
  const { place: at } = unnested
  const item = { ...unnested.item, bulk: elementBulk(value) }
  const order: Relation['order'] = [...relation.order, { sql: at.sql, descending: false, identifies: true }]
  const held = context.step({
    columns: [...relation.columns, { ...item, name: ITEM, makesRows: true }, { ...at, name: PLACE }],
    from: relation.from,
    order,
  })
  const [itemColumn, placeColumn] = held.columns.slice(-2)
  const columns: Column[] = []
  for (const one of held.columns.slice(0, -2)) {
    const set = one.name === name ? replaced(one, rest, itemColumn!) : repeated(one)
    if (set === undefined) return undefined
    columns.push({ ...set, name: one.name })
  }
  const all = indexed(columns, spec, placeColumn!)
  return all && context.step({ ...held, columns: all })
}
