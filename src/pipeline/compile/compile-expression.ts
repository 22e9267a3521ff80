import type { Expression } from '../tree.js'
import { type Value, Double } from '../value.js'
import type { CompileContext } from './compile-context.js'
import { fieldSql } from './field-sql.js'
import { type Fragment, bind, identifier, join, sql } from './sql.js'
import { type SqlExpression, type SqlType, joinAbsent } from './types.js'

const MISSING: SqlExpression = { sql: sql`null`, type: { kind: 'nothing', absent: 'missing' } }

/** A literal; `undefined` for documents and arrays, which have no one SQL type. */
export function literalSql(value: Value): SqlExpression | undefined {
  if (value === null) return { sql: sql`null`, type: { kind: 'nothing', absent: 'null' } }
  if (typeof value === 'string')
    return { sql: sql`${bind(value, 'VARCHAR')}`, type: { kind: 'string', absent: 'never' } }
  if (typeof value === 'boolean')
    return { sql: sql`${bind(value, 'BOOLEAN')}`, type: { kind: 'bool', absent: 'never' } }
  if (value instanceof Date) return { sql: sql`${bind(value, 'TIMESTAMP')}`, type: { kind: 'date', absent: 'never' } }
  if (value instanceof Double) return doubleSql(value.value)
  if (typeof value === 'number') {
    if (!Number.isInteger(value) || Math.abs(value) > 2 ** 31) return doubleSql(value)
    const bits = Math.ceil(Math.log2(Math.abs(value) + 1))
    return { sql: sql`${bind(BigInt(value), 'BIGINT')}`, type: { kind: 'int', bits, absent: 'never' }, constant: value }
  }
  // A long may hold a small value and stay a long; the engine's integers don't know.
  return undefined
}

function doubleSql(value: number): SqlExpression | undefined {
  if (!Number.isFinite(value)) return undefined
  return {
    sql: sql`${bind(value, 'DOUBLE')}`,
    type: { kind: 'double', finite: true, absent: 'never' },
    constant: value,
  }
}

let lambdas = 0

/** A path as expressions read it: over a list of documents, the list of their fields without the missing ones. */
function pathSql(start: SqlExpression, path: readonly string[]): SqlExpression | undefined {
  const [part, ...rest] = path
  if (part === undefined) return start
  const { type } = start
  if (type.kind === 'struct') return pathSql(fieldSql(start, part), rest)
  if (type.kind === 'open') return undefined
  if (type.kind !== 'list') return MISSING
  if (type.of.kind === 'list' || type.of.kind === 'open') return undefined
  lambdas = (lambdas + 1) % 1_000_000
  const element = identifier(`v${lambdas}`)
  const inner = pathSql({ sql: element, type: type.of }, path)
  // What NULL means inside must be known: missing is left out of the list, null is kept.
  if (inner === undefined || inner.type.absent === 'either' || inner.type.kind === 'nothing') return undefined
  const mapped = sql`list_transform(${start.sql}, lambda ${element}: ${inner.sql})`
  const kept =
    inner.type.absent === 'missing' ? sql`list_filter(${mapped}, lambda ${element}: ${element} is not null)` : mapped
  const of: SqlType = inner.type.absent === 'missing' ? { ...inner.type, absent: 'never' } : inner.type
  return { sql: kept, type: { kind: 'list', of, absent: type.absent } }
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
  if (first === undefined) return objectSql(context.relation.columns.map(column => [column.name, column]))
  const column = context.relation.columns.find(one => one.name === first)
  return column === undefined ? MISSING : pathSql(column, rest)
}

/** A document from its fields. DuckDB's struct has at least one field and knows names without case. */
export function objectSql(fields: readonly (readonly [string, SqlExpression])[]): SqlExpression | undefined {
  const kept = fields.filter(([, field]) => !(field.type.kind === 'nothing' && field.type.absent === 'missing'))
  const names = new Set(kept.map(([name]) => name.toLowerCase()))
  if (names.size === 0 || names.size < kept.length || kept.some(([, field]) => field.type.absent === 'either'))
    return undefined
  const parts = kept.map(([name, field]): Fragment => sql`${identifier(name)} := ${field.sql}`)
  return {
    sql: sql`struct_pack(${join(parts, ', ')})`,
    type: { kind: 'struct', fields: new Map(kept.map(([name, field]) => [name, field.type])), absent: 'never' },
  }
}

function arraySql(items: readonly SqlExpression[]): SqlExpression | undefined {
  const first = items.find(item => item.type.kind !== 'nothing')
  if (first === undefined) return undefined
  const scalar =
    first.type.kind === 'string' ||
    first.type.kind === 'date' ||
    first.type.kind === 'bool' ||
    first.type.kind === 'int'
  if (!scalar || items.some(item => item.type.kind !== first.type.kind && item.type.kind !== 'nothing'))
    return undefined
  // A missing item of an array is null.
  const absent = items.map(item => item.type.absent).reduce(joinAbsent)
  const of: SqlType = { ...first.type, absent: absent === 'never' ? 'never' : 'null' }
  return {
    sql: sql`list_value(${join(
      items.map(item => item.sql),
      ', ',
    )})`,
    type: { kind: 'list', of, absent: 'never' },
  }
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

/** The SQL of an expression with its static type, or `undefined` where the engine would not be exact. */
export function compileExpression(expression: Expression, context: CompileContext): SqlExpression | undefined {
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
