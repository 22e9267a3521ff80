import { jsonKind } from './json-kind.js'
import type { FieldPath } from '../path.js'
import { fieldSql } from './field-sql.js'
import { openField, openFieldSql } from './open-field-sql.js'
import type { Column } from './relation.js'
import { lambdaName } from './lambda.js'
import { alternative } from './opaque.js'
import { type Fragment, bind, identifier, join, sql, trusted } from './sql.js'
import type { SqlExpression, SqlType } from './types.js'

/**
 * Keys by which the engine orders values as BSON does (rules of order). The engine compares structs and
 * lists part by part, so a key is a struct that begins with the place of the value's type.
 */

function lambda(body: (element: Fragment) => Fragment | undefined): Fragment | undefined {
  const element = lambdaName()
  const inner = body(element)
  return inner && sql`lambda ${element}: ${inner}`
}

const DEFAULTS: Readonly<Record<string, Fragment>> = {
  string: sql`''`,
  bool: sql`false`,
  date: sql`'1970-01-01'::timestamp`,
  int: sql`0`,
  double: sql`0.0::double`,
}

/** Places of types: null and missing 1, numbers 2 … as in `rank` of order.ts; an empty array sorts below null. */
const RANK: Readonly<Record<SqlType['kind'], number>> = {
  nothing: 1,
  int: 2,
  double: 2,
  string: 3,
  struct: 4,
  list: 5,
  bool: 6,
  date: 7,
  open: 0,
  varied: 0,
  pairs: 4,
  merged: 4,
}

/** Keys of an open value in turn: its type's place, then the number or truth, then the text. */
function openKeys(value: Fragment): readonly [place: Fragment, number: Fragment, text: Fragment] {
  const { isNumber, isString, isObject, isArray, isBool, number } = jsonKind
  return [
    sql`(case when ${isNumber(value)} then 2 when ${isString(value)} then 3 when ${isBool(value)} then 6 when ${isObject(value)} then 4 when ${isArray(value)} then 5 else 1 end)`,
    sql`coalesce(case when ${isNumber(value)} then ${number(value)} when ${isBool(value)} then (${value}::varchar = 'true')::double end, 0)`,
    sql`coalesce(case when ${isString(value)} then ${value} ->> '$' end, '')`,
  ]
}

/** The same as one key. What has no such key is left to `inexact`. */
function openKey(value: Fragment): Fragment {
  const [place, number, text] = openKeys(value)
  return sql`struct_pack(r := ${place}, n := ${number}, s := ${text})`
}

/** The key of a document: its fields that are there in order, each by type, then name, then value. */
function structKey(struct: SqlExpression & { readonly type: { readonly kind: 'struct' } }): Fragment | undefined {
  const inside: SqlExpression = { sql: struct.sql, type: { ...struct.type, absent: 'never' } }
  const names = [...struct.type.fields.keys()]
  const fields = names.map(name => fieldSql(inside, name))
  const keys = fields.map(valueKeySql)
  if (keys.includes(undefined) || fields.some(field => field.type.absent === 'either')) return undefined
  if (fields.every(field => field.type.absent !== 'missing')) {
    return sql`struct_pack(${join(
      keys.map((key, i) => sql`${trusted(`k${i}`)} := ${key!}`),
      ', ',
    )})`
  }
  // A field that may be missing shifts those behind it: a list of the fields that are there. Entries of one name
  // differ in that field's key only.
  const entries = names.map((name, at) => {
    const slots = keys.map((key, i) => sql`${trusted(`k${i}`)} := ${i === at ? key! : sql`null`}`)
    const field = fields[at]!
    const entry = sql`struct_pack(r := (${key(field)}).r, n := ${bind(name, 'VARCHAR')}, ${join(slots, ', ')})`
    return field.type.absent === 'missing' ? sql`case when ${field.sql} is null then null else ${entry} end` : entry
  })
  const there = lambda(element => sql`${element} is not null`)!
  return sql`list_filter([${join(entries, ', ')}], ${there})`

  function key(field: SqlExpression): Fragment {
    return keys[fields.indexOf(field)]!
  }
}

/** A value's key: never NULL, in the engine's order as BSON's. `undefined` where there is none. */
export function valueKeySql(expression: SqlExpression): Fragment | undefined {
  const { sql: value, type } = expression
  const rank = trusted(String(RANK[type.kind]))
  const place = type.absent === 'never' ? rank : sql`case when ${value} is null then 1 else ${rank} end`
  switch (type.kind) {
    case 'nothing':
      return sql`struct_pack(r := 1)`
    case 'open':
      return openKey(value)
    case 'pairs':
    case 'merged':
      return undefined
    case 'varied': {
      // Of two types of one place the values would have to be compared with each other.
      if (new Set(type.of.map(({ kind }) => RANK[kind])).size < type.of.length) return undefined
      const parts = type.of.map((one, i) => ({ sql: sql`(${value}).${identifier(alternative(i))}`, type: one }))
      const keys = parts.map(valueKeySql)
      if (keys.includes(undefined) || parts.some(part => keylessSql(part) !== undefined)) return undefined
      const places = parts.map(part => sql`when ${part.sql} is not null then ${trusted(String(RANK[part.type.kind]))}`)
      const entries = keys.map((key, i) => sql`${trusted(`k${i}`)} := ${key!}`)
      return sql`struct_pack(r := (case ${join(places, ' ')} else 1 end), ${join(entries, ', ')})`
    }
    case 'struct': {
      const inner = structKey({ ...expression, type })
      return inner && sql`struct_pack(r := ${place}, v := case when ${value} is null then null else ${inner} end)`
    }
    case 'list': {
      const inner = lambda(element => valueKeySql({ sql: element, type: type.of }))
      return inner && sql`struct_pack(r := ${place}, v := list_transform(${value}, ${inner}))`
    }
    case 'double':
      if (!type.finite) {
        return sql`struct_pack(r := ${place}, a := case when isnan(${value}) then 0 else 1 end, v := case when isnan(${value}) then 0 else coalesce(${value}, 0) end)`
      }
      return sql`struct_pack(r := ${place}, v := coalesce(${value}, ${DEFAULTS[type.kind]!}))`
    default:
      return sql`struct_pack(r := ${place}, v := coalesce(${value}, ${DEFAULTS[type.kind]!}))`
  }
}

/** Where a value holds JSON that has no key, a document or an array; `undefined` where it holds none. */
export function keylessSql({ sql: value, type, ...rest }: SqlExpression): Fragment | undefined {
  if (type.kind === 'open') return jsonKind.isNested(value)
  if (type.kind === 'struct') {
    const fields = [...type.fields.keys()].map(name => keylessSql(fieldSql({ ...rest, sql: value, type }, name)))
    const some = fields.filter(one => one !== undefined)
    return some.length === 0 ? undefined : sql`(${join(some, ' or ')})`
  }
  if (type.kind !== 'list') return undefined
  const inner = lambda(element => keylessSql({ sql: element, type: type.of }))
  return inner && sql`len(list_filter(${value}, ${inner})) > 0`
}

/** What a sort goes by at a path: keys in turn, and where open values have none (documents, arrays in arrays). */
export interface SortKeySql {
  readonly keys: readonly Fragment[]
  readonly inexact?: Fragment
}

/** Values of a kind the engine orders by itself, NULLs first. */
function isPlain(type: SqlType): boolean {
  if (type.kind === 'double') return type.finite
  return type.kind === 'string' || type.kind === 'date' || type.kind === 'int' || type.kind === 'bool'
}

const EMPTY = sql`struct_pack(e := 0, k := null)`
const ABSENT = sql`struct_pack(e := 1, k := null)`

/** The key of a value that a sort found. */
function found({ sql: value, type }: SqlExpression, key: Fragment): Fragment {
  const there = sql`struct_pack(e := 2, k := ${key})`
  return type.absent === 'never' ? there : sql`case when ${value} is null then ${ABSENT} else ${there} end`
}

/** The least (or greatest) key that a sort finds in a list; an empty list has a key below null. */
function extremeOf(keys: Fragment, descending: boolean): Fragment {
  return descending ? sql`list_max(${keys})` : sql`list_min(${keys})`
}

function listKey(list: SqlExpression, path: FieldPath, descending: boolean): Fragment | undefined {
  const { type } = list
  if (type.kind !== 'list') return undefined
  const inner = lambda(element => {
    const one: SqlExpression = { sql: element, type: type.of }
    if (path.length === 0) {
      const key = valueKeySql(one)
      return key && found(one, key)
    }
    return type.of.kind === 'struct' ? pathKey(one, path, descending) : ABSENT
  })
  if (inner === undefined) return undefined
  const none = path.length === 0 ? EMPTY : ABSENT
  return sql`case when ${list.sql} is null then ${ABSENT} when len(${list.sql}) = 0 then ${none} else ${extremeOf(sql`list_transform(${list.sql}, ${inner})`, descending)} end`
}

/** The key at a path, with `e` telling an empty array from the rest. */
function pathKey(value: SqlExpression, path: FieldPath, descending: boolean): Fragment | undefined {
  const { type } = value
  if (type.kind === 'list') return listKey(value, path, descending)
  const [part, ...rest] = path
  if (part === undefined) {
    const key = type.kind === 'open' ? undefined : valueKeySql(value)
    return key && found(value, key)
  }
  if (type.kind === 'open') return undefined
  return type.kind === 'struct' ? pathKey(fieldSql(value, part), rest, descending) : ABSENT
}

/**
 * Open values sort by keys of their type; one array is walked, as every sort does. An array on the way, or a document at
 * the end, is left to the evaluator.
 */
function openSortKey(start: SqlExpression, path: FieldPath, descending: boolean): SortKeySql | undefined {
  let value = start.sql
  const arrays: Fragment[] = []
  for (const [i, part] of path.entries()) {
    if (i > 0 || start.type.kind !== 'open' || start.type.object !== true) {
      arrays.push(jsonKind.isArray(value))
    }
    const inner = i === 0 ? openField(start, part) : openFieldSql(value, part)
    if (inner === undefined) return undefined
    value = inner
  }
  const elements = sql`json_extract(${value}, '$[*]')`
  const nested = lambda(element => jsonKind.isNested(element))!
  const walked = extremeOf(sql`list_transform(${elements}, ${lambda(openKey)!})`, descending)
  const [place, number, text] = openKeys(value)
  const isArray = jsonKind.isArray(value)
  return {
    keys: [
      // An empty array is below null.
      sql`(case when ${isArray} then coalesce((${walked}).r, 0) else ${place} end)`,
      sql`(case when ${isArray} then coalesce((${walked}).n, 0) else ${number} end)`,
      sql`(case when ${isArray} then coalesce((${walked}).s, '') else ${text} end)`,
    ],
    inexact: join(
      [...arrays, jsonKind.isObject(value), sql`(${isArray} and len(list_filter(${elements}, ${nested})) > 0)`],
      ' or ',
    ),
  }
}

/**
 * The key that a sort by a path goes by; `constant` where all rows have the same; `undefined` where there is none. NULL
 * keys come first ascending and last descending.
 */
export function sortKeySql(
  columns: readonly Column[],
  path: FieldPath,
  descending: boolean,
): SortKeySql | 'constant' | undefined {
  let value: SqlExpression | undefined = columns.find(column => column.name === path[0])
  if (value === undefined) return 'constant'
  for (const [i, part] of path.entries()) {
    if (i === 0) continue
    const { kind } = value.type
    if (kind === 'open') return openSortKey(value, path.slice(i), descending)
    if (kind !== 'struct' && kind !== 'list') return 'constant'
    if (kind === 'list') return keyed(value, path.slice(i), descending)
    value = fieldSql(value, part)
  }
  if (value.type.kind === 'nothing') return 'constant'
  if (value.type.kind === 'open') return openSortKey(value, [], descending)
  if (isPlain(value.type)) return { keys: [value.sql] }
  // NaN, which the engine has above all numbers, comes before them: NULL, false, true.
  if (value.type.kind === 'double') return { keys: [sql`not isnan(${value.sql})`, value.sql] }
  return keyed(value, [], descending)
}

function keyed(value: SqlExpression, path: FieldPath, descending: boolean): SortKeySql | undefined {
  const key = pathKey(value, path, descending)
  const inexact = keylessSql(value)
  return key && { keys: [key], ...(inexact === undefined ? {} : { inexact }) }
}
