import type { Expression, CompileContext } from '../tree.js'
import { type Document, type Value, Double, isArray, isDocument, isInt } from '../value.js'
import { MOST_BULK, bulkOf, elementBulk, madeBulk, sumBulk } from './bulk.js'
import {
  type Bulk,
  type Parts,
  type SqlExpression,
  type SqlKind,
  type SqlType,
  isOpaqueKind,
  withAbsent,
} from './types.js'
import { failing } from './fails.js'
import { fieldSql } from './field-sql.js'
import { jsonLiteral } from './json-literal.js'
import { lambdaName } from './lambda.js'
import { noting } from './noting.js'
import { passes, varied } from './opaque.js'
import { openPathSql } from './open-path-sql.js'
import type { Column } from './relation.js'
import { type Fragment, bind, identifier, join, sql } from './sql.js'
import { unify } from './unify.js'
import { MOST_WORK, workIn } from './work.js'
import { MOST_MILLIS, THOUSAND_YEARS_MS } from '../expressions/date/units.js'

const MISSING: SqlExpression = { sql: sql`null`, type: { kind: 'nothing', absent: 'missing' } }

/** Milliseconds from 1970 of a date the engine reckons with: it would not notice where ours end, soon after. */
const FARTHEST = MOST_MILLIS - THOUSAND_YEARS_MS

/** A literal; `undefined` for what has no SQL type, such as an array that holds a date beside a number. */
export function literalSql(value: Value): SqlExpression | undefined {
  const compiled = plainLiteral(value)
  return compiled && { ...compiled, literal: value }
}

function plainLiteral(value: Value): SqlExpression | undefined {
  if (value === null) return { sql: sql`null`, type: { kind: 'nothing', absent: 'null' } }
  if (typeof value === 'string') {
    return { sql: sql`${bind(value, 'VARCHAR')}`, type: { kind: 'string', absent: 'never' } }
  }
  if (typeof value === 'boolean') {
    return { sql: sql`${bind(value, 'BOOLEAN')}`, type: { kind: 'bool', absent: 'never' } }
  }
  if (value instanceof Date) {
    if (Math.abs(value.getTime()) > FARTHEST) return undefined
    return { sql: sql`${bind(value, 'TIMESTAMP')}`, type: { kind: 'date', absent: 'never' } }
  }
  if (value instanceof Double) return doubleSql(value.value)
  if (typeof value === 'bigint') {
    return { sql: sql`${bind(value, 'BIGINT')}`, type: { kind: 'int', bits: 63, long: true, absent: 'never' } }
  }
  if (typeof value === 'number') {
    if (!isInt(value)) return doubleSql(value)
    const bits = Math.ceil(Math.log2(Math.abs(value) + 1))
    return { sql: sql`${bind(BigInt(value), 'BIGINT')}`, type: { kind: 'int', bits, absent: 'never' }, constant: value }
  }
  const typed = isArray(value) ? literalArray(value) : literalObject(value)
  if (typed !== undefined) return typed
  const json = jsonLiteral(value)
  return json === undefined
    ? undefined
    : { sql: sql`${bind(json, 'JSON')}`, type: { kind: 'open', absent: 'never' }, literal: value }
}

function literalArray(value: readonly Value[]): SqlExpression | undefined {
  const items = value.map(literalSql).filter(item => item !== undefined)
  return items.length < value.length ? undefined : arraySql(items)
}

function literalObject(value: Document): SqlExpression | undefined {
  const fields = Object.entries(value).map(([name, item]) => [name, literalSql(item)] as const)
  const known = fields.flatMap(([name, field]) => (field === undefined ? [] : [[name, field] as const]))
  return known.length < fields.length ? undefined : objectSql(known)
}

function doubleSql(value: number): SqlExpression {
  return {
    sql: sql`${bind(value, 'DOUBLE')}`,
    type: { kind: 'double', finite: Number.isFinite(value), absent: 'never' },
    constant: value,
  }
}

/** A part of a value holds no more than the whole. */
const heldBulk = ({ bulk }: SqlExpression): { bulk?: Bulk } => (bulk === undefined ? {} : { bulk })

/** A path as expressions read it: over a list of documents, the list of their fields without the missing ones. */
function pathSql(start: SqlExpression, path: readonly string[]): SqlExpression | undefined {
  const [part, ...rest] = path
  if (part === undefined) return start
  const { type } = start
  if (type.kind === 'struct') return pathSql(fieldSql(start, part), rest)
  if (type.kind === 'open') {
    const inner = openPathSql({ ...start, type }, path)
    return inner && { sql: inner, type: { kind: 'open', absent: 'missing' }, ...heldBulk(start) }
  }
  if (isOpaqueKind(type.kind)) return undefined
  if (type.kind !== 'list') return MISSING
  // What has no list has no fields either: of null they are missing.
  const absent = type.absent === 'never' ? 'never' : 'missing'
  const field = rest.length === 0 ? start.elements?.get(part) : undefined
  if (field !== undefined) return { ...field, type: withAbsent(field.type, absent), ...heldBulk(start) }
  const element = lambdaName()
  // Elements that are no documents have no fields: they are passed over, as arrays in the array are.
  const one = { sql: element, type: type.of, ...(start.bulk && { bulk: elementBulk(start) }) }
  const inner = type.of.kind === 'list' ? MISSING : pathSql(one, path)
  if (inner === undefined || inner.type.absent === 'either') return undefined
  if (inner.type.kind === 'nothing') {
    const empty = sql`(case when ${start.sql} is not null then [] end)`
    return { sql: empty, type: { kind: 'list', of: { kind: 'nothing', absent: 'never' }, absent } }
  }
  // What NULL means inside must be known: missing is left out of the list, null is kept.
  const mapped = sql`list_transform(${start.sql}, lambda ${element}: ${inner.sql})`
  const kept =
    inner.type.absent === 'missing' ? sql`list_filter(${mapped}, lambda ${element}: ${element} is not null)` : mapped
  const of: SqlType = inner.type.absent === 'missing' ? { ...inner.type, absent: 'never' } : inner.type
  return { sql: kept, type: { kind: 'list', of, absent }, ...heldBulk(start) }
}

function fieldExpression(
  expression: Expression & { kind: 'field' },
  context: CompileContext,
): SqlExpression | undefined {
  const { path, variable } = expression
  if (variable !== undefined) {
    const bound = context.variables.get(variable)
    return bound === undefined ? undefined : pathSql(bound, path)
  }
  const [first, ...rest] = path
  if (first === undefined) return documentSql(context.relation.columns)
  const column = context.relation.columns.find(one => one.name === first)
  return column === undefined ? MISSING : pathSql(column, rest)
}

/** Whether a list or a struct can hold the value: it has no place for a mixed number's other half. */
const canBeInside = ({ type }: SqlExpression): boolean => !(type.kind === 'double' && type.mixed !== undefined)

/** A document from its fields. DuckDB's struct has at least one field and knows names without case. */
export function objectSql(fields: readonly (readonly [string, SqlExpression])[]): SqlExpression | undefined {
  const kept = fields.filter(([, field]) => !(field.type.kind === 'nothing' && field.type.absent === 'missing'))
  const names = new Set(kept.map(([name]) => name.toLowerCase()))
  if (names.size === 0 || names.size < kept.length) return undefined
  if (kept.some(([, field]) => field.type.absent === 'either' || !canBeInside(field))) return undefined
  return failing(
    packed(
      new Map(
        kept.map(([name, { sql: value, type, parts, bulk }]) => [
          name,
          { sql: value, type, ...(parts && { parts }), ...(bulk && { bulk }) },
        ]),
      ),
    ),
    ...kept.map(([, field]) => field.fails),
  )
}

/** The documents of a stage as values; `undefined` where their fields may have another order in the engine. */
export function documentSql(columns: readonly Column[]): SqlExpression | undefined {
  return columns.some(({ late, root }) => late === true || root === true)
    ? undefined
    : objectSql(columns.map(column => [column.name, column]))
}

/** A document of its parts, which say all there is of its type. */
export function packed(parts: Parts): SqlExpression {
  const fields = [...parts].map(([name, { sql: value }]): Fragment => sql`${identifier(name)} := ${value}`)
  return {
    sql: sql`struct_pack(${join(fields, ', ')})`,
    type: { kind: 'struct', fields: new Map([...parts].map(([name, { type }]) => [name, type])), absent: 'never' },
    parts,
    bulk: sumBulk([...parts.values()].map(bulkOf)),
  }
}

const EMPTY_LIST: SqlExpression = {
  sql: sql`[]`,
  type: { kind: 'list', of: { kind: 'nothing', absent: 'never' }, absent: 'never' },
  literal: [],
}

/** An array of its items; a missing one is null. */
export function arraySql(items: readonly SqlExpression[]): SqlExpression | undefined {
  if (items.length === 0) return EMPTY_LIST
  const same = unify(items)
  const unified = same === undefined || same.mixed ? varied(items) : same
  if (unified === undefined || unified.kind.kind === 'nothing') return undefined
  const { kind } = unified
  // NULL is no JSON null.
  const values = unified.branches.map(({ sql: value }) =>
    kind.kind === 'open' ? sql`coalesce(${value}, 'null'::json)` : value,
  )
  const never = kind.kind === 'open' || items.every(item => item.type.absent === 'never')
  return failing(
    {
      sql: sql`list_value(${join(values, ', ')})`,
      type: { kind: 'list', of: { ...kind, absent: never ? 'never' : 'null' }, absent: 'never' },
    },
    ...items.map(item => item.fails),
  )
}

function all(expressions: readonly Expression[], context: CompileContext): readonly SqlExpression[] | undefined {
  const compiled: SqlExpression[] = []
  for (const expression of expressions) {
    const one = context.expression(expression)
    if (one === undefined) return undefined
    compiled.push(one)
  }
  return compiled
}

/** The longest and deepest SQL of one expression: the engine refuses what nests deeper than it can walk. */
const MOST_SIZE = 100_000
const MOST_DEPTH = 120

const isHandy = (fragment: Fragment | undefined) =>
  fragment === undefined || (fragment.size <= MOST_SIZE && fragment.depth <= MOST_DEPTH)

/**
 * The SQL of an expression with its static type, or `undefined` where the engine would not be exact,
 * where the SQL would grow beyond measure (each operator may name its operand several times), or where its values would
 * (see Bulk) or the time it takes (see MOST_WORK).
 */
export function compileExpression(expression: Expression, context: CompileContext): SqlExpression | undefined {
  const operands: SqlExpression[] = []
  const compiled = compileNode(expression, noting(context, operands)) ?? constantSql(expression, context)
  if (expression.kind === 'call' && !passes(expression.operator, operands)) return undefined
  if (compiled === undefined || !isHandy(compiled.sql) || !isHandy(compiled.fails) || !isHandy(compiled.isInt)) {
    return undefined
  }
  const known = literalOf(expression, compiled, operands, context)
  if (known !== undefined) return known
  // A variable brings the work of what it stands for.
  const work = expression.kind === 'field' ? (compiled.work ?? 0) : workIn(expression, operands)
  const bulk = madeBulk(expression, compiled, operands)
  if (work > MOST_WORK || (bulk?.size ?? 0) > MOST_BULK) return undefined
  return { ...compiled, ...(bulk && { bulk }), ...(work > 0 && { work }) }
}

/** Operators that read a date from a text, by more spellings than the engine reads. */
const READ_DATES = new Set(['$dateFromString', '$toDate'])

/** A date that is read from literals alone, where the engine does not read it. */
function constantSql(expression: Expression, { now }: CompileContext): SqlExpression | undefined {
  if (expression.kind !== 'call' || !READ_DATES.has(expression.operator)) return undefined
  if (expression.operands.some(({ kind }) => kind !== 'literal')) return undefined
  try {
    const value = expression.evaluate({ root: {}, variables: new Map(), now })
    return value instanceof Date ? literalSql(value) : undefined
  } catch {
    return undefined
  }
}

/** Kinds of which a value is small whatever it is computed of. */
const SMALL = new Set<SqlKind['kind']>(['int', 'double', 'bool', 'date'])

/**
 * What a call over literals gives is a literal too: blocks of rows are then passed over by it. `undefined` for all other
 * calls, and where it fails, which it does only if there are rows.
 */
function literalOf(
  expression: Expression,
  { type }: SqlExpression,
  operands: readonly SqlExpression[],
  { variables, now }: CompileContext,
): SqlExpression | undefined {
  if (expression.kind !== 'call' || operands.length === 0 || !SMALL.has(type.kind)) return undefined
  if (operands.some(({ literal }) => literal === undefined || isArray(literal) || isDocument(literal))) return undefined
  const known = [...variables].map(([name, { literal }]) => [name, literal] as const)
  try {
    const value = expression.evaluate({ root: {}, variables: new Map(known), now })
    return value === undefined ? undefined : literalSql(value)
  } catch {
    return undefined
  }
}

function compileNode(expression: Expression, context: CompileContext): SqlExpression | undefined {
  switch (expression.kind) {
    case 'literal':
      return literalSql(expression.value)
    case 'remove':
      return MISSING
    case 'now':
      return literalSql(context.now)
    case 'field':
      return fieldExpression(expression, context)
    case 'object': {
      const fields = all(
        expression.fields.map(([, field]) => field),
        context,
      )
      return fields && objectSql(expression.fields.map(([name], i) => [name, fields[i]!] as const))
    }
    case 'array': {
      const items = all(expression.items, context)
      return items && arraySql(items)
    }
    case 'call':
      return expression.sql(context)
  }
}
