import { jsonKind } from './json-kind.js'
import { DOUBLE_BITS } from './is-int-sql.js'
import { type Fragment, concat, isFalse, sql } from './sql.js'
import { isOpaqueKind, type OpaqueKind, type SqlExpression, type SqlType } from './types.js'
import { commonType } from './unify.js'

/** What a comparison gives for each outcome, such as true and false, or -1, 0 and 1. */
export interface Outcomes {
  readonly less: Fragment
  readonly equal: Fragment
  readonly greater: Fragment
}

/** Where a value is not there: missing is 0 and null is 1 in the order of types, below every value. */
interface Absence {
  readonly when: Fragment
  readonly rank: number
}

const RANKS: Readonly<Record<Exclude<SqlType['kind'], 'nothing' | 'open' | OpaqueKind>, number>> = {
  int: 1,
  double: 1,
  string: 2,
  struct: 3,
  list: 4,
  bool: 5,
  date: 6,
}

const SCALARS = new Set<SqlType['kind']>(['int', 'double', 'string', 'bool', 'date'])

function absences({ sql: value, type, isNull }: SqlExpression): readonly Absence[] {
  if (type.absent === 'either' && isNull !== undefined && type.kind !== 'open') {
    return [
      { when: sql`${value} is null and ${isNull}`, rank: 1 },
      { when: sql`${value} is null`, rank: 0 },
    ]
  }
  if (type.kind === 'open') {
    const isNull = { when: jsonKind.isNull(value), rank: 1 }
    return type.absent === 'never' ? [isNull] : [{ when: sql`${value} is null`, rank: rankOf(type) }, isNull]
  }
  if (type.kind === 'nothing') return [{ when: sql`true`, rank: rankOf(type) }]
  return type.absent === 'never' ? [] : [{ when: sql`${value} is null`, rank: rankOf(type) }]
}

/** Half: one can't tell, which matters only beside something that may be absent too. */
const rankOf = ({ absent }: SqlType): number => (absent === 'missing' ? 0 : absent === 'null' ? 1 : 0.5)

/**
 * The order of two values across types, as expressions compare (rule "order of types"); never NULL. `undefined`
 * where the engine's order would not be exact.
 */
export function compareValuesSql(a: SqlExpression, b: SqlExpression, outcomes: Outcomes): Fragment | undefined {
  const left = absences(a)
  const right = absences(b)
  const unknown = [...left, ...right].some(({ rank }) => rank === 0.5)
  if (left.length > 0 && right.length > 0 && unknown) return undefined
  const outcome = (order: number) => (order < 0 ? outcomes.less : order > 0 ? outcomes.greater : outcomes.equal)
  const [x, y] = [left[0], right[0]]
  if (b.type.kind === 'nothing' && x !== undefined && y !== undefined && left.length === 1) {
    return whenElse(x.when, outcome(x.rank - y.rank), outcome(1))
  }
  const branches: Fragment[] = []
  for (const x of left) {
    for (const y of right) {
      branches.push(sql`when ${x.when} and ${y.when} then ${outcome(x.rank - y.rank)} `)
    }
    branches.push(sql`when ${x.when} then ${outcome(-1)} `)
  }
  for (const y of right) branches.push(sql`when ${y.when} then ${outcome(1)} `)
  if (a.type.kind === 'nothing' || b.type.kind === 'nothing') return sql`(case ${concat(branches)}end)`
  const present = comparePresent(a, b, outcomes)
  if (present === undefined) return undefined
  return branches.length === 0 ? present : sql`(case ${concat(branches)}else ${present} end)`
}

/**
 * A comparison that gives true or false as a condition, NULL counting as false: where it is false of values that are not
 * there, the engine's own comparison says so by itself. `undefined` where it does not.
 */
export function testValuesSql(a: SqlExpression, b: SqlExpression, outcomes: Outcomes): Fragment | undefined {
  const [left, right] = [absences(a), absences(b)]
  if (!SCALARS.has(a.type.kind) || !SCALARS.has(b.type.kind) || left.length + right.length !== 1) return undefined
  const ofAbsent = left.length === 1 ? outcomes.less : outcomes.greater
  return isFalse(ofAbsent) ? comparePresent(a, b, outcomes) : undefined
}

/** The comparison of values that are both there. */
function comparePresent(a: SqlExpression, b: SqlExpression, outcomes: Outcomes): Fragment | undefined {
  if (a.type.kind === 'open') return compareOpen(a.sql, b, outcomes)
  if (b.type.kind === 'open') {
    return compareOpen(b.sql, a, { less: outcomes.greater, equal: outcomes.equal, greater: outcomes.less })
  }
  const [left, right] = [a.type.kind, b.type.kind]
  if (left === 'nothing' || right === 'nothing' || isOpaqueKind(left) || isOpaqueKind(right)) return undefined
  const order = RANKS[left] - RANKS[right]
  if (order !== 0) return order < 0 ? outcomes.less : outcomes.greater
  if (SCALARS.has(a.type.kind)) return compareScalars(a, b, outcomes)
  return compareNested(a, b, outcomes)
}

function mayBeNaN({ type }: SqlExpression): boolean {
  return type.kind === 'double' && !type.finite
}

/** Two values of one class. NaN is below every number here, above them in the engine. */
function compareScalars(a: SqlExpression, b: SqlExpression, outcomes: Outcomes): Fragment | undefined {
  const wide = ({ type }: SqlExpression) => type.kind === 'int' && type.bits > DOUBLE_BITS
  if (a.type.kind !== b.type.kind && (wide(a) || wide(b))) return undefined
  const plain = ordered(a.sql, b.sql, outcomes)
  if (!mayBeNaN(a) && !mayBeNaN(b)) return plain
  const aNaN = mayBeNaN(a) ? sql`isnan(${a.sql})` : sql`false`
  const bNaN = mayBeNaN(b) ? sql`isnan(${b.sql})` : sql`false`
  return sql`(case when ${aNaN} and ${bNaN} then ${outcomes.equal} when ${aNaN} then ${outcomes.less} when ${bNaN} then ${outcomes.greater} else ${plain} end)`
}

/** One of two fragments by a condition that is never NULL. */
function whenElse(condition: Fragment, yes: Fragment, no: Fragment): Fragment {
  if (isText(yes, 'true') && isText(no, 'false')) return sql`(${condition})`
  if (isText(yes, 'false') && isText(no, 'true')) return sql`(not (${condition}))`
  return sql`(case when ${condition} then ${yes} else ${no} end)`
}

const same = (a: Fragment, b: Fragment) => a === b

const isText = ({ texts }: Fragment, text: string) => texts.length === 1 && texts[0] === text

/** One comparison where two of the outcomes are the same, as they are for every operator but $cmp. */
function ordered(a: Fragment, b: Fragment, { less, equal, greater }: Outcomes): Fragment {
  // Both values are there, so that a comparison is true or false by itself.
  if (same(less, greater)) return whenElse(sql`${a} = ${b}`, equal, less)
  if (same(equal, greater)) return isText(less, 'false') ? sql`(${a} >= ${b})` : whenElse(sql`${a} < ${b}`, less, equal)
  if (same(less, equal))
    return isText(greater, 'false') ? sql`(${a} <= ${b})` : whenElse(sql`${a} > ${b}`, greater, less)
  return sql`(case when ${a} < ${b} then ${less} when ${a} = ${b} then ${equal} else ${greater} end)`
}

/** Lists and structs of one type are equal in the engine when they are equal here; their order may differ. */
function compareNested(a: SqlExpression, b: SqlExpression, outcomes: Outcomes): Fragment | undefined {
  if (!same(outcomes.less, outcomes.greater) || commonType([a.type, b.type]) === undefined) return undefined
  return sql`(case when ${a.sql} = ${b.sql} then ${outcomes.equal} else ${outcomes.less} end)`
}

/** A JSON value that is there and not null, beside a typed one. */
function compareOpen(value: Fragment, { sql: other, type }: SqlExpression, outcomes: Outcomes): Fragment | undefined {
  const { kind } = type
  if (kind === 'open' || kind === 'nothing' || kind === 'list' || kind === 'struct') return undefined
  // JSON holds no dates, and every type it holds is below them.
  if (kind === 'date') return outcomes.less
  if (kind === 'string') {
    const text = ordered(sql`(${value} ->> '$')`, other, outcomes)
    return sql`(case when ${jsonKind.isString(value)} then ${text} when ${jsonKind.isNumber(value)} then ${outcomes.less} else ${outcomes.greater} end)`
  }
  if (kind === 'bool') {
    const truth = ordered(sql`(${value}::varchar = 'true')`, other, outcomes)
    return sql`(case when ${jsonKind.isBool(value)} then ${truth} else ${outcomes.less} end)`
  }
  const number: SqlExpression = {
    sql: jsonKind.number(value),
    type: { kind: 'double', finite: true, absent: 'never' },
  }
  const compared = compareScalars(number, { sql: other, type }, outcomes)
  return compared && sql`(case when ${jsonKind.isNumber(value)} then ${compared} else ${outcomes.greater} end)`
}
