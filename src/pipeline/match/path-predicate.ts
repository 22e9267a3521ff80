import { jsonKind } from '../compile/json-kind.js'
import type { CompileContext, Predicate } from '../tree.js'
import { fieldSql } from '../compile/field-sql.js'
import { openField, openFieldSql } from '../compile/open-field-sql.js'
import { type Fragment, isFalse, sql, trusted } from '../compile/sql.js'
import type { SqlExpression, SqlType } from '../compile/types.js'
import type { FieldPath } from '../path.js'
import { type Document, type Value, isArray, isDocument } from '../value.js'
import { allOf } from './logical.js'
import { anyElementSql, anyOpenElementSql } from './any-element-sql.js'
import type { Leaf } from './leaf.js'

/** A step that is an array's index as well as a field's name; longer ones are no index of any array. */
const INDEX = /^(?:0|[1-9]\d{0,8})$/

/** A path that ends with an array's index names that element and nothing in it: an array there is compared whole. */
const atIndex = (leaf: Leaf, path: FieldPath, step: number): Leaf =>
  step === path.length - 1 ? { ...leaf, elements: false } : leaf

/** Whether any value a filter finds at the path satisfies the leaf: arrays of documents are walked, one level a step. */
function meets(value: Value | undefined, path: FieldPath, step: number, leaf: Leaf): boolean {
  const part = path[step]
  if (part === undefined) {
    return leaf.test(value) || (leaf.elements && isArray(value) && value.some(element => leaf.test(element)))
  }
  if (isDocument(value)) return meets(Object.hasOwn(value, part) ? value[part] : undefined, path, step + 1, leaf)
  if (isArray(value)) {
    // A number is an index too. Elements that are no documents have no fields and are passed over: up to MongoDB 8 a
    // missing field is only seen in documents (rule "fields missing within arrays").
    if (
      INDEX.test(part) &&
      Number(part) < value.length &&
      meets(value[Number(part)], path, step + 1, atIndex(leaf, path, step))
    )
      return true
    return value.some(element => isDocument(element) && meets(element, path, step, leaf))
  }
  return leaf.test(undefined)
}

const OPEN: SqlType = { kind: 'open', absent: 'missing' }
const OPEN_ELEMENT: SqlType = { kind: 'open', absent: 'never' }
const MISSING: SqlType = { kind: 'nothing', absent: 'missing' }

/** Steps into an open value that are compiled: each doubles the text, for an array may stand at any of them. */
const MOST_OPEN_STEPS = 5

/** The same walk over typed columns. */
function meetsSql(value: SqlExpression, path: FieldPath, step: number, leaf: Leaf): Fragment | undefined {
  const part = path[step]
  const { type } = value
  if (part === undefined) return endSql(value.sql, type, leaf)
  switch (type.kind) {
    case 'struct':
      return meetsSql(fieldSql(value, part), path, step + 1, leaf)
    case 'list':
      return listSql(value.sql, type, path, step, leaf)
    case 'open':
      return path.length - step > MOST_OPEN_STEPS ? undefined : openSql(value, type.object === true, path, step, leaf)
    default:
      return leaf.sql(sql`null`, MISSING)
  }
}

function endSql(value: Fragment, type: SqlType, leaf: Leaf): Fragment | undefined {
  const whole = leaf.sql(value, type)
  if (whole === undefined || !leaf.elements) return whole
  if (type.kind !== 'list' && type.kind !== 'open') return whole
  const any =
    type.kind === 'list'
      ? (leaf.anySql?.(value, type.of) ?? anyElementSql(value, element => leaf.sql(element, type.of)))
      : anyOpenElementSql(value, element => leaf.sql(element, OPEN_ELEMENT))
  if (any === undefined || isFalse(any)) return any && whole
  return isFalse(whole) ? any : sql`(${whole} or ${any})`
}

function listSql(
  value: Fragment,
  type: SqlType & { readonly kind: 'list' },
  path: FieldPath,
  step: number,
  leaf: Leaf,
): Fragment | undefined {
  const part = path[step]!
  const element = type.of
  let any: Fragment | undefined = sql`false`
  if (element.kind === 'struct')
    any = anyElementSql(value, one => meetsSql({ sql: one, type: element }, path, step, leaf))
  if (element.kind === 'open') {
    any = anyElementSql(value, one => objectSql(one, path, step, leaf))
  }
  if (any === undefined) return undefined
  if (INDEX.test(part)) {
    const place = Number(part)
    const at = meetsSql(
      { sql: sql`${value}[${trusted(String(place + 1))}]`, type: element },
      path,
      step + 1,
      atIndex(leaf, path, step),
    )
    if (at === undefined) return undefined
    any = sql`(${any} or (len(${value}) > ${trusted(String(place))} and ${at}))`
  }
  if (type.absent === 'never') return any
  // No array at all has the field missing.
  const missing = leaf.sql(sql`null`, MISSING)
  return missing && sql`((${value} is null and ${missing}) or ${any})`
}

/** An element of a JSON array that is a document: elements of other kinds are passed over. */
function objectSql(element: Fragment, path: FieldPath, step: number, leaf: Leaf): Fragment | undefined {
  const inner = openFieldSql(element, path[step]!)
  const met = inner && meetsSql({ sql: inner, type: OPEN }, path, step + 1, leaf)
  return met && sql`(${jsonKind.isObject(element)} and ${met})`
}

function openSql(
  open: SqlExpression,
  isObject: boolean,
  path: FieldPath,
  step: number,
  leaf: Leaf,
): Fragment | undefined {
  const part = path[step]!
  const { sql: value } = open
  const inner = openField(open, part)
  // A value that is neither object nor array has the field missing, as the extraction says.
  const object = inner && meetsSql({ sql: inner, type: OPEN }, path, step + 1, leaf)
  if (object === undefined || isObject) return object
  let array = anyElementSql(sql`json_extract(${value}, '$[*]')`, element => objectSql(element, path, step, leaf))
  if (INDEX.test(part)) {
    const place = trusted(part)
    const at = meetsSql(
      { sql: sql`json_extract(${value}, '$[${place}]')`, type: OPEN },
      path,
      step + 1,
      atIndex(leaf, path, step),
    )
    array = array && at && sql`(${array} or (json_array_length(${value}) > ${place} and ${at}))`
  }
  return array && sql`(case when ${jsonKind.isArray(value)} then ${array} else ${object} end)`
}

/** The field a path starts from: a column, or a field of the one JSON value that the rows are. */
function start(context: CompileContext, field: string): SqlExpression | undefined {
  const { open, columns } = context.relation
  if (open === undefined) return columns.find(one => one.name === field) ?? { sql: sql`null`, type: MISSING }
  const inner = openFieldSql(open, field)
  if (inner === undefined) return undefined
  // An array among elements is judged as a document whose fields are its places.
  const place = INDEX.test(field) ? sql` when 'ARRAY' then json_extract(${open}, '$[${trusted(field)}]')` : sql``
  return { sql: sql`(case json_type(${open}) when 'OBJECT' then ${inner}${place} end)`, type: OPEN }
}

/** Where a condition is not met; a test for NULL is turned round, since the engine knows that of whole blocks of rows. */
function unmet(condition: Fragment): Fragment {
  const [first, test, ...more] = condition.texts
  const [value, ...others] = condition.values
  if (first === '' && more.length === 0 && value?.kind === 'fragment' && others.length === 0) {
    if (test === ' is null') return sql`${value} is not null`
    if (test === ' is not null') return sql`${value} is null`
  }
  return sql`((${condition}) is not true)`
}

/** A condition on the values at a path: one leaf of a filter. */
export function pathPredicate(path: FieldPath, leaf: Leaf, name: string): Predicate {
  const field = path[0] ?? ''
  const negated = leaf.negated ?? false
  const excludes = { path, missing: leaf.test(undefined) === negated, null: leaf.test(null) === negated }
  return {
    fields: [field],
    test: (document: Document) => meets(document, path, 0, leaf) !== negated,
    sql: (context: CompileContext) => {
      const column = start(context, field)
      const condition = column && meetsSql(column, path, 1, leaf)
      if (condition === undefined) return undefined
      // A negation keeps what is missing: NULL counts as not met.
      return { sql: negated ? unmet(condition) : condition }
    },
    toJson: () => ({ [path.join('.')]: { [name]: leaf.json } }),
    ...(excludes.missing || excludes.null ? { excludes: [excludes] } : {}),
    ...(path.length === 1 && leaf.equals !== undefined && !negated ? { pins: [{ field, value: leaf.equals }] } : {}),
    ...(path.length === 1 && leaf.compares !== undefined && !negated
      ? { compares: [{ field, ...leaf.compares }] }
      : {}),
    ...(path.length === 1 && leaf.finds !== undefined && !negated
      ? { finds: { patterns: [{ field, pattern: leaf.finds }], rest: allOf([]) } }
      : {}),
  }
}
