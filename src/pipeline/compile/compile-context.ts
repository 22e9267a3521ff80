import type { Expression } from '../tree.js'
import type { Relation, Column } from './relation.js'
import { type Fragment, identifier, join, sql } from './sql.js'
import type { SqlExpression } from './types.js'

/** What compiling a stage's expressions needs: the rows beneath, bound variables, the request's instant. */
export interface CompileContext {
  readonly relation: Relation
  readonly variables: ReadonlyMap<string, SqlExpression>
  readonly now: Date
  /** Compiles an expression; `undefined` where it would not be exact. */
  expression(expression: Expression): SqlExpression | undefined
  /** Adds a common table expression and gives back a relation over it with columns renamed apart from callers' names. */
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
   * Where the condition holds for a row, the stage is not exact in the engine after all: the statement gives up, and the
   * pipeline runs again with this stage and those after it evaluated.
   */
  inexactWhen(condition: Fragment): void
}

/** One step of the statement: what it selects from which rows. */
export interface StepQuery {
  readonly columns: readonly Column[]
  readonly from: Fragment
  readonly order: Relation['order']
  /** What follows the FROM clause: WHERE, GROUP BY, ORDER BY, LIMIT. */
  readonly tail?: Fragment
  /** The rows are computed once, however often they are read. */
  readonly materialized?: true
}

export type { SqlExpression }

/** A context for conditions on elements of a list: its columns are the element's fields, or the element is JSON. */
export function contextOver(columns: readonly Column[], open?: Fragment): CompileContext {
  const noStep = () => {
    throw new TypeError('A condition on elements adds no step')
  }
  const relation: Relation = { from: sql``, columns, order: [], ...(open === undefined ? {} : { open }) }
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
    inexactWhen: noStep,
  }
}

/** Collects the common table expressions of a statement. */
export class Steps {
  readonly #queries: Fragment[] = []
  readonly #checks: Fragment[] = []

  add(query: StepQuery): Relation {
    const name = identifier(`s${this.#queries.length}`)
    const outputs = query.columns.flatMap((column, i) => [
      sql`${column.sql} as ${identifier(`c${i}`)}`,
      ...(column.isInt === undefined ? [] : [sql`${column.isInt} as ${identifier(`i${i}`)}`]),
      ...(column.isNull === undefined ? [] : [sql`${column.isNull} as ${identifier(`n${i}`)}`]),
    ])
    this.check(
      query.columns.flatMap(column => column.fails ?? []),
      query.from,
    )
    const orders = query.order.map((key, i) => sql`${key.sql} as ${identifier(`o${i}`)}`)
    // A select list can't be empty: a document without fields is a row all the same.
    const selected = [...outputs, ...orders]
    const list = selected.length > 0 ? join(selected, ', ') : sql`1 as c`
    const as = query.materialized === true ? sql`as materialized` : sql`as`
    this.#queries.push(sql`${name} ${as} (select ${list} from ${query.from}${query.tail ?? sql``})`)
    return {
      from: name,
      // Qualified, or ORDER BY and GROUP BY would take c0 for the next step's own output of that name.
      columns: query.columns.map(({ name: field, type, isInt, isNull }, i) => ({
        name: field,
        type,
        sql: sql`${name}.${identifier(`c${i}`)}`,
        ...(isInt === undefined ? {} : { isInt: sql`${name}.${identifier(`i${i}`)}` }),
        ...(isNull === undefined ? {} : { isNull: sql`${name}.${identifier(`n${i}`)}` }),
      })),
      order: query.order.map((key, i) => ({ ...key, sql: sql`${name}.${identifier(`o${i}`)}` })),
    }
  }

  /** Adds a check: the statement fails with the sentence that one of `fails` gives for a row. */
  check(fails: readonly Fragment[], from: Fragment): void {
    if (fails.length === 0) return
    const sentence = fails.length === 1 ? fails[0]! : sql`coalesce(${join(fails, ', ')})`
    this.#checks.push(sql`(select min(m) from (select ${sentence} as m from ${from}) where m is not null)`)
  }

  /** The sentence of a failed check or NULL, as a scalar; `undefined` when nothing can fail. */
  failure(): Fragment | undefined {
    return this.#checks.length === 0 ? undefined : sql`coalesce(${join(this.#checks, ', ')}, null)`
  }

  /** Length of the statement's text so far. */
  get size(): number {
    return [...this.#queries, ...this.#checks].reduce((size, one) => size + one.size, 0)
  }

  /** Where the statement stands, to go back to when a stage turns out not to be exact. */
  mark(): readonly [number, number] {
    return [this.#queries.length, this.#checks.length]
  }

  /** Drops what was added since the mark. */
  reset([queries, checks]: readonly [number, number]): void {
    this.#queries.length = queries
    this.#checks.length = checks
  }

  /** `with s0 as (…), s1 as (…)`, or nothing. */
  clause(): Fragment {
    return this.#queries.length === 0 ? sql`` : sql`with ${join(this.#queries, ', ')} `
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
