import { failing } from '../../compile/fails.js'
import { type Fragment, join, sql } from '../../compile/sql.js'
import type { FieldType } from '../../../calls/field-type.js'
import { entryType } from '../../given-type.js'
import type { Expression, TypeOf } from '../../tree.js'
import type { SqlExpression } from '../../compile/types.js'
import { unify } from '../../compile/unify.js'
import type { Gathering } from '../../accumulators/gatherings/gathering.js'
import { isArray } from '../../value.js'
import { eager } from '../eager.js'
import type { ExpressionDoc } from '../expression-doc.js'
import type { ExpressionOperator } from '../expression-operator.js'

interface OverValues {
  readonly name: string
  readonly doc: ExpressionDoc
  start(): Gathering
  /** The type of the result, where that is one of several values: see OperatorCall. */
  gives?(operands: readonly Expression[], typeOf: TypeOf): FieldType | undefined
  /** The result over a list, NULL for no list at all. */
  sql?(list: Fragment, of: SqlExpression['type']): SqlExpression | undefined
}

/** The operands as one list: a single list is its elements, everything else are values side by side. */
function asList(operands: readonly SqlExpression[]): SqlExpression | undefined {
  const [only] = operands
  if (only?.type.kind === 'list' && operands.length === 1) return only
  if (operands.length === 0) return undefined
  const unified = unify(operands)
  if (unified === undefined || unified.mixed) return undefined
  const { kind } = unified
  if (kind.kind === 'open' || kind.kind === 'list' || kind.kind === 'nothing') return undefined
  const values = unified.branches.map(branch => branch.sql)
  const list = { kind: 'list', of: { ...kind, absent: 'null' }, absent: 'never' } as const
  return failing({ sql: sql`list_value(${join(values, ', ')})`, type: list }, ...operands.map(one => one.fails))
}

/** An accumulator as an expression: over the elements of one array, or over several values. */
export function overValues(definition: OverValues): ExpressionOperator {
  return eager({
    name: definition.name,
    doc: definition.doc,
    arity: [0, Infinity],
    gives: (operands, typeOf) =>
      // A single operand may be a list of such values.
      definition.gives?.(operands, operands.length === 1 ? one => entryType(one, typeOf) ?? typeOf(one) : typeOf),
    evaluate: (...values) => {
      const gathering = definition.start()
      const [only] = values
      const all = values.length === 1 && isArray(only) ? only : values
      for (const value of all) gathering.add(value)
      return gathering.result()
    },
    sql: operands => {
      const list = asList(operands)
      return list?.type.kind === 'list' ? definition.sql?.(list.sql, list.type.of) : undefined
    },
  })
}
