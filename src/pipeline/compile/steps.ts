import type { StepQuery, Column, Relation } from './relation.js'
import { type Rows, filtered, fromSql } from './rows.js'
import { type Fragment, collectNames, identifier, isReference, join, reference, sql } from './sql.js'
import type { Parts, SqlExpression } from './types.js'

/** Something a step selects. */
interface Output {
  readonly name: string
  readonly sql: Fragment
  /** It is selected although nothing reads it. */
  readonly kept: boolean
}

interface Step {
  readonly name: string
  readonly outputs: readonly Output[]
  readonly query: StepQuery
  /** The order of its rows, by its outputs. */
  readonly order: Relation['order']
  /** Length of its text with all outputs. */
  readonly size: number
  /** Parts of values that its columns look at in a row. */
  readonly work: number
}

/** Collects the common table expressions of a statement. Of each only what is read later is selected in the end. */
export class Steps {
  readonly #steps: Step[] = []
  readonly #checks: Fragment[] = []

  add(query: StepQuery): Relation {
    this.check(
      query.columns.flatMap(column => column.fails ?? []),
      query.from,
    )
    const there = asThere(query)
    if (there !== undefined) return there
    const name = `s${this.#steps.length}`
    const outputs: Output[] = []
    const known = new Map<Fragment, Fragment>()
    const put = (output: string, value: Fragment, kept = false): Fragment => {
      const same = known.get(value)
      if (same !== undefined && !kept) return same
      outputs.push({ name: output, sql: value, kept })
      // Qualified, or ORDER BY and GROUP BY would take c0 for the next step's own output of that name.
      const named = reference(name, output)
      known.set(value, named)
      return named
    }
    const columns = query.columns.map((column, i): Column => {
      const { name: field, type, isInt, isNull, parts, elements, makesRows, field: inside, bulk, late, root } = column
      // What makes rows is kept, but one of its parts does that as well as the whole.
      const kept = makesRows === true && parts !== undefined ? [...parts.values()][0] : undefined
      return {
        name: field,
        type,
        sql: put(`c${i}`, column.sql, makesRows === true && kept === undefined),
        ...(isInt === undefined ? {} : { isInt: put(`i${i}`, isInt) }),
        ...(isNull === undefined ? {} : { isNull: put(`n${i}`, isNull) }),
        ...(parts === undefined ? {} : { parts: putParts(parts, `c${i}`, put, kept) }),
        ...(elements === undefined ? {} : { elements: putParts(elements, `e${i}`, put) }),
        ...(inside === undefined ? {} : { field: carried(inside, `c${i}`, put) }),
        ...(bulk === undefined ? {} : { bulk }),
        ...(late === undefined ? {} : { late }),
        ...(root === undefined ? {} : { root }),
      }
    })
    const order = query.order.map((key, i) => ({ ...key, sql: put(`o${i}`, key.sql) }))
    const around = (query.tail?.size ?? 0) + (query.from.where?.size ?? 0)
    const size = outputs.reduce((sum, output) => sum + output.sql.size, around)
    const work = query.columns.reduce((sum, column) => sum + (column.work ?? 0), 0)
    this.#steps.push({ name, outputs, query, order, size, work })
    return { from: { table: reference(name) }, columns, order }
  }

  /**
   * The rows of a limit, before it, with the tail that makes it: what a selection has in place of a step and its order.
   * `undefined` where the relation is more than a limit, or is read field by field.
   */
  limit({ from, columns, order }: Relation): { readonly rows: Relation; readonly tail: Fragment } | undefined {
    const step = this.#steps.at(-1)
    if (step?.query.limited !== true || from.where !== undefined || from.table.names !== step.name) return undefined
    const outputs = new Map(step.outputs.map(output => [`${step.name}.${output.name}`, output.sql]))
    const before = (value: Fragment | undefined) => (value?.names === undefined ? undefined : outputs.get(value.names))
    const inside: Column[] = []
    for (const { name, type, sql: value, isInt, isNull, bulk, root } of columns) {
      const given = [before(value), before(isInt), before(isNull)] as const
      if (given[0] === undefined || !(isInt === undefined || given[1]) || !(isNull === undefined || given[2]))
        return undefined
      inside.push({
        name,
        type,
        sql: given[0],
        ...(given[1] && { isInt: given[1] }),
        ...(given[2] && { isNull: given[2] }),
        ...(bulk && { bulk }),
        ...(root && { root }),
      })
    }
    // A sort behind the limit has another.
    if (order !== step.order) return undefined
    return { rows: { from: step.query.from, columns: inside, order: [] }, tail: step.query.tail! }
  }

  /** Adds a check: the statement fails with the sentence that one of `fails` gives for a row. */
  check(fails: readonly Fragment[], from: Rows): void {
    if (fails.length === 0) return
    const sentence = fails.length === 1 ? fails[0]! : sql`coalesce(${join(fails, ', ')})`
    // A condition by itself is one that the engine can pass over blocks of rows by.
    const { guarded: only } = sentence
    this.#checks.push(
      only === undefined
        ? sql`(select min(m) from (select ${sentence} as m${fromSql(from)}) where m is not null)`
        : sql`(select min(${only.value})${fromSql(filtered(from, only.when))})`,
    )
  }

  /** The sentence of a failed check or NULL, as a scalar; `undefined` when nothing can fail. */
  failure(): Fragment | undefined {
    return this.#checks.length === 0 ? undefined : sql`coalesce(${join(this.#checks, ', ')}, null)`
  }

  /** Length of the statement's text so far. */
  get size(): number {
    const checks = this.#checks.reduce((size, check) => size + check.size, 0)
    return this.#steps.reduce((size, step) => size + step.size, checks)
  }

  /** The parts of values that the steps since the mark look at in a row, the one with the most. */
  workSince([steps]: readonly [number, number]): number {
    return Math.max(0, ...this.#steps.slice(steps).map(({ work }) => work))
  }

  /** Where the statement stands, to go back to when a stage turns out not to be exact. */
  mark(): readonly [number, number] {
    return [this.#steps.length, this.#checks.length]
  }

  /** Drops what was added since the mark. */
  reset([steps, checks]: readonly [number, number]): void {
    this.#steps.length = steps
    this.#checks.length = checks
  }

  /** `with s0 as (…), s1 as (…) select …`: the statement that ends in a selection. */
  statement(selection: Fragment): Fragment {
    const named = new Set<string>()
    const readers = new Map<string, number>()
    const read = (parts: readonly Fragment[]) => {
      const here = new Set<string>()
      const seen = new Set<Fragment>()
      for (const part of parts) collectNames(part, here, seen)
      for (const name of here) {
        named.add(name)
        readers.set(name, (readers.get(name) ?? 0) + 1)
      }
    }
    // Each check stands in the selection, but reads its rows by itself.
    const checks = new Set<Fragment>(this.#checks)
    for (const check of checks) read([check])
    read([selection])
    const queries: Fragment[] = []
    for (const step of this.#steps.toReversed()) {
      const { name, query } = step
      if (!named.has(name)) continue
      const outputs = step.outputs.filter(output => output.kept || named.has(`${name}.${output.name}`))
      read([
        ...outputs.map(output => output.sql),
        fromSql(query.from),
        ...(query.tail === undefined ? [] : [query.tail]),
      ])
      queries.push(stepSql(step, outputs, readers.get(name) ?? 0))
    }
    return queries.length === 0 ? selection : sql`with ${join(queries.toReversed(), ', ')} ${selection}`
  }
}

/** Longest order key that is computed again wherever it is read. */
const SHORT_KEY_CHARACTERS = 60

/** A step that computes nothing, such as a filter or a sort by fields: the same rows need no step. */
function asThere({ columns, from, order, tail, materialized }: StepQuery): Relation | undefined {
  if (tail !== undefined || materialized !== undefined || !columns.every(isThere)) return undefined
  if (order.some(key => key.sql.size > SHORT_KEY_CHARACTERS)) return undefined
  return { columns, from, order }
}

const isNamed = (value: Fragment | undefined): boolean => value === undefined || isReference(value)

/** Whether a column is an output of a step as it stands; its parts are then too. */
const isThere = ({ sql: value, isInt, isNull, fails }: Column): boolean =>
  fails === undefined && isReference(value) && isNamed(isInt) && isNamed(isNull)

type Put = (output: string, value: Fragment, kept?: boolean) => Fragment

/** Fields of an open column that a step carries on: each is selected from when it is first read. */
function carried(field: NonNullable<Column['field']>, prefix: string, put: Put): NonNullable<Column['field']> {
  const known = new Map<string, Fragment | undefined>()
  return name => {
    if (!known.has(name)) {
      const value = field(name)
      known.set(name, value && put(`${prefix}_f${known.size}`, value))
    }
    return known.get(name)
  }
}

function putParts(parts: Parts, prefix: string, put: Put, kept?: SqlExpression): Parts {
  return new Map(
    [...parts].map(([name, part], i): [string, SqlExpression] => {
      const output = `${prefix}_${i}`
      return [
        name,
        {
          sql: put(output, part.sql, part === kept),
          type: part.type,
          ...(part.parts === undefined ? {} : { parts: putParts(part.parts, output, put) }),
          ...(part.bulk === undefined ? {} : { bulk: part.bulk }),
        },
      ]
    }),
  )
}

function stepSql({ name, query }: Step, outputs: readonly Output[], readers: number): Fragment {
  // A select list can't be empty: a document without fields is a row all the same.
  const list =
    outputs.length === 0
      ? sql`1 as c`
      : join(
          outputs.map(output => sql`${output.sql} as ${identifier(output.name)}`),
          ', ',
        )
  const isKept = query.materialized === 'always' || (query.materialized === 'when shared' && readers > 1)
  const as = isKept ? sql`as materialized` : sql`as`
  return sql`${identifier(name)} ${as} (select ${list}${fromSql(query.from)}${query.tail ?? sql``})`
}
