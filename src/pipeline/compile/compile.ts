import { echo } from '../../base/text.js'
import type { FieldType } from '../../calls/field-type.js'
import { pinnedSession } from '../pinned-session.js'
import type { ScopedPipeline, TimeSpan } from '../pipeline.js'
import { fieldsRead } from '../fields-read.js'
import type { Scope } from '../scope.js'
import { asText } from './as-text.js'
import { ALL_BULK, MOST_ROW_BULK, sumBulk } from './bulk.js'
import type { CompileContext, Expression, Stage } from '../tree.js'
import { orderBy } from './order-by.js'
import { compileExpression } from './compile-expression.js'
import { compileStage } from './compile-stage.js'
import type { CompiledQuery } from './compiled-query.js'
import type { Source, SourceColumn } from './source.js'
import { type RowShape, decoder, rowShape } from './decode.js'
import { Inexact } from './inexact.js'
import { openFieldSql } from './open-field-sql.js'
import type { Column, Relation } from './relation.js'
import { fromSql } from './rows.js'
import { type Fragment, MOST_TEXT, bind, concat, identifier, join, render, sql, trusted } from './sql.js'
import { Steps } from './steps.js'
import { type Parts, type SqlExpression, storedType } from './types.js'
import { MOST_ROW_WORK } from './work.js'

export interface Compiled {
  readonly query: CompiledQuery
  /** Stages the statement covers; the pipeline's stages from there on are evaluated over what it returns. */
  readonly engineStages: number
  /** The operator that kept the stage behind them out of the engine, where one did. */
  readonly keptOut: string | undefined
  /** How its rows become documents, for a thread that is not this one. */
  readonly rows: RowShape
  /** Whether it gives the same rows as long as no call changes: nothing is drawn at random. */
  readonly repeatable: boolean
  /**
   * Of a pipeline about one session: the statement that says in which places it may be (see `Lookup.places`). Compiled for these the
   * pipeline takes half the processor time, as the engine then knows which blocks to leave out before it begins.
   */
  readonly place: Pick<CompiledQuery, 'sql' | 'params'> | undefined
}

/**
 * The restriction to the caller's calls: plain comparisons on stored columns, the innermost scan.
 *
 * Of several agents it is a list that contains the name. The engine makes of IN a filter behind the scan, which then
 * reads whatever else is asked for of strangers' rows that meet the caller's own comparisons: a caller could tell by the
 * time whether there are such calls, and of which agents (measured: three times as long). This it checks within the scan.
 */
function restriction(scope: Scope, source: Source): Fragment {
  const project = sql`${trusted(source.projectColumn)} = ${bind(scope.projectId, 'VARCHAR')}`
  if (scope.agents === 'all') return project
  const [first, ...others] = scope.agents
  if (first === undefined) return sql`${project} and false`
  const agent = trusted(source.agentColumn)
  if (others.length === 0) return sql`${project} and ${agent} = ${bind(first, 'VARCHAR')}`
  return sql`${project} and list_contains(${bind(scope.agents, 'VARCHAR[]')}, ${agent})`
}

/** The restriction to calls of a time, plain comparisons too, with what stands behind it. */
function within({ from, before }: TimeSpan, { startColumn }: Source): Fragment {
  const start = trusted(startColumn)
  const after = from === undefined ? sql`` : sql`${start} >= ${bind(from, 'TIMESTAMP')} and `
  return before === undefined ? after : sql`${after}${start} < ${bind(before, 'TIMESTAMP')} and `
}

/**
 * The condition that a row of a source is one that its asker may hear, in the times that are asked for. The times stand first: the engine
 * compares the extremes of a block of rows in the order in which a statement names the columns, and few blocks are of the times that are
 * asked for, where most are of the project (measured: passing over 4,900 blocks took 4.4 ms, and takes 3.0).
 */
const restricted = ({ scope, span = {} }: ScopedPipeline, source: Source) =>
  sql`${within(span, source)}${restriction(scope, source)}`

/**
 * A $match on one session at the start is a lookup. First only the source's key is looked at, in the rows of the scope, and the record
 * read where that was found.
 */
function lookup(scoped: ScopedPipeline, source: Source) {
  const session = pinnedSession(scoped.pipeline.stages[0])
  if (session === undefined || source.lookup === undefined || typeof source.table !== 'string') return undefined
  const id = sql`${bind(session, 'VARCHAR')}`
  const key = source.lookup.key(id)
  const place = trusted(source.lookup.place)
  const where = sql`${restricted(scoped, source)} and ${key}`
  const from = sql`from ${trusted(source.table)} where ${where}`
  const asked = source.lookup.places?.(id, where, scoped.scope) ?? sql`select ${place}, true ${from}`
  return { key, place, asked, places: sql`select ${place} ${from}` }
}

function placeOf(scoped: ScopedPipeline, source: Source): Compiled['place'] {
  const found = lookup(scoped, source)
  if (found === undefined) return undefined
  const { text, params } = render(found.asked)
  return { sql: text, params }
}

/** The fields of a stored document, each read by itself: the engine then scans no others. */
function storedParts(struct: Fragment, fields: ReadonlyMap<string, FieldType>): Parts {
  return new Map(
    [...fields].map(([name, type]): [string, SqlExpression] => {
      const value = sql`(${struct}).${identifier(name)}`
      const parts = type.kind === 'struct' ? { parts: storedParts(value, type.fields) } : {}
      return [name, { sql: value, type: storedType(type, 'missing'), ...parts }]
    }),
  )
}

/** What reads a stored column: one fragment for each, so that a step sees where two read the same. */
const stored = new Map<string, Fragment>()

function storedSql(text: string): Fragment {
  const found = stored.get(text) ?? trusted(text)
  stored.set(text, found)
  return found
}

/** The columns of a source that were asked for before: they are the same for every pipeline. */
const known = new WeakMap<readonly SourceColumn[], readonly Column[]>()

function columnsOf(source: readonly SourceColumn[]): readonly Column[] {
  const found =
    known.get(source) ??
    source.map(({ name, sql: text, type, required, isObject }) => ({
      name,
      sql: storedSql(text),
      type: {
        ...storedType(type, required ? 'never' : 'missing'),
        ...(isObject === true ? { object: true as const } : {}),
      },
      ...(type.kind === 'struct' ? { parts: storedParts(storedSql(text), type.fields) } : {}),
      ...(type.kind === 'open' ? { field: (inside: string) => openFieldSql(storedSql(text), inside) } : {}),
    }))
  known.set(source, found)
  return found
}

/** The columns that whoever sees no text sees of some. */
const textFree = new WeakMap<readonly SourceColumn[], readonly SourceColumn[]>()

/** The columns that exist in a scope: what is not among them is missing, like any name that no call has. */
function visible(source: readonly SourceColumn[], { text }: Scope): readonly SourceColumn[] {
  if (text === 'full') return source
  const found =
    textFree.get(source) ??
    source.flatMap(column => {
      const { withoutText: left } = column
      if (left === 'missing') return []
      return left === 'same' ? [column] : [{ ...column, ...left }]
    })
  textFree.set(source, found)
  return found
}

/** The columns that a pipeline may name, in lists that are the same from one to the next. */
const nameable = ({ pipeline, scope }: ScopedPipeline, source: Source): readonly (readonly SourceColumn[])[] => [
  visible(source.columns, scope),
  ...(pipeline.derivedFields ? [visible(source.derived, scope)] : []),
]

/**
 * The rows of a source that a $match on texts at the start leaves, and that stage without them; where the source has a way to them. No
 * way leads to what the pipeline may not name: to it that is missing, like any name that no call has.
 */
function foundRows(scoped: ScopedPipeline, source: Source) {
  const { pipeline, scope } = scoped
  const finds = pipeline.stages[0]?.finds
  if (finds === undefined || source.finding === undefined) return undefined
  const names = new Set(nameable(scoped, source).flatMap(columns => columns.map(({ name }) => name)))
  if (!finds.patterns.every(({ field }) => names.has(field))) return undefined
  const table = source.finding(finds, restricted(scoped, source), scope)
  return table && { table, stages: [finds.rest, ...pipeline.stages.slice(1)] }
}

/** At least one; `undefined` where they are not known beforehand. */
type Places = readonly bigint[] | undefined

function tableOf(
  scoped: ScopedPipeline,
  source: Source,
  found: ReturnType<typeof lookup>,
  at: Places,
): Relation['from'] {
  const { table } = source
  const where = restricted(scoped, source)
  if (typeof table !== 'string') return { table: table(where), where: sql`true` }
  if (found === undefined) return { table: trusted(table), where }
  const places =
    at === undefined
      ? found.places
      : join(
          at.map(one => sql`${bind(one, 'BIGINT')}`),
          ', ',
        )
  return { table: trusted(table), where: sql`${found.place} in (${places}) and ${where} and ${found.key}` }
}

function scan(scoped: ScopedPipeline, source: Source, steps: Steps, at: Places, rows: Fragment | undefined): Relation {
  const found = lookup(scoped, source)
  return steps.add({
    columns: nameable(scoped, source).flatMap(columnsOf),
    // The innermost step of every statement, whatever comes after it.
    from: rows === undefined ? tableOf(scoped, source, found, at) : { table: rows, where: sql`true` },
    // Of a session that is looked up there is one row at most. To put that in order the engine would look for it twice.
    order:
      found === undefined
        ? source.order.map((text, i) => ({
            sql: storedSql(text),
            descending: false,
            ...(i === source.order.length - 1 ? { identifies: true as const } : {}),
          }))
        : [],
  })
}

/** What a caller calls an expression: an operator, or a field of the document as a pipeline names it. */
function formOf(expression: Expression): string | undefined {
  if (expression.kind === 'call') return expression.operator
  if (expression.kind !== 'field' || expression.variable !== undefined || expression.path.length === 0) return undefined
  return echo(`$${expression.path.join('.')}`)
}

function contextOver(
  relation: Relation,
  steps: Steps,
  now: Date,
  stage: number,
  keptOut: (form: string) => void,
  variables: ReadonlyMap<string, SqlExpression> = new Map(),
  perRow = true,
): CompileContext {
  const context: CompileContext = {
    relation,
    variables,
    now,
    expression: expression => {
      const compiled = compileExpression(expression, context)
      const form = compiled === undefined ? formOf(expression) : undefined
      if (form !== undefined) keptOut(form)
      return compiled
    },
    step: query => steps.add(query),
    over: other => contextOver(other, steps, now, stage, keptOut, variables, perRow),
    bound: more => contextOver(relation, steps, now, stage, keptOut, new Map([...variables, ...more]), perRow),
    boundElements: more => contextOver(relation, steps, now, stage, keptOut, new Map([...variables, ...more]), false),
    perRow,
    keptOut,
    mayFail: fails => steps.check([fails], relation.from),
    exactUnless: (condition, value) => {
      // A text that is no truth: the engine fails, and says which text it was. Its own error() is no function of its
      // argument alone, and what such a function stands in is computed for all rows before the first are chosen.
      const mark = sql`${bind(Inexact.mark(stage), 'VARCHAR')}::boolean`
      return sql`(case when case when ${condition} then ${mark} else true end then ${value} end)`
    },
  }
  return context
}

/** The final SELECT: the documents' columns; before them, where something can fail, the sentence of a failure. */
function selection({ columns, from, order }: Relation, failure: Fragment | undefined, tail = orderBy(order)): Fragment {
  const outputs = columns.flatMap(({ sql: value, isInt, isNull }) =>
    [value, isInt, isNull].filter(one => one !== undefined),
  )
  const list = outputs.length === 0 ? sql`1` : join(outputs, ', ')
  if (failure === undefined) return sql`select ${list}${fromSql(from)}${tail}`
  // The failure must show although no document is left: the join keeps one row, marked by `there` being NULL. Order
  // keys stand behind the documents' columns, where the decoder does not look.
  const keys = order.map((key, i) => ({ ...key, sql: sql`r.${identifier(`o${i}`)}` }))
  const sorted = order.map((key, i) => sql`, ${key.sql} as ${identifier(`o${i}`)}`)
  const rows = sql`select true as there, ${list}${concat(sorted)}${fromSql(from)}`
  return sql`select f.m, r.* from (select ${failure} as m) f left join (${rows}) r on f.m is null${orderBy(keys)}`
}

/** Whether a row of the relation is no more than the engine should make at once: see Bulk. */
const isHandy = ({ columns }: Relation) => sumBulk(columns.flatMap(({ bulk }) => bulk ?? [])).size <= MOST_ROW_BULK

/** Whether what stages give depends on the order of the documents that reach them. */
function readsOrder(stages: readonly Stage[]): boolean {
  for (const { order } of stages) {
    if (order === 'free') return false
    if (order !== 'kept') return true
  }
  return true
}

/** The one function of the engine that draws; where a column is named like it, the statement only counts as drawing too. */
const RANDOM = 'random()'

/**
 * Compiles the longest prefix of a narrowed pipeline whose meaning in the engine is exact to one statement.
 * Every value is a parameter; text comes only from our own source.
 * @param most stages that may run in the engine: those an Inexact of an earlier run named
 * @param at the places of the session that it looks up, where they were found before
 */
export function compile(scoped: ScopedPipeline, source: Source, most = Infinity, at?: Places): Compiled {
  const steps = new Steps()
  const found = foundRows(scoped, source)
  let relation = scan(scoped, source, steps, at, found?.table)
  let engineStages = 0
  /** Stages before the one that set a field where a document may have lacked it. */
  let beforeLate: number | undefined
  let keptOut: string | undefined
  for (const stage of found?.stages ?? scoped.pipeline.stages) {
    if (engineStages >= most) break
    const mark = steps.mark()
    // The innermost is the first to be found so.
    const keep = (form: string) => (keptOut ??= form)
    const next = compileStage(stage, relation, contextOver(relation, steps, scoped.pipeline.now, engineStages, keep))
    const size = steps.size + (next?.from.where?.size ?? 0)
    if (next === undefined || size > MOST_TEXT || !isHandy(next) || steps.workSince(mark) > MOST_ROW_WORK) {
      steps.reset(mark)
      break
    }
    relation = next
    keptOut = undefined
    if (relation.columns.some(({ late }) => late)) beforeLate ??= engineStages
    else beforeLate = undefined
    engineStages += 1
  }
  const failure = steps.failure()
  const rest = scoped.pipeline.stages.slice(engineStages)
  const read = fieldsRead(rest)
  if (read !== 'all')
    relation = { ...relation, columns: relation.columns.filter(({ name, root }) => root === true || read.has(name)) }
  if (!readsOrder(rest)) relation = { ...relation, order: [] }
  // What leaves for another thread is decoded there.
  if (rest.length > 0) {
    // Whoever reads whole documents reads the order of their fields.
    if (read === 'all' && beforeLate !== undefined) return compile(scoped, source, beforeLate, at)
    // What all rows refer to would leave as often as there are rows.
    if (relation.columns.some(({ bulk }) => bulk === ALL_BULK)) return compile(scoped, source, engineStages - 1, at)
    relation = { ...relation, columns: relation.columns.map(asText) }
  }
  const limit = failure === undefined ? steps.limit(relation) : undefined
  const selected = limit === undefined ? selection(relation, failure) : selection(limit.rows, undefined, limit.tail)
  const statement = render(steps.statement(selected))
  const rows = rowShape(relation.columns, failure !== undefined)
  const repeatable = !statement.text.includes(RANDOM)
  const query: CompiledQuery = {
    sql: statement.text,
    params: statement.params,
    ...(limit === undefined ? { unlimited: true } : {}),
    decode: decoder(rows),
  }
  return {
    query,
    engineStages,
    keptOut: rest.length === 0 ? undefined : keptOut,
    rows,
    repeatable,
    place: at === undefined ? placeOf(scoped, source) : undefined,
  }
}
