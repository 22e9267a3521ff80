import type { DuckDBConnection } from '@duckdb/node-api'
import { timestamp } from '../reading/activity-where.js'
import {
  addedColumns,
  madeColumns,
  readColumns,
  scoreAdded,
  scoreColumns,
  TRUST,
  type ValueColumns,
  valueColumns,
} from './call-counts.js'
import type { CountedDay } from '../../counted-parts.js'
import { blockOfDay, blocksAround, countedWhole, type SummedBlock } from '../../day-blocks.js'
import { countedDays, type ReadRows } from './listed-days.js'
import { asUtc, type DaysToCount, startOf } from './plan-days.js'

/** The tables of counts. */
export const TABLES = ['agent_days', 'value_days', 'agent_value_days'] as const

/** What is made of counts before it takes their place, in a temporary table. */
const made = (table: string) => `made_${table}`
/** What a temporary table holds besides: agents and values that have no number yet. */
const NUMBERED = ['counted_agents', 'counted_values'] as const

/** Days that are counted, as they are listed, and the blocks that they are in. */
interface Counted {
  readonly days: readonly (CountedDay & { readonly block: number })[]
  readonly around: readonly SummedBlock[]
}

function countedOf({ first, last, upTo }: DaysToCount, timeZone: string): Counted {
  const all = Array.from({ length: first.until(last, { largestUnit: 'days' }).days + 1 }, (_, i) =>
    first.add({ days: i }),
  )
  const days = all
    .map(date => {
      const day = asUtc(date)
      const [from, until] = [startOf(date, timeZone), startOf(date.add({ days: 1 }), timeZone)]
      return { day, block: blockOfDay(day), from, until, ...(upTo !== undefined && { countedTo: upTo }) }
    })
    // A zone may leave a day out.
    .filter(({ from, until }) => from < until)
  return { days, around: blocksAround({ first: asUtc(first), last: asUtc(last) }) }
}

/**
 * Notes that calls of some days are being counted, in the transaction of the connection. Whoever changes one of them takes the note away
 * (see markDays), and with it what is made of them.
 */
export async function beginCounting(
  connection: DuckDBConnection,
  projectId: string,
  { from, until, upTo }: DaysToCount,
): Promise<void> {
  // One at a time: what is there was left by a process that ended.
  await connection.run('delete from times_being_counted where project_id = $1', [projectId])
  await connection.run('insert into times_being_counted values ($1, $2, $3, $4)', [
    projectId,
    timestamp(from),
    timestamp(until),
    upTo ?? null,
  ])
}

/** Counts days into temporary tables of the connection, with the blocks that they make whole. $1 is the project everywhere. */
export async function makeCounts(
  connection: DuckDBConnection,
  projectId: string,
  timeZone: string,
  asked: DaysToCount,
): Promise<void> {
  const { from, until, after, upTo } = asked
  const { days, around } = countedOf(asked, timeZone)
  // oxlint-disable no-await-in-loop -- one table after the other
  for (const table of [...TABLES, ...NUMBERED])
    await connection.run(`create or replace temp table ${made(table)} as from ${table} limit 0`)
  // oxlint-enable no-await-in-loop
  const rows = days.map(
    one =>
      `(make_timestamp_ms(${one.day}), ${one.block}, make_timestamp_ms(${one.from}), make_timestamp_ms(${one.until}))`,
  )
  await connection.run(
    `create or replace temp table counting_days as select * from (values ${rows.join(', ')}) as d (day, block, from_at, until_at)`,
  )
  const calls = [projectId, timestamp(from), timestamp(until), after ?? -1n, upTo ?? LATEST]
  await connection.run(NUMBER_AGENTS, calls)
  await connection.run(COUNTING, calls)
  // Of a day of which earlier writes are counted.
  const begun = after === undefined ? undefined : days[0]?.block
  await connection.run(countAgents(begun), [projectId])
  await connection.run(NUMBER_VALUES, [projectId])
  await connection.run(countAgentValues(begun), [projectId])
  await connection.run('drop table counting')
  await connection.run(COUNT_VALUES, [projectId])
  const read: ReadRows = async (sql, values) => (await connection.runAndReadAll(sql, values)).getRowsJS()
  const own = new Set(days.map(({ day }) => day))
  const others = (await countedDays(read, projectId, timeZone)).filter(({ day }) => !own.has(day))
  const isWhole = countedWhole([...others, ...days].toSorted((a, b) => a.from - b.from))
  const anew = [...days, ...around].map(({ block }) => block)
  await sumBlocks(connection, projectId, around.filter(isWhole), table => ({
    from: `(select * from ${made(table)} union all by name select * from ${table} where block not in (${anew.join(', ')}))`,
    into: made(table),
  }))
}

/**
 * Puts what was made in the place of what was counted before, in the transaction of the same connection, and the days on the list; days of
 * another zone go from it.
 * @returns false, and does nothing, where calls changed meanwhile
 */
export async function listCounts(
  connection: DuckDBConnection,
  projectId: string,
  timeZone: string,
  asked: DaysToCount,
): Promise<boolean> {
  const { from, until, after, upTo } = asked
  const { days, around } = countedOf(asked, timeZone)
  const read: ReadRows = async (sql, values) => (await connection.runAndReadAll(sql, values)).getRowsJS()
  const { rowsChanged: noted } = await connection.run(
    'delete from times_being_counted where project_id = $1 and from_at = $2 and until_at = $3',
    [projectId, timestamp(from), timestamp(until)],
  )
  if (noted === 0) return false
  const before = await countedDays(read, projectId, timeZone)
  if (after !== undefined && !before.some(one => one.from === from && one.countedTo === after)) return false
  // oxlint-disable no-await-in-loop -- one table after the other
  const others = 'delete from counted_days where project_id = $1 and time_zone <> $2'
  const { rowsChanged: ofOtherZones } = await connection.run(others, [projectId, timeZone])
  const anew = [...days, ...around].map(({ block }) => block).join(', ')
  for (const table of TABLES)
    await connection.run(
      `delete from ${table} where project_id = $1 and ${ofOtherZones > 0 ? 'true' : `block in (${anew})`}`,
      [projectId],
    )
  await connection.run('delete from counted_days where project_id = $1 and day in (select day from counting_days)', [
    projectId,
  ])
  await connection.run(
    `insert into counted_days (project_id, time_zone, day, from_at, until_at, first_at, last_at, counted_to, counting)
     select $1, $2, *, ${upTo ?? 'null'}, ${NEW_NUMBER} from (
       select d.day, d.from_at, d.until_at, min(a."first"), max(a."last")
       from counting_days d left join ${made('agent_days')} a on a.block = d.block
       group by d.day, d.from_at, d.until_at order by d.day)`,
    [projectId, timeZone],
  )
  // Of blocks another day of which changed meanwhile nothing is known.
  const isWhole = countedWhole(await countedDays(read, projectId, timeZone))
  const right = [...days, ...around.filter(isWhole)].map(({ block }) => block).join(', ')
  for (const table of TABLES)
    await connection.run(`insert into ${table} by name from ${made(table)} where block in (${right})`)
  for (const table of NUMBERED) await connection.run(`insert into ${table} by name from ${made(table)}`)
  // oxlint-enable no-await-in-loop
  return true
}

/** Lets go of what was made. */
export async function dropMade(connection: DuckDBConnection): Promise<void> {
  for (const table of [...[...TABLES, ...NUMBERED].map(made), 'counting_days', 'counting'])
    // oxlint-disable-next-line no-await-in-loop -- one table after the other
    await connection.run(`drop table if exists temp.${table}`)
}

/** A number that no counting had before: drawn from so many that no two are the same. */
export const NEW_NUMBER = '(random() * 9007199254740991)::bigint'

/** Adds blocks up from those that they are made of, smaller ones first. @param places where those of a table are, and where they are put */
export async function sumBlocks(
  connection: DuckDBConnection,
  projectId: string,
  blocks: readonly SummedBlock[],
  places: (table: string) => { readonly from: string; readonly into: string } = table => ({ from: table, into: table }),
): Promise<void> {
  for (const one of new Set(blocks.map(({ kind }) => kind))) {
    const sums = blocks.filter(({ kind }) => kind === one)
    const numbers = sums.flatMap(({ of }) => of.map(({ block }) => block))
    const parts = sums.flatMap(({ block, first, of }) =>
      of.map(part => `(${part.block}, ${block}, make_timestamp_ms(${first}))`),
    )
    for (const [table, sum] of Object.entries(SUMS)) {
      const { from, into } = places(table)
      const joined = `${from} t join (values ${parts.join(', ')}) as p (part, whole, first_day)
        on t.block = p.part where t.project_id = $1 and t.block >= ${Math.min(...numbers)} and t.block <= ${Math.max(...numbers)}`
      // oxlint-disable-next-line no-await-in-loop -- one table after the other, from what was summed before
      await connection.run(`insert into ${into} by name ${sum(joined)}`, [projectId])
    }
  }
}

const added = [...addedColumns.keys()]

/** Rows that were counted already of a day, behind those of its calls. */
const withCounted = (block: number | undefined, rows: string) =>
  block === undefined ? '' : `union all by name select ${rows} where project_id = $1 and block = ${block}`

const countAgents = (begun: number | undefined) => `insert into ${made('agent_days')} by name
  select $1 as project_id, day, block, trust, agent_id, agent_name, min("first") as "first", max("last") as "last",
    ${added.map(name => `sum(${name}) as ${name}`).join(', ')}
  from (
    select day, block, ${TRUST} as trust, agent_id, agent_name, created_dt as "first", created_dt as "last",
      ${[...addedColumns].map(([name, sql]) => `${sql} as ${name}`).join(', ')} from counting
    ${withCounted(begun, '* exclude (project_id) from agent_days')})
  group by day, block, trust, agent_id, agent_name order by day, agent_name`

/** Later than any write. */
const LATEST = 2n ** 63n - 1n
const CALLS = `calls where project_id = $1 and created_dt >= $2 and created_dt < $3 and write_number > $4 and write_number <= $5`
const isSame = (names: readonly string[]) => names.map(name => `k.${name} is not distinct from n.${name}`).join(' and ')
const AGENT = ['agent_name', 'agent_id']

// Agents and values are numbered before anything is grouped: numbers cost a fraction of texts.
const NUMBER_AGENTS = `insert into ${made('counted_agents')} (project_id, agent, agent_id, agent_name)
  select $1, (select coalesce(max(agent), -1) from counted_agents where project_id = $1) + row_number() over (order by agent_name, agent_id),
    agent_id, agent_name
  from (select distinct agent_id, agent_name from ${CALLS}) n
  where not exists (select 1 from counted_agents k where k.project_id = $1 and ${isSame(AGENT)})`

/** The numbers that there are, and those that are new. */
const numbered = (table: string) => `(from ${table} where project_id = $1 union all from ${made(table)})`

/** The calls of the days, each with its day and the number of its agent. */
const COUNTING = `create or replace temp table counting as
  select d.day, d.block, a.agent, n.* from (select ${[readColumns, ...Object.values(madeColumns)].join(', ')} from ${CALLS}) n
  asof join counting_days d on n.created_dt >= d.from_at
  join ${numbered('counted_agents')} a on a.agent_name = n.agent_name and a.agent_id is not distinct from n.agent_id`

/** The calls of a kind's values, a row each: with the value and what the call adds to its sums. */
function valuesOf(by: string, { key, value, number, unnest, where = 'true' }: ValueColumns): string {
  const columns = [
    `(${key})::varchar as key`,
    `(${value ?? 'null'})::varchar as value`,
    `(${number ?? 'null'})::double as number`,
  ]
  const sums = scoreColumns.map(name => `${scoreAdded(by, name)} as ${name}`)
  return `select '${by}' as counted_by, day, block, ${TRUST} as trust, agent, ${addedColumns.get('evaluated')!} as is_evaluated, ${[...columns, ...sums].join(', ')}
    from (select *${unnest === undefined ? '' : `, unnest(${unnest}) as item`} from counting where ${where})`
}

const VALUES = Object.entries(valueColumns)
  .map(([by, columns]) => valuesOf(by, columns))
  .join(' union all ')
const isSameValue = isSame(['counted_by', 'key', 'value', 'number'])

const NUMBER_VALUES = `insert into ${made('counted_values')} (project_id, counted_by, numbered, key, value, number)
  select $1, counted_by, (select coalesce(max(numbered), -1) from counted_values where project_id = $1)
    + row_number() over (order by counted_by, key, value, number), key, value, number
  from (select distinct counted_by, key, value, number from (${VALUES})) n
  where not exists (select 1 from counted_values k where k.project_id = $1 and ${isSameValue})`

/** What the values of a list have in common: an agent's of one kind in a block. */
const LIST = ['counted_by', 'day', 'block', 'trust', 'agent']
/** What is kept of each, in lists. */
const LISTED = ['numbered', 'calls', 'evaluated', ...scoreColumns]

/**
 * Rows of values as lists, in which a value has the same place everywhere. They are put in order as whole lists: an ordered aggregate
 * takes some 40 kB for each (DuckDB 1.5.6).
 */
function listed(rows: string): string {
  const fields = LISTED.map(name => `${name}: ${name}`).join(', ')
  const lists = LISTED.map(name => `list_transform(listed, lambda one: one.${name}) as ${name}`)
  return `select ${[...LIST, ...lists].join(', ')}
    from (select ${LIST.join(', ')}, list_sort(list({${fields}})) as listed from (${rows}) group by ${LIST.join(', ')})`
}

/** Columns of lists as rows again. */
export const unlisted = (names: readonly string[]): string =>
  names.map(name => `unnest("${name}") as "${name}"`).join(', ')

const countAgentValues = (begun: number | undefined) => `insert into ${made('agent_value_days')} by name
  select $1 as project_id, * from (${listed(`select ${LIST.join(', ')}, numbered, ${LISTED.slice(1)
    .map(name => `sum(${name}) as ${name}`)
    .join(', ')} from (
      select n.counted_by, n.day, n.block, n.trust, n.agent, k.numbered, 1 as calls, n.is_evaluated as evaluated,
        ${scoreColumns.map(name => `n.${name}`).join(', ')}
      from (${VALUES}) n join ${numbered('counted_values')} k on ${isSameValue}
      ${withCounted(begun, `${LIST.join(', ')}, ${unlisted(LISTED)} from agent_value_days`)})
    group by ${LIST.join(', ')}, numbered`)}) order by day, counted_by, agent`

const COUNT_VALUES = `insert into ${made('value_days')} by name
  select $1 as project_id, counted_by, day, block, trust, key, value, number, calls, ${scoreColumns.join(', ')} from (
    select numbered, day, block, trust, sum(calls) as calls, ${scoreColumns.map(name => `sum(${name}) as ${name}`).join(', ')}
    from (select day, block, trust, ${unlisted(['numbered', 'calls', ...scoreColumns])} from ${made('agent_value_days')})
    group by numbered, day, block, trust)
  join ${numbered('counted_values')} using (numbered)
  order by day, counted_by, key, value, number`

/** How rows are added up: by what tells them apart within a block. @param keys in the order that they are kept in */
function summed(keys: readonly string[], sums: readonly string[]) {
  const measured = sums.map(name => {
    if (name === '"first"') return `min(${name}) as ${name}`
    return name === '"last"' ? `max(${name}) as ${name}` : `sum(${name}) as ${name}`
  })
  return (
    joined: string,
  ) => `select $1 as project_id, p.first_day as day, p.whole as block, ${keys.join(', ')}, ${measured.join(', ')}
    from ${joined} group by p.first_day, p.whole, ${keys.join(', ')} order by p.whole, ${keys.join(', ')}`
}

/** The same of lists. */
function summedLists(joined: string): string {
  const [, ...sums] = LISTED
  const rows = `select ${LIST.join(', ')}, numbered, ${sums.map(name => `sum(${name}) as ${name}`).join(', ')}
    from (select t.counted_by, p.first_day as day, p.whole as block, t.trust, t.agent, ${unlisted(LISTED)} from ${joined})
    group by ${LIST.join(', ')}, numbered`
  return `select $1 as project_id, * from (${listed(rows)}) order by block, counted_by, agent`
}

/** Of each table how its rows are added up. */
const SUMS: Readonly<Record<(typeof TABLES)[number], (joined: string) => string>> = {
  agent_days: summed(['agent_name', 'agent_id', 'trust'], ['"first"', '"last"', ...added]),
  value_days: summed(['counted_by', 'key', 'value', 'number', 'trust'], ['calls', ...scoreColumns]),
  agent_value_days: summedLists,
}
