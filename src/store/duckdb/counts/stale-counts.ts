import type { DuckDBConnection } from '@duckdb/node-api'
import { runsOf } from '../../counted-parts.js'
import { blockOfDay, blocksOf, blocksWithin } from '../../day-blocks.js'
import { countedDays, type ReadRows } from './listed-days.js'

/** Counts that say nothing any more: of days that are not on the list, and of names and values that no count has. */

const TABLES = ['agent_days', 'value_days', 'agent_value_days'] as const

/** What is known of a project's counts: blocks whose counts are there, and those that say all there is, once. */
interface Kept {
  readonly stale: readonly number[]
  readonly whole: readonly number[]
}

async function keptOf(read: ReadRows, projectId: string): Promise<Kept> {
  const days = await countedDays(read, projectId)
  const runs = runsOf(days)
  const counted = new Set([
    ...days.map(({ day }) => blockOfDay(day)),
    ...runs.flatMap(run => blocksWithin(run).map(({ block }) => block)),
  ])
  const there = await read('select distinct block from agent_days where project_id = $1', [projectId])
  return {
    stale: there.map(([block]) => Number(block)).filter(block => !counted.has(block)),
    whole: runs.flatMap(run => blocksOf(run).map(({ block }) => block)),
  }
}

/** That a row of counts, as `c`, is of one of some blocks, in SQL. */
export const isOfBlocks = (blocks: readonly number[]): string =>
  blocks.length === 0 ? 'false' : `c.block in (${blocks.join(', ')})`

/** The agents and values that no call has any more, as conditions on the tables that number them. */
const unheard = (whole: readonly number[]) => ({
  counted_agents: `not exists (select 1 from agent_days c where c.project_id = $1 and ${isOfBlocks(whole)}
    and c.agent_name = k.agent_name and c.agent_id is not distinct from k.agent_id)`,
  counted_values: `not exists (select 1 from value_days c where c.project_id = $1 and ${isOfBlocks(whole)}
    and c.counted_by = k.counted_by and c.key is not distinct from k.key
    and c.value is not distinct from k.value and c.number is not distinct from k.number)`,
})

/** Whether there is anything that dropStaleCounts would take away of a project: cheap, since mostly there is not. */
export async function hasStaleCounts(read: ReadRows, projectId: string): Promise<boolean> {
  const { stale, whole } = await keptOf(read, projectId)
  if (stale.length > 0) return true
  for (const [table, isUnheard] of Object.entries(unheard(whole))) {
    // oxlint-disable-next-line no-await-in-loop -- one table after the other
    const found = await read(`select 1 from ${table} k where project_id = $1 and ${isUnheard} limit 1`, [projectId])
    if (found.length > 0) return true
  }
  return false
}

/**
 * Takes the counts of days away that are not on the list, and names and values that no count has any more: they hold what
 * is known of calls that may be erased or masked.
 * @param projectId absent = of all projects
 */
export async function dropStaleCounts(connection: DuckDBConnection, projectId?: string): Promise<void> {
  const read: ReadRows = async (sql, values) => (await connection.runAndReadAll(sql, values)).getRowsJS()
  const projects =
    projectId === undefined
      ? (await read('select distinct project_id from counted_agents', [])).map(([id]) => String(id))
      : [projectId]
  // oxlint-disable no-await-in-loop -- one project after the other
  for (const project of projects) {
    const { stale, whole } = await keptOf(read, project)
    if (stale.length > 0) {
      for (const table of TABLES) {
        await connection.run(`delete from ${table} where project_id = $1 and block in (${stale.join(', ')})`, [project])
      }
    }
    for (const [table, isUnheard] of Object.entries(unheard(whole))) {
      await connection.run(`delete from ${table} k where project_id = $1 and ${isUnheard}`, [project])
    }
  }
  // oxlint-enable no-await-in-loop
}
