import type { Expression } from '../tree.js'
import type { Relation, Column } from './relation.js'
import { type Fragment, identifier, join, sql } from './sql.js'
import type { SqlExpression, SqlType } from './types.js'

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
}

/** One step of the statement: what it selects from which rows. */
export interface StepQuery {
  readonly columns: readonly Column[]
  readonly from: Fragment
  readonly order: Relation['order']
  /** What follows the FROM clause: WHERE, GROUP BY, ORDER BY, LIMIT. */
  readonly tail?: Fragment
}

export type { SqlExpression, SqlType }

/** A context for conditions on elements of a list, whose columns are the element's fields. */
export function contextOver(columns: readonly Column[]): CompileContext {
  const noStep = () => {
    throw new TypeError('A condition on elements adds no step')
  }
  const relation: Relation = { from: sql``, columns, order: [] }
  return { relation, variables: new Map(), now: new Date(0), expression: () => undefined, step: noStep, over: noStep }
}

/** Collects the common table expressions of a statement. */
export class Steps {
  readonly #queries: Fragment[] = []

  add(query: StepQuery): Relation {
    const name = identifier(`s${this.#queries.length}`)
    const outputs = query.columns.map((column, i) => sql`${column.sql} as ${identifier(`c${i}`)}`)
    const orders = query.order.map((key, i) => sql`${key.sql} as ${identifier(`o${i}`)}`)
    // A select list can't be empty: a document without fields is a row all the same.
    const selected = [...outputs, ...orders]
    const list = selected.length > 0 ? join(selected, ', ') : sql`1 as c`
    this.#queries.push(sql`${name} as (select ${list} from ${query.from}${query.tail ?? sql``})`)
    return {
      from: name,
      // Qualified, or ORDER BY and GROUP BY would take c0 for the next step's own output of that name.
      columns: query.columns.map((column, i) => ({ ...column, sql: sql`${name}.${identifier(`c${i}`)}` })),
      order: query.order.map((key, i) => ({ ...key, sql: sql`${name}.${identifier(`o${i}`)}` })),
    }
  }

  /** `with s0 as (…), s1 as (…)`, or nothing. */
  clause(): Fragment {
    return this.#queries.length === 0 ? sql`` : sql`with ${join(this.#queries, ', ')} `
  }
}

/** ORDER BY of a relation's keys, or nothing. */
export function orderBy(order: Relation['order']): Fragment {
  if (order.length === 0) return sql``
  return sql` order by ${join(
    order.map(key => (key.descending ? sql`${key.sql} desc nulls last` : sql`${key.sql} asc nulls first`)),
    ', ',
  )}`
}
