import { beneath } from '../../beneath.js'
import { elementBulk } from '../../compile/bulk.js'
import type { CompileContext, Expression } from '../../tree.js'
import { type SqlExpression, type SqlType, joinAbsent } from '../../compile/types.js'
import { failsWithin, firstFailure } from '../../compile/fails.js'
import { DOUBLE_BITS, EXACT_BITS, integerBits } from '../../compile/is-int-sql.js'
import { lambdaName } from '../../compile/lambda.js'
import { joinedSql } from './joined-sql.js'
import { type Fragment, sql } from '../../compile/sql.js'
import { given, take } from '../../compile/take.js'

/** How often the type of what is made may change until it stays the same. */
const MOST_ROUNDS = 4

/** What a state holds; `undefined` for what may grow with each step, which the engine would make without counting. */
const COLUMNS: Readonly<Partial<Record<SqlType['kind'], Fragment>>> = {
  bool: sql`boolean`,
  date: sql`timestamp`,
  int: sql`bigint`,
  double: sql`double`,
}

const isNumber = ({ kind }: SqlType) => kind === 'int' || kind === 'double'

/** The type of what is made, before a step and after it; `undefined` where no one type holds both. */
function either(a: SqlExpression, b: SqlExpression): SqlType | undefined {
  const absent = joinAbsent(a.type.absent, b.type.absent)
  if (absent === 'either') return undefined
  if (a.type.kind === 'nothing' || b.type.kind === 'nothing') {
    return { ...(a.type.kind === 'nothing' ? b.type : a.type), absent }
  }
  if (isNumber(a.type) && isNumber(b.type)) {
    const bits = Math.max(integerBits(a), integerBits(b))
    if (a.type.kind === 'int' && b.type.kind === 'int') {
      const isLong = a.type.long === true
      if (bits > EXACT_BITS || isLong !== (b.type.long === true)) return undefined
      return { kind: 'int', bits, ...(isLong && { long: true }), absent }
    }
    if (bits > DOUBLE_BITS || [a, b].some(({ type }) => type.kind === 'int' && type.long === true)) return undefined
    const finite = [a, b].every(({ type }) => type.kind === 'int' || (type.kind === 'double' && type.finite))
    const holdsIntegers = [a, b].some(
      ({ type }) => type.kind === 'int' || (type.kind === 'double' && type.mixed !== undefined),
    )
    return { kind: 'double', finite, ...(holdsIntegers && { mixed: Math.max(1, bits) }), absent }
  }
  return a.type.kind === b.type.kind ? { kind: a.type.kind as 'bool' | 'date', absent } : undefined
}

/** Whether a number is an integer in this row. */
const integral = ({ type, isInt }: SqlExpression): Fragment => {
  if (type.kind === 'double') return type.mixed === undefined ? sql`false` : (isInt ?? sql`null`)
  return sql`true`
}

const same = (a: SqlType, b: SqlType) => JSON.stringify(a) === JSON.stringify(b)

interface Step {
  readonly type: SqlType
  readonly body: SqlExpression
}

/** The body over a state, with the type that stays the same from step to step; `undefined` where none does. */
function settled(
  initial: SqlExpression,
  state: Fragment,
  element: SqlExpression,
  body: Expression,
  context: CompileContext,
): Step | undefined {
  let { type } = initial
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    if (type.kind !== 'nothing' && COLUMNS[type.kind] === undefined) return undefined
    const mixed = type.kind === 'double' && type.mixed !== undefined
    const value: SqlExpression = {
      sql: sql`struct_extract(${state}, 'v')`,
      type,
      ...(mixed && { isInt: sql`struct_extract(${state}, 'i')` }),
    }
    const compiled = context
      .boundElements(
        new Map([
          ['value', value],
          ['this', element],
        ]),
      )
      .expression(body)
    if (compiled === undefined) return undefined
    if (compiled.type.kind === 'double' && compiled.type.mixed !== undefined && compiled.isInt === undefined) {
      return undefined
    }
    const next = either(value, compiled)
    if (next === undefined) return undefined
    if (same(next, type)) return { type, body: compiled }
    type = next
  }
  return undefined
}

/**
 * Whether the body looks at nothing but what was made so far and the element. Of anything else its rows have, the engine's
 * function takes another row's value (1.5.6: `list_reduce` with a captured column, over lists of different lengths).
 */
function isAlone(body: Expression): boolean {
  if (body.kind === 'field') return body.variable === 'value' || body.variable === 'this'
  return beneath(body).every(isAlone)
}

/**
 * $reduce as SQL. The engine's own function wants elements and result of one type: the list becomes one of states, which
 * hold an element, what was made so far, whether that is an integer, and the first failure.
 */
export function reduceSql(
  input: SqlExpression,
  initial: SqlExpression,
  body: Expression,
  context: CompileContext,
): SqlExpression | undefined {
  const taken = take([input], { operator: '$reduce', wanted: 'list', wants: 'an array as input', nulls: 'null' })
  const list = taken?.operands[0]
  if (taken === undefined || list?.type.kind !== 'list' || !isAlone(body)) return undefined
  const joined = joinedSql(list, initial, body, context)
  if (joined !== undefined) {
    const { absent } = joined.type
    const result = given(taken, joined.sql, joined.type)
    return { ...result, type: { ...joined.type, absent: joinAbsent(absent, taken.absent) } }
  }
  const [state, next, one] = [lambdaName(), lambdaName(), lambdaName()]
  const element = { sql: sql`struct_extract(${next}, 'e')`, type: list.type.of, bulk: elementBulk(input) }
  const step = settled(initial, state, element, body, context)
  const column = step && COLUMNS[step.type.kind]
  if (step === undefined || column === undefined) return undefined
  const make = (value: SqlExpression, fails: Fragment, of: Fragment) =>
    sql`struct_pack(v := ${value.sql}::${column}, i := ${integral(value)}, f := ${fails}, e := ${of})`
  const failed = sql`struct_extract(${state}, 'f')`
  const fails = step.body.fails === undefined ? failed : sql`coalesce(${failed}, ${step.body.fails})`
  const empty = sql`struct_pack(v := null::${column}, i := null::boolean, f := null::varchar, e := ${one})`
  const states = sql`list_transform(${list.sql}, lambda ${one}: ${empty})`
  const reduced = sql`list_reduce(${states}, lambda ${state}, ${next}: ${make(step.body, fails, element.sql)}, ${make(initial, sql`null::varchar`, sql`null`)})`
  const { absent, ...kind } = step.type
  const result = given(taken, sql`struct_extract(${reduced}, 'v')`, kind, {
    ...(kind.kind === 'double' && kind.mixed !== undefined && { isInt: sql`struct_extract(${reduced}, 'i')` }),
    fails: firstFailure([
      failsWithin(sql`${list.sql} is not null`, initial.fails),
      ...(step.body.fails === undefined ? [] : [sql`struct_extract(${reduced}, 'f')`]),
    ]),
  })
  const whole = joinAbsent(absent, taken.absent)
  return whole === 'either' ? undefined : { ...result, type: { ...kind, absent: whole } }
}
