import { DOUBLE_BITS } from './is-int-sql.js'
import { jsonLiteral } from './json-literal.js'
import { type Fragment, bind, sql } from './sql.js'
import { type SqlExpression, type SqlKind, type SqlType, isBounded, isOpaqueKind, joinAbsent } from './types.js'
import { isDocument } from '../value.js'

/** Expressions brought to one kind, so that one column can hold any of them. */
export interface Unified {
  readonly kind: SqlKind
  readonly branches: readonly Branch[]
  /** Some rows hold integers, others doubles: each branch says which. */
  readonly mixed: boolean
}

export interface Branch {
  readonly sql: Fragment
  readonly isInt: Fragment
  /** Whether NULL means null here; `undefined` where one can't tell. */
  readonly isNull: Fragment | undefined
}

function nullOf({ type, isNull }: SqlExpression): Fragment | undefined {
  if (type.absent === 'either') return isNull
  return type.absent === 'null' ? sql`true` : sql`false`
}

/**
 * The expressions as one kind that changes none of their values: integers beside doubles stay told apart, JSON-able
 * values beside open ones become JSON. `undefined` where there is none.
 */
export function unify(expressions: readonly SqlExpression[]): Unified | undefined {
  const kinds = new Set(expressions.map(({ type }) => type.kind).filter(kind => kind !== 'nothing'))
  if (kinds.has('open')) return openUnion(expressions)
  const numeric = [...kinds].every(kind => kind === 'int' || kind === 'double')
  if (numeric && kinds.has('double')) return doubles(expressions)
  const type = commonType(expressions.map(one => one.type))
  return (
    type && {
      kind: type,
      branches: expressions.map(one => ({ sql: one.sql, isInt: sql`false`, isNull: nullOf(one) })),
      mixed: false,
    }
  )
}

function openUnion(expressions: readonly SqlExpression[]): Unified | undefined {
  const branches: Branch[] = []
  for (const expression of expressions) {
    const json = asJson(expression)
    if (json === undefined) return undefined
    branches.push({ sql: json, isInt: sql`false`, isNull: nullOf(expression) })
  }
  const isObject = ({ type, literal }: SqlExpression) =>
    type.kind === 'nothing' || (type.kind === 'open' && type.object === true) || isDocument(literal)
  return { kind: { kind: 'open', ...(expressions.every(isObject) ? { object: true } : {}) }, branches, mixed: false }
}

/** A value as JSON that reads back as the same value, NULL staying NULL. */
export function asJson({ sql: value, type, literal }: SqlExpression): Fragment | undefined {
  if (type.kind === 'open') return value
  if (type.kind === 'nothing') return sql`null::json`
  const text = literal === undefined ? undefined : jsonLiteral(literal)
  if (text !== undefined) return sql`${bind(text, 'JSON')}`
  const exact = type.kind === 'string' || type.kind === 'bool' || (type.kind === 'int' && type.bits <= 31 && !type.long)
  return exact ? sql`to_json(${value})` : undefined
}

function doubles(expressions: readonly SqlExpression[]): Unified | undefined {
  let finite = true
  let bounded = true
  let bits = 0
  const branches: Branch[] = []
  for (const expression of expressions) {
    const { sql: value, type, isInt } = expression
    const isNull = nullOf(expression)
    bounded &&= type.kind === 'nothing' || isBounded(type)
    if (type.kind === 'int') {
      if (type.bits > DOUBLE_BITS || type.long === true) return undefined
      bits = Math.max(bits, type.bits)
      branches.push({ sql: sql`${value}::double`, isInt: sql`true`, isNull })
    } else {
      if (type.kind === 'double') {
        if (type.mixed !== undefined && isInt === undefined) return undefined
        finite &&= type.finite
        bits = Math.max(bits, type.mixed ?? 0)
      }
      branches.push({ sql: value, isInt: isInt ?? sql`false`, isNull })
    }
  }
  const mixed = expressions.some(({ type, isInt }) => type.kind === 'int' || isInt !== undefined)
  const limits = { finite, ...(bounded ? { bounded } : {}) }
  return { kind: { kind: 'double', ...limits, ...(mixed ? { mixed: bits } : {}) }, branches, mixed }
}

/** The one type of several, their NULLs' meanings joined; numbers of two kinds have none. */
export function commonType(types: readonly SqlType[]): SqlType | undefined {
  return types.reduce<SqlType | undefined>((a, b) => a && both(a, b), { kind: 'nothing', absent: 'never' })
}

function both(a: SqlType, b: SqlType): SqlType | undefined {
  const absent = joinAbsent(a.absent, b.absent)
  if (a.kind === 'nothing') return { ...b, absent }
  if (b.kind === 'nothing') return { ...a, absent }
  if (a.kind === 'int' && b.kind === 'int') {
    return a.long === b.long ? { ...a, bits: Math.max(a.bits, b.bits), absent } : undefined
  }
  if (a.kind === 'double' && b.kind === 'double') {
    if (a.mixed !== undefined || b.mixed !== undefined) return undefined
    const bounded = a.bounded === true && b.bounded === true
    return { kind: 'double', finite: a.finite && b.finite, ...(bounded ? { bounded } : {}), absent }
  }
  if (a.kind === 'list' && b.kind === 'list') {
    const of = both(a.of, b.of)
    return of === undefined || of.absent === 'either' ? undefined : { kind: 'list', of, absent }
  }
  if (a.kind === 'struct' && b.kind === 'struct') return bothStructs(a.fields, b.fields, absent)
  if (a.kind !== b.kind || isOpaqueKind(a.kind)) return undefined
  if (a.kind === 'date' && b.kind === 'date') {
    return { kind: 'date', ...(a.bounded === true && b.bounded === true ? { bounded: true } : {}), absent }
  }
  return { ...a, absent }
}

/** Structs are one type only when they have the same fields in the same order. */
function bothStructs(
  a: ReadonlyMap<string, SqlType>,
  b: ReadonlyMap<string, SqlType>,
  absent: SqlType['absent'],
): SqlType | undefined {
  if ([...a.keys()].join('\0') !== [...b.keys()].join('\0')) return undefined
  const fields = new Map<string, SqlType>()
  for (const [name, type] of a) {
    const one = both(type, b.get(name)!)
    if (one === undefined || one.absent === 'either') return undefined
    fields.set(name, one)
  }
  return { kind: 'struct', fields, absent }
}

/** One of the unified branches, chosen by SQL that `choose` writes around them. */
export function chosen(
  { kind, branches, mixed }: Unified,
  absent: SqlType['absent'],
  choose: (branches: readonly Fragment[]) => Fragment,
): SqlExpression {
  const nulls = branches.map(one => one.isNull).filter(one => one !== undefined)
  return {
    sql: choose(branches.map(one => one.sql)),
    type: { ...kind, absent },
    ...(mixed ? { isInt: choose(branches.map(one => one.isInt)) } : {}),
    ...(absent === 'either' && nulls.length === branches.length ? { isNull: choose(nulls) } : {}),
  }
}
