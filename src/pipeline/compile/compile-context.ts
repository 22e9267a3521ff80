import type { Expression } from '../tree.js'
import type { Relation, Column } from './relation.js'
import type { Rows } from './rows.js'
import { type Fragment, join, sql } from './sql.js'
import type { SqlExpression } from './types.js'

/** What compiling a stage's expressions needs: the rows beneath, bound variables, the request's instant. */
export interface CompileContext {
  readonly relation: Relation
  readonly variables: ReadonlyMap<string, SqlExpression>
  readonly now: Date
  /** Compiles an expression; `undefined` where it would not be exact. */
  expression(expression: Expression): SqlExpression | undefined
  /**
   * Adds a common table expression and gives back a relation over it with columns renamed apart from callers' names. Where
   * nothing is computed it adds none: the relation is over what is there.
   */
  step(query: StepQuery): Relation
  /** The same context over other rows. */
  over(relation: Relation): CompileContext
  /** The same context with variables bound, as $let and $map bind them. */
  bound(variables: ReadonlyMap<string, SqlExpression>): CompileContext
  /** The same with variables that are elements of lists, of which a row has many. */
  boundElements(variables: ReadonlyMap<string, SqlExpression>): CompileContext
  /** Expressions are computed once a row, not for each element of a list: only then can a row be told to be inexact. */
  readonly perRow: boolean
  /**
   * Makes the whole pipeline fail with a sentence where `fails` gives one for a row of this context's relation. Columns
   * of a step need no such call: their own `fails` counts for every row the step reads.
   */
  mayFail(fails: Fragment): void
  /**
   * The value, but where the condition holds for a row the stage is not exact in the engine after all: the statement
   * gives up where the value is read, and the pipeline runs again with this stage and those after it evaluated.
   */
  exactUnless(condition: Fragment, value: Fragment): Fragment
}

/** One step of the statement: what it selects from which rows. */
export interface StepQuery {
  readonly columns: readonly Column[]
  readonly from: Rows
  readonly order: Relation['order']
  /** What follows FROM and WHERE: GROUP BY, HAVING, ORDER BY, LIMIT. */
  readonly tail?: Fragment
  /** Its tail puts the rows in the order of the relation and ends them: a selection of the rows may do the same. */
  readonly limited?: true
  /** The rows are computed once and kept, always or when several parts of the statement read them. */
  readonly materialized?: 'always' | 'when shared'
}

export type { SqlExpression }

/** A context for conditions on elements of a list: its columns are the element's fields, or the element is JSON. */
export function contextOver(columns: readonly Column[], open?: Fragment): CompileContext {
  const noStep = () => {
    throw new TypeError('A condition on elements adds no step')
  }
  const relation: Relation = { from: { table: sql`` }, columns, order: [], ...(open === undefined ? {} : { open }) }
  return {
    relation,
    variables: new Map(),
    now: new Date(0),
    expression: () => undefined,
    step: noStep,
    over: noStep,
    bound: noStep,
    boundElements: noStep,
    perRow: false,
    mayFail: noStep,
    exactUnless: noStep,
  }
}

/** ORDER BY of a relation's keys, or nothing. */
export function orderBy(order: Relation['order']): Fragment {
  return order.length === 0 ? sql`` : sql` order by ${orderList(order)}`
}

/** Keys as ORDER BY lists them. */
export function orderList(order: Relation['order']): Fragment {
  return join(
    order.map(key => (key.descending ? sql`${key.sql} desc nulls last` : sql`${key.sql} asc nulls first`)),
    ', ',
  )
}
