import { jsonKind } from './json-kind.js'
import { failsWithin, firstFailure } from './fails.js'
import { isAlwaysThere, isNullish } from './null-sql.js'
import { type Fragment, bind, join, sql } from './sql.js'
import { jsonIsInt, typeNameSql } from './type-name-sql.js'
import type { SqlExpression, SqlKind, SqlType } from './types.js'

/** What an operator wants its operands to be. */
export type Wanted = 'number' | 'string' | 'date' | 'list'

interface Demand {
  readonly operator: string
  readonly wanted: Wanted
  /** The wanted in the operator's sentence: "takes strings, not int". */
  readonly wants: string
  /**
   * What null and missing do: make the result null whatever the others are, make it null unless an operand before is of
   * a wrong type, or are of a wrong type themselves.
   */
  readonly nulls: 'null' | 'null in order' | 'wrong'
}

/** Operands as the wanted kind: their SQL is NULL wherever the value is not of it. */
export interface Taken {
  readonly operands: readonly SqlExpression[]
  /** What NULL means in a result that is NULL where an operand is. */
  readonly absent: 'never' | 'null'
  readonly fails: Fragment | undefined
}

const HOLDS: Readonly<Record<Wanted, (kind: SqlKind['kind']) => boolean>> = {
  number: kind => kind === 'int' || kind === 'double',
  string: kind => kind === 'string',
  date: kind => kind === 'date',
  list: kind => kind === 'list',
}

const NULL_TYPE: SqlType = { kind: 'nothing', absent: 'null' }

/** A value of any shape as the wanted kind; JSON holds no dates. */
export function ofOpen(value: Fragment, wanted: Wanted): SqlExpression {
  switch (wanted) {
    case 'number':
      return {
        sql: jsonKind.ifNumber(value),
        type: { kind: 'double', finite: true, mixed: 31, absent: 'null' },
        isInt: jsonIsInt(value),
      }
    case 'string':
      return {
        sql: jsonKind.ifString(value),
        type: { kind: 'string', absent: 'null' },
      }
    case 'list':
      return {
        sql: sql`(case when ${jsonKind.isArray(value)} then json_extract(${value}, '$[*]') end)`,
        type: { kind: 'list', of: { kind: 'open', absent: 'never' }, absent: 'null' },
      }
    case 'date':
      return { sql: sql`null`, type: NULL_TYPE }
  }
}

const OPEN_TYPES: Readonly<Record<Wanted, Fragment>> = {
  number: sql`('UBIGINT', 'BIGINT', 'DOUBLE', 'NULL')`,
  string: sql`('VARCHAR', 'NULL')`,
  list: sql`('ARRAY', 'NULL')`,
  date: sql`('NULL')`,
}

interface One {
  readonly taken: SqlExpression
  /** True where the value is there but of another type; `undefined` where that can't be. */
  readonly wrong: Fragment | undefined
}

function takeOne(operand: SqlExpression, wanted: Wanted): One {
  const { type, sql: value } = operand
  if (HOLDS[wanted](type.kind)) return { taken: operand, wrong: undefined }
  if (type.kind === 'nothing') return { taken: { sql: sql`null`, type: NULL_TYPE }, wrong: undefined }
  if (type.kind === 'open') {
    return { taken: ofOpen(value, wanted), wrong: sql`json_type(${value}) not in ${OPEN_TYPES[wanted]}` }
  }
  return {
    taken: { sql: sql`null`, type: NULL_TYPE },
    wrong: type.absent === 'never' ? sql`true` : sql`${value} is not null`,
  }
}

/**
 * Operands as what an operator wants of them, with the sentence of the error where one is of another type. `undefined`
 * where that sentence could not be exact.
 */
export function take(operands: readonly SqlExpression[], demand: Demand): Taken | undefined {
  // Of a JSON value it knows beforehand the engine folds what is taken to a NULL of no type, which it then refuses.
  if (operands.some(({ type, literal }) => type.kind === 'open' && literal !== undefined)) return undefined
  const ones = operands.map(operand => takeOne(operand, demand.wanted))
  const cases: Fragment[] = []
  for (const [i, { wrong }] of ones.entries()) {
    const operand = operands[i]!
    const faulty = demand.nulls === 'wrong' ? nullOrWrong(operand, wrong) : wrong
    if (faulty !== undefined) {
      const name = typeNameSql(operand)
      if (name === undefined) return undefined
      const sentence = sql`${bind(`${demand.operator} takes ${demand.wants}, not `, 'VARCHAR')} || ${name}`
      cases.push(sql`when ${faulty} then ${sentence}`)
    }
    if (demand.nulls === 'null in order' && !isAlwaysThere(operand))
      cases.push(sql`when ${isNullish(operand)} then null`)
  }
  const faults = ones.some(({ wrong }) => wrong !== undefined) || demand.nulls === 'wrong'
  const anyThere = cases.length > 0 && faults ? sql`(case ${join(cases, ' ')} end)` : undefined
  const nullable = operands.filter(operand => !isAlwaysThere(operand))
  const fails =
    demand.nulls === 'null' && nullable.length > 0
      ? failsWithin(sql`not (${join(nullable.map(isNullish), ' or ')})`, anyThere)
      : anyThere
  return {
    operands: ones.map(({ taken }) => taken),
    absent: demand.nulls !== 'wrong' && nullable.length > 0 ? 'null' : 'never',
    fails,
  }
}

function nullOrWrong(operand: SqlExpression, wrong: Fragment | undefined): Fragment | undefined {
  if (isAlwaysThere(operand)) return wrong
  return wrong === undefined ? isNullish(operand) : sql`(${isNullish(operand)} or ${wrong})`
}

/** A result over taken operands. */
export function given(
  { absent, fails }: Taken,
  value: Fragment,
  kind: SqlKind,
  more?: { readonly fails?: Fragment | undefined; readonly isInt?: Fragment | undefined },
): SqlExpression {
  const all = firstFailure([fails, more?.fails])
  return {
    sql: value,
    type: { ...kind, absent },
    ...(all === undefined ? {} : { fails: all }),
    ...(more?.isInt === undefined ? {} : { isInt: more.isInt }),
  }
}
