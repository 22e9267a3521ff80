import type { CompileContext } from '../compile/compile-context.js'
import { type Fragment, bind, sql, identifier } from '../compile/sql.js'
import { fieldSql } from '../compile/field-sql.js'
import type { SqlType } from '../compile/types.js'
import type { FieldPath } from '../path.js'
import type { Predicate } from '../tree.js'
import { type Document, type Value, isArray, isDocument } from '../value.js'
import type { Leaf } from './leaf-operator.js'

/** Whether any value a filter finds at the path satisfies the leaf: arrays of documents are walked, one level a step. */
function meets(value: Value | undefined, path: FieldPath, step: number, leaf: Leaf): boolean {
  const part = path[step]
  if (part === undefined) {
    return leaf.test(value) || (leaf.elements && isArray(value) && value.some(element => leaf.test(element)))
  }
  if (isDocument(value)) return meets(Object.hasOwn(value, part) ? value[part] : undefined, path, step + 1, leaf)
  if (isArray(value)) {
    // A number is an index too. Elements that are no documents have no fields and are passed over: up to MongoDB 8 a
    // missing field is only seen in documents (pipeline-semantics.md, 7a).
    if (/^\d+$/.test(part) && Number(part) < value.length && meets(value[Number(part)], path, step + 1, leaf))
      return true
    return value.some(element => isDocument(element) && meets(element, path, step, leaf))
  }
  return leaf.test(undefined)
}

let lambdas = 0

/** Whether any element of a list meets a condition; NULL for no list. */
export function anyElementSql(
  list: Fragment,
  condition: (element: Fragment) => Fragment | undefined,
): Fragment | undefined {
  lambdas = (lambdas + 1) % 1_000_000
  const element = identifier(`e${lambdas}`)
  const inner = condition(element)
  return inner === undefined ? undefined : sql`len(list_filter(${list}, lambda ${element}: ${inner})) > 0`
}

const OPEN_ELEMENT: SqlType = { kind: 'open', absent: 'never' }
const MISSING: SqlType = { kind: 'nothing', absent: 'missing' }

/** The same walk over typed columns. */
function meetsSql(value: Fragment, type: SqlType, path: FieldPath, step: number, leaf: Leaf): Fragment | undefined {
  const part = path[step]
  if (part === undefined) {
    const whole = leaf.sql(value, type)
    if (whole === undefined || !leaf.elements) return whole
    if (type.kind === 'list') {
      const any = anyElementSql(value, element => leaf.sql(element, type.of))
      return any === undefined ? undefined : sql`(${whole} or ${any})`
    }
    if (type.kind === 'open') {
      const any = anyElementSql(sql`json_extract(${value}, '$[*]')`, element => leaf.sql(element, OPEN_ELEMENT))
      return any === undefined ? undefined : sql`(${whole} or (json_type(${value}) = 'ARRAY' and ${any}))`
    }
    return whole
  }
  switch (type.kind) {
    case 'struct': {
      const field = fieldSql({ sql: value, type }, part)
      return meetsSql(field.sql, field.type, path, step + 1, leaf)
    }
    case 'list': {
      if (/^\d+$/.test(part)) return undefined
      const element = type.of
      if (element.kind === 'open') return undefined
      const any =
        element.kind === 'struct' ? anyElementSql(value, one => meetsSql(one, element, path, step, leaf)) : sql`false`
      if (any === undefined || type.absent === 'never') return any
      // No array at all has the field missing.
      const missing = leaf.sql(sql`null`, MISSING)
      return missing && sql`((${value} is null and ${missing}) or ${any})`
    }
    case 'open': {
      // Only the root of an open field is known to be an object; deeper, every step could meet an array.
      if (step !== 1 || /["\\]/.test(part)) return undefined
      const inner = sql`json_extract(${value}, ${bind(`$."${part}"`, 'VARCHAR')})`
      return meetsSql(inner, { kind: 'open', absent: 'missing' }, path, step + 1, leaf)
    }
    default:
      return meetsSql(sql`null`, MISSING, path, path.length, leaf)
  }
}

/** A condition on the values at a path: one leaf of a filter. */
export function pathPredicate(path: FieldPath, leaf: Leaf, name: string): Predicate {
  const field = path[0] ?? ''
  return {
    fields: [field],
    test: (document: Document) => meets(document, path, 0, leaf) !== (leaf.negated ?? false),
    sql: (context: CompileContext) => {
      const column = context.relation.columns.find(one => one.name === field)
      const condition = meetsSql(
        column?.sql ?? sql`null`,
        column?.type ?? MISSING,
        path,
        column === undefined ? path.length : 1,
        leaf,
      )
      if (condition === undefined) return undefined
      // A negation keeps what is missing: NULL counts as not met.
      return leaf.negated === true ? sql`((${condition}) is not true)` : condition
    },
    toJson: () => ({ [path.join('.')]: name === '$eq' ? { $eq: leaf.json } : { [name]: leaf.json } }),
    ...(path.length === 1 && leaf.equals !== undefined && leaf.negated !== true
      ? { pins: [{ field, value: leaf.equals }] }
      : {}),
  }
}
