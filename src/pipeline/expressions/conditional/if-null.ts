import { adviseConstant } from '../../advise-constant.js'
import { failing, failsWithin } from '../../compile/fails.js'
import { isAlwaysThere, isNullish } from '../../compile/null-sql.js'
import { type Fragment, concat, join, sql } from '../../compile/sql.js'
import type { SqlExpression } from '../../compile/types.js'
import { varied } from '../../compile/opaque.js'
import { chosen, unify } from '../../compile/unify.js'
import { eitherType } from '../../given-type.js'
import { lazy } from '../lazy.js'

/** What may fail: an operand is evaluated only while all before it are null or missing. */
function fails(operands: readonly SqlExpression[]): readonly (Fragment | undefined)[] {
  return operands.map((operand, i) => {
    const before = operands.slice(0, i)
    return i === 0 ? operand.fails : failsWithin(join(before.map(isNullish), ' and '), operand.fails)
  })
}

/** The first operand that is neither null nor missing, else the last one as it is. */
export const ifNull = lazy({
  name: '$ifNull',
  doc: {
    form: '{ $ifNull: [<expression>, …, <replacement>] }',
    meaning: 'The first value that is neither null nor missing, else the last as it is.',
    example: {
      expression: { $ifNull: ['$interaction_driver', 'unknown'] },
      document: { score: 4 },
      result: 'unknown',
    },
  },
  arity: [2, Infinity],
  gives: eitherType,
  // A text is never null: what is to stand for it is never taken.
  advise: (operands, context) => {
    for (const one of operands.slice(0, -1)) if (one.kind === 'literal') adviseConstant(one.value, context)
  },
  evaluate: (...operands) => {
    for (const operand of operands.slice(0, -1)) {
      const value = operand()
      if (value !== undefined && value !== null) return value
    }
    return operands.at(-1)?.()
  },
  sql: operands => {
    const unified = unify(operands) ?? varied(operands)
    const last = operands.at(-1)
    if (unified === undefined || last === undefined) return undefined
    const certain = operands.slice(0, -1).some(isAlwaysThere)
    const choose = (branches: readonly Fragment[]): Fragment => {
      const whens = branches.slice(0, -1).map((branch, i) => sql`when not ${isNullish(operands[i]!)} then ${branch} `)
      return sql`(case ${concat(whens)}else ${branches.at(-1)!} end)`
    }
    // The engine's coalesce knows neither JSON's null nor what goes along with a value.
    const plain = unified.kind.kind !== 'open' && !unified.mixed && last.type.absent !== 'either'
    const result = chosen(unified, certain ? 'never' : last.type.absent, plain ? coalesce : choose)
    const orNull =
      plain && isEmptyList(last) ? { orNull: coalesce(unified.branches.slice(0, -1).map(one => one.sql)) } : {}
    return failing({ ...result, ...orNull }, ...fails(operands))
  },
})

const coalesce = (branches: readonly Fragment[]): Fragment =>
  branches.length === 1 ? branches[0]! : sql`coalesce(${join(branches, ', ')})`

const isEmptyList = ({ literal }: SqlExpression) => Array.isArray(literal) && literal.length === 0
