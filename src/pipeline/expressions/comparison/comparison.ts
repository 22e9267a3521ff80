import { type Comparison } from '../../match/compare-sql.js'
import { bind, sql } from '../../compile/sql.js'
import type { SqlExpression } from '../../compile/types.js'
import { readInstant } from '../../extended-json.js'
import { compareInExpression } from '../../order.js'
import type { Expression } from '../../tree.js'
import { eager } from '../eager.js'
import type { ExpressionOperator } from '../expression-operator.js'

const HOLDS: Readonly<Record<Comparison, (order: number) => boolean>> = {
  '=': order => order === 0,
  '<': order => order < 0,
  '<=': order => order <= 0,
  '>': order => order > 0,
  '>=': order => order >= 0,
}

/** An ISO string beside a date field is a date (pipeline.md, "What is made uniform"). */
function datesBeside(operands: readonly Expression[], isDate: (operand: Expression) => boolean): readonly Expression[] {
  if (!operands.some(isDate)) return operands
  return operands.map(operand => {
    if (operand.kind !== 'literal' || typeof operand.value !== 'string') return operand
    const date = readInstant(operand.value)
    return date === undefined ? operand : { kind: 'literal', value: date }
  })
}

const SCALARS = new Set(['string', 'bool', 'date', 'int', 'double'])

/**
 * A comparison of two values in the total order of types; arrays are compared as they are, not walked
 * (pipeline-semantics.md, 12 and 13).
 */
export function comparison(name: string, op: Comparison, negated = false): ExpressionOperator {
  return eager({
    name,
    arity: [2, 2],
    prepare: datesBeside,
    evaluate: (a, b) => HOLDS[op](compareInExpression(a, b)) !== negated,
    sql: ([a, b]) => {
      if (a === undefined || b === undefined) return undefined
      if (isNull(b)) return besideNull(a, order => HOLDS[op](order) !== negated)
      if (isNull(a)) return besideNull(b, order => HOLDS[op](-order) !== negated)
      const numeric = (kind: string) => kind === 'int' || kind === 'double'
      const same = a.type.kind === b.type.kind || (numeric(a.type.kind) && numeric(b.type.kind))
      if (!same || !SCALARS.has(a.type.kind)) return undefined
      for (const { type } of [a, b]) if (type.kind === 'double' && !type.finite) return undefined
      if (a.type.absent === 'either' || b.type.absent === 'either') return undefined
      if (a.type.absent === b.type.absent || a.type.absent === 'never' || b.type.absent === 'never') {
        return { sql: compareWithNull(a.sql, b.sql, op, negated), type: { kind: 'bool', absent: 'never' } }
      }
      // One side may be missing, the other null: missing is below null, which NULL alone can't tell.
      return undefined
    },
  })
}

const isNull = ({ type }: SqlExpression) => type.kind === 'nothing' && type.absent === 'null'

/** A value beside null: what is there is above it, what is missing below (how a pipeline asks whether a field is there). */
function besideNull(
  { sql: value, type }: SqlExpression,
  outcome: (order: number) => boolean,
): SqlExpression | undefined {
  if (type.absent === 'either' || type.kind === 'open') return undefined
  const there = sql`${bind(outcome(1), 'BOOLEAN')}`
  const absent = sql`${bind(outcome(type.absent === 'missing' ? -1 : 0), 'BOOLEAN')}`
  return {
    sql: sql`(case when ${value} is null then ${absent} else ${there} end)`,
    type: { kind: 'bool', absent: 'never' },
  }
}

function compareWithNull(a: ReturnType<typeof sql>, b: ReturnType<typeof sql>, op: Comparison, negated: boolean) {
  const yes = sql`${bind(!negated, 'BOOLEAN')}`
  const no = sql`${bind(negated, 'BOOLEAN')}`
  const outcome = (holds: boolean) => (holds ? yes : no)
  const values = {
    '=': sql`${a} = ${b}`,
    '<': sql`${a} < ${b}`,
    '<=': sql`${a} <= ${b}`,
    '>': sql`${a} > ${b}`,
    '>=': sql`${a} >= ${b}`,
  }[op]
  const compared = negated ? sql`not (${values})` : values
  return sql`(case when ${a} is null and ${b} is null then ${outcome(HOLDS[op](0))} when ${a} is null then ${outcome(HOLDS[op](-1))} when ${b} is null then ${outcome(HOLDS[op](1))} else ${compared} end)`
}
