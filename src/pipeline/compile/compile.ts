import type { ScopedPipeline } from '../pipeline.js'
import type { Scope } from '../scope.js'
import { type CompileContext, Steps, orderBy } from './compile-context.js'
import { compileExpression } from './compile-expression.js'
import type { CompiledQuery, Source } from './compiled-query.js'
import { decoder } from './decode.js'
import type { Relation } from './relation.js'
import { type Fragment, bind, join, render, sql, trusted } from './sql.js'
import { type SqlExpression, storedType } from './types.js'

export interface Compiled {
  readonly query: CompiledQuery
  /** Stages the statement covers; the pipeline's stages from there on are evaluated over what it returns. */
  readonly engineStages: number
}

/** The restriction to the caller's calls: plain comparisons on stored columns, the innermost scan. */
function restriction(scope: Scope, source: Source): Fragment {
  const project = sql`${trusted(source.projectColumn)} = ${bind(scope.projectId, 'VARCHAR')}`
  if (scope.agents === 'all') return project
  if (scope.agents.length === 0) return sql`${project} and false`
  const agents = join(
    scope.agents.map(agent => sql`${bind(agent, 'VARCHAR')}`),
    ', ',
  )
  return sql`${project} and ${trusted(source.agentColumn)} in (${agents})`
}

/** A $match on one session at the start is a lookup: the store knows a faster condition to add. */
function lookup({ pipeline }: ScopedPipeline, source: Source): Fragment {
  const pin = pipeline.stages[0]?.pins?.find(({ field }) => field === '_id' || field === 'session_id')
  return pin === undefined ? sql`` : sql` and ${source.lookup(sql`${bind(pin.value, 'VARCHAR')}`)}`
}

function scan(scoped: ScopedPipeline, source: Source, steps: Steps): Relation {
  const columns = [...source.columns, ...(scoped.pipeline.derivedFields ? source.derived : [])]
  return steps.add({
    columns: columns.map(({ name, sql: text, type, required }) => ({
      name,
      sql: trusted(text),
      type: storedType(type, required ? 'never' : 'missing'),
    })),
    from: trusted(source.table),
    order: [],
    tail: sql` where ${restriction(scoped.scope, source)}${lookup(scoped, source)}`,
  })
}

function contextOver(relation: Relation, steps: Steps, now: Date): CompileContext {
  const context: CompileContext = {
    relation,
    variables: new Map<string, SqlExpression>(),
    now,
    expression: expression => compileExpression(expression, context),
    step: query => steps.add(query),
    over: other => contextOver(other, steps, now),
  }
  return context
}

/**
 * Compiles the longest prefix of a narrowed pipeline whose meaning in the engine is exact to one statement.
 * Every value is a parameter; text comes only from our own source.
 */
export function compile(scoped: ScopedPipeline, source: Source): Compiled {
  const steps = new Steps()
  let relation = scan(scoped, source, steps)
  let engineStages = 0
  for (const stage of scoped.pipeline.stages) {
    const next = stage.compile(relation, contextOver(relation, steps, scoped.pipeline.now))
    if (next === undefined) break
    relation = next
    engineStages += 1
  }
  const { columns } = relation
  const list =
    columns.length === 0
      ? sql`1`
      : join(
          columns.map(column => column.sql),
          ', ',
        )
  const statement = render(sql`${steps.clause()}select ${list} from ${relation.from}${orderBy(relation.order)}`)
  return { query: { sql: statement.text, params: statement.params, decode: decoder(columns) }, engineStages }
}
