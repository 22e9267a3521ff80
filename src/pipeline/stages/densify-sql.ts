import { failsWhen } from '../compile/fails.js'
import { DOUBLE_BITS } from '../compile/is-int-sql.js'
import type { Column, Relation } from '../compile/relation.js'
import { filtered } from '../compile/rows.js'
import { isSortable } from '../compile/sortable.js'
import { type Fragment, bind, join, sql } from '../compile/sql.js'
import { thenBy } from '../compile/total-order.js'
import type { SqlExpression, SqlType } from '../compile/types.js'
import { MONTHS, THOUSAND_YEARS_MS, UTC_MS } from '../expressions/date/units.js'
import type { FieldPath } from '../path.js'
import type { CompileContext } from '../tree.js'
import { type Value, isInt, toNumber } from '../value.js'
import { type Densify, LEAST_MILLIS, MOST_ADDED, TOO_MANY } from './densify-spec.js'
import { orderKeys } from './sort.js'

const NAME = '$densify'

/** Names of columns of our own. They are told from fields of the same name by their place. */
const HERE = ' here'
const PARTITION = ' partition'
const LOW = ' low'
const HIGH = ' high'
const COUNT = ' count'
const TOTAL = ' total'
const STEP = ' step'
const VALUE = ' value'

const COUNTED: SqlType = { kind: 'double', finite: true, absent: 'never' }
const PLACE: SqlType = { kind: 'int', bits: 31, absent: 'never' }

/** Doubles that are multiples of this, up to MOST_DOUBLE, add up without rounding. */
const PART = 1 / 1024
const MOST_DOUBLE = 2 ** 40

/** How the values of a scale are made. */
interface Scale {
  readonly type: SqlType
  /** How many there are between two values, at most. */
  count(low: Fragment, high: Fragment): Fragment
  /** The value so many steps above the lowest. */
  value(low: Fragment, place: Fragment): Fragment
  /** Where the engine's values would be others. */
  inexact(low: Fragment, high: Fragment): Fragment
  /** The values are ints in a field of doubles. */
  readonly ints?: true
}

function dateScale(type: SqlType, { step, unit = 'millisecond' }: Densify): Scale | undefined {
  const [millis, months] = [UTC_MS[unit] ?? LEAST_MILLIS[unit], MONTHS[unit]]
  if (millis === undefined || millis * step > THOUSAND_YEARS_MS) return undefined
  const far = bind(BigInt(THOUSAND_YEARS_MS), 'BIGINT')
  const millisBetween = (low: Fragment, high: Fragment) => sql`(epoch_ms(${high}) - epoch_ms(${low}))`
  const steps = (place: Fragment, one: number) => sql`${place} * ${bind(BigInt(one), 'BIGINT')}`
  return {
    type,
    count: (low, high) => sql`ceil(${millisBetween(low, high)} / ${bind(millis * step, 'DOUBLE')}) + 1`,
    value: (low, place) =>
      months === undefined
        ? sql`(${low} + to_milliseconds(${steps(place, millis * step)}))`
        : sql`(${low} + to_months((${steps(place, months * step)})::integer))`,
    inexact: (low, high) => {
      const isFar = sql`${millisBetween(low, high)} > ${far}`
      // From the end of a month on each date depends on the one before.
      return months === undefined ? isFar : sql`(${isFar} or day(${low}) > 28)`
    },
  }
}

function intScale(type: SqlType & { readonly kind: 'int' }, { step, bounds }: Densify): Scale | undefined {
  if (!isInt(step) || type.bits > DOUBLE_BITS) return undefined
  if (typeof bounds !== 'string' && !(bounds.every(isInt) && type.long !== true)) return undefined
  const by = bind(BigInt(step), 'BIGINT')
  return {
    type: typeof bounds === 'string' ? type : { ...type, bits: Math.max(type.bits, 32) },
    count: (low, high) => sql`ceil((${high} - ${low}) / ${by}) + 1`,
    value: (low, place) => sql`(${low} + ${place} * ${by})`,
    inexact: () => sql`false`,
  }
}

/** Doubles, where none is rounded; between bounds that are ints the values are ints as well. */
function doubleScale(type: SqlType & { readonly kind: 'double' }, { step, bounds }: Densify): Scale | undefined {
  if (!type.finite || !Number.isInteger(step / PART) || step > MOST_DOUBLE) return undefined
  const fromInt = typeof bounds !== 'string' && isInt(bounds[0])
  const ints = fromInt && isInt(step)
  // From an int by halves the first value is an int and the others are doubles.
  if ((type.mixed !== undefined || fromInt) && !ints) return undefined
  const by = bind(step, 'DOUBLE')
  const isUneven = (value: Fragment) =>
    sql`(abs(${value}) > ${bind(MOST_DOUBLE, 'DOUBLE')} or ${value} / ${bind(PART, 'DOUBLE')} <> floor(${value} / ${bind(PART, 'DOUBLE')}))`
  return {
    type: ints ? { ...type, mixed: Math.max(type.mixed ?? 0, 32) } : type,
    ...(ints ? { ints } : {}),
    count: (low, high) => sql`ceil((${high} - ${low}) / ${by}) + 1`,
    value: (low, place) => sql`(${low} + ${place} * ${by})`,
    inexact: (low, high) => sql`(${isUneven(low)} or abs(${high}) > ${bind(MOST_DOUBLE, 'DOUBLE')})`,
  }
}

function scaleOf({ type }: SqlExpression, spec: Densify): Scale | undefined {
  if (type.absent === 'either' || (type.kind === 'date') !== (spec.unit !== undefined)) return undefined
  if (type.kind === 'date') return dateScale(type, spec)
  if (type.kind === 'int') return intScale(type, spec)
  return type.kind === 'double' ? doubleScale(type, spec) : undefined
}

function boundSql(value: Value, { kind }: SqlType): Fragment {
  if (value instanceof Date) return sql`${bind(value, 'TIMESTAMP')}`
  const number = toNumber(value as number)
  return kind === 'int' ? sql`${bind(BigInt(number), 'BIGINT')}` : sql`${bind(number, 'DOUBLE')}`
}

/** Where the scale begins and ends, over the rows of a partition. */
function endsSql({ bounds, partitions }: Densify, field: Fragment, type: SqlType): readonly [Fragment, Fragment] {
  if (typeof bounds !== 'string') return [boundSql(bounds[0], type), boundSql(bounds[1], type)]
  const [low, high] = [sql`min(${field})`, sql`max(${field})`]
  return bounds === 'partition' || partitions.length === 0
    ? [low, high]
    : [sql`min(${low}) over ()`, sql`max(${high}) over ()`]
}

/** A field of added documents that others have: missing where it is in none of them, whatever NULL means in the others. */
function besideAdded(column: Column, here: Fragment): Column | undefined {
  const { type, isNull } = column
  if (type.absent === 'never' || type.absent === 'missing') return { ...column, type: { ...type, absent: 'missing' } }
  if (type.absent === 'either' && isNull === undefined) return undefined
  const isHere = sql`${here} is not null`
  return {
    ...column,
    type: { ...type, absent: 'either' },
    isNull: isNull === undefined ? isHere : sql`(${isHere} and ${isNull})`,
  }
}

/** The values of the scale of each partition, beside the partition's. */
function scaleRows(
  spec: Densify,
  scale: Scale,
  { base, field, partitions }: { base: Relation; field: Fragment; partitions: readonly SqlExpression[] },
  context: CompileContext,
): Relation {
  const [low, high] = endsSql(spec, field, scale.type)
  const keys = partitions.map((one): Column => ({ ...one, name: PARTITION }))
  const by = join(
    partitions.map(one => one.sql),
    ', ',
  )
  const ends = context.step({
    columns: [...keys, { name: LOW, sql: low, type: scale.type }, { name: HIGH, sql: high, type: scale.type }],
    from: filtered(base.from, sql`${field} is not null`),
    order: [],
    // Without partitions there is one, if only of bounds of one's own.
    tail: partitions.length === 0 ? sql` having count(*) >= 0` : sql` group by ${by}`,
  })
  const [least, greatest] = ends.columns.slice(-2).map(one => one.sql) as [Fragment, Fragment]
  const count = sql`coalesce(${scale.count(least, greatest)}, 0)::double`
  const counted = context.step({
    columns: [
      ...ends.columns,
      { name: COUNT, sql: context.exactUnless(scale.inexact(least, greatest), count), type: COUNTED },
      { name: TOTAL, sql: sql`sum(${count}) over ()`, type: COUNTED },
    ],
    from: ends.from,
    order: [],
  })
  const [each, total] = counted.columns.slice(-2).map(one => one.sql) as [Fragment, Fragment]
  const isTooMany = sql`${total} > ${bind(MOST_ADDED, 'DOUBLE')}`
  context.over(counted).mayFail(failsWhen(isTooMany, NAME, TOO_MANY))
  const places = sql`unnest(range((case when ${isTooMany} then 0 else ${each} end)::bigint))`
  const numbered = context.step({
    columns: [...counted.columns.slice(0, -2), { name: STEP, sql: places, type: PLACE, makesRows: true }],
    from: counted.from,
    order: [],
  })
  const [from, to, place] = numbered.columns.slice(-3).map(one => one.sql) as [Fragment, Fragment, Fragment]
  const value = scale.value(from, place)
  const within = spec.bounds === 'full' ? sql`${value} <= ${to}` : sql`${value} < ${to}`
  return context.step({
    columns: [...numbered.columns.slice(0, -3), { name: VALUE, sql: value, type: scale.type }],
    from: filtered(numbered.from, within),
    order: [],
  })
}

/**
 * $densify as a join of the rows with the values of the scale: those that meet none add a row. `undefined` where it would
 * not be exact.
 */
export function densifySql(spec: Densify, relation: Relation, context: CompileContext): Relation | undefined {
  const paths = [...spec.partitions, spec.field]
  if (paths.some(path => path.length > 1)) return undefined
  const isThere: Column = { name: HERE, sql: sql`true`, type: { kind: 'bool', absent: 'never' } }
  const base = context.step({ ...relation, columns: [...relation.columns, isThere], materialized: 'when shared' })
  const columns = base.columns.slice(0, -1)
  const here = base.columns.at(-1)!.sql
  const valueOf = ([name]: FieldPath) => columns.find(column => column.name === name)
  const field = valueOf(spec.field)
  const partitions = spec.partitions.flatMap(path => valueOf(path) ?? [])
  const scale = field && scaleOf(field, spec)
  // A field that no document has is one partition; it is not added either.
  if (field === undefined || scale === undefined || partitions.some(({ type }) => !isSortable(type))) return undefined
  if (partitions.some(({ type }) => type.absent === 'either')) return undefined
  const added = scaleRows(spec, scale, { base, field: field.sql, partitions }, context)
  const keys = added.columns.slice(0, -1)
  const value = added.columns.at(-1)!.sql
  const meets = [
    sql`${value} = ${field.sql}`,
    ...partitions.map((one, i) => sql`${one.sql} is not distinct from ${keys[i]!.sql}`),
  ]
  const set = columns.map((column): Column | undefined => {
    const key = keys[partitions.indexOf(column)]
    if (key !== undefined) return { ...column, sql: sql`coalesce(${column.sql}, ${key.sql})` }
    if (column !== field) return besideAdded(column, here)
    const filled = { ...column, sql: sql`coalesce(${column.sql}, ${value})`, type: scale.type }
    return scale.ints === undefined
      ? filled
      : { ...filled, isInt: sql`(case when ${here} then ${column.isInt ?? sql`false`} else true end)` }
  })
  if (set.includes(undefined)) return undefined
  // Added documents have the fields of their partition first.
  const inOrder = paths.map(([name]) => columns.findIndex(column => column.name === name)).filter(place => place >= 0)
  const isOrdered = inOrder.every((place, i) => i === 0 || inOrder[i - 1]! < place)
  const marked = (set as readonly Column[]).map((column): Column =>
    isOrdered || !paths.some(([name]) => name === column.name) ? column : { ...column, late: true },
  )
  const joined: Relation = {
    columns: marked,
    from: { table: sql`${base.from.table} full join ${added.from.table} on ${join(meets, ' and ')}` },
    order: [],
  }
  const order = orderKeys(
    paths.map(path => ({ path, descending: false })),
    joined,
    context.over(joined),
  )
  if (order === undefined) return undefined
  // Of the added ones only the keys of the scale tell which is which.
  const all = thenBy(
    order,
    base.order.map(({ sql: key, descending }) => ({ sql: key, descending })),
  )
  return context.step({ ...joined, order: all.map(key => ({ ...key, identifies: true as const })) })
}
