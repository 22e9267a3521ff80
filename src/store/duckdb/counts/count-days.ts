import type { DuckDBConnection, DuckDBTimestampValue } from '@duckdb/node-api'
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
import { blockOfDay, blocksAround, countedWhole, type SummedBlock } from '../../day-blocks.js'
import { countedDays, type ReadRows } from './listed-days.js'
import { asUtc, type DaysToCount, startOf } from './plan-days.js'

/** The tables of counts. */
export const TABLES = ['agent_days', 'value_days', 'agent_value_days'] as const

/**
 * Counts days anew and puts them on the list, in the transaction of the connection; days of another zone go from it. A piece of a day is
 * added to what is counted of the day before it; nothing is done where that is not there any more.
 * $1 is the project everywhere.
 */
export async function countDays(
  connection: DuckDBConnection,
  projectId: string,
  timeZone: string,
  { first, last, piece }: DaysToCount,
): Promise<void> {
  const [start, end] = [startOf(first, timeZone), startOf(last.add({ days: 1 }), timeZone)]
  const { from, until } = piece ?? { from: start, until: end }
  const within = { from: timestamp(from), until: timestamp(until) }
  const named = [timestamp(asUtc(first)), timestamp(asUtc(last))]
  const around = blocksAround({ first: asUtc(first), last: asUtc(last) })
  const others = 'delete from counted_days where project_id = $1 and time_zone <> $2'
  const { rowsChanged: ofOtherZones } = await connection.run(others, [projectId, timeZone])
  if (ofOtherZones > 0) {
    for (const table of TABLES) {
      // oxlint-disable-next-line no-await-in-loop -- one table after the other
      await connection.run(`delete from ${table} where project_id = $1`, [projectId])
    }
  }
  const all = Array.from({ length: first.until(last, { largestUnit: 'days' }).days + 1 }, (_, i) =>
    first.add({ days: i }),
  )
  const goesOn = from > start
  if (goesOn && !(await isCountedUpTo(connection, projectId, named[0]!, within.from))) return
  await connection.run('delete from counted_days where project_id = $1 and day >= $2 and day <= $3', [
    projectId,
    ...named,
  ])
  for (const table of ['agent_days', 'agent_value_days']) {
    // oxlint-disable-next-line no-await-in-loop -- one table after the other
    await connection.run(
      `create or replace temp table ${before(table)} as
       select * exclude (project_id) from ${table} where project_id = $1 and ${goesOn ? `block = ${blockOfDay(asUtc(first))}` : 'false'}`,
      [projectId],
    )
  }
  const anew = [...all.map(day => blockOfDay(asUtc(day))), ...around.map(({ block }) => block)]
  for (const table of TABLES) {
    // oxlint-disable-next-line no-await-in-loop -- one table after the other
    await connection.run(`delete from ${table} where project_id = $1 and block in (${anew.join(', ')})`, [projectId])
  }
  // A zone may leave a day out.
  const days = all.filter(day => startOf(day, timeZone) < startOf(day.add({ days: 1 }), timeZone))
  const bounds = days.map(day => {
    const next = Math.min(startOf(day.add({ days: 1 }), timeZone), until)
    return `(make_timestamp_ms(${asUtc(day)}), ${blockOfDay(asUtc(day))}, make_timestamp_ms(${startOf(day, timeZone)}), make_timestamp_ms(${next}))`
  })
  await connection.run(
    `create or replace temp table counting_days as select * from (values ${bounds.join(', ')}) as d (day, block, from_at, until_at)`,
  )
  const calls = [projectId, within.from, within.until]
  await connection.run(NUMBER_AGENTS, calls)
  await connection.run(COUNTING, calls)
  await connection.run(INSERT_AGENTS, [projectId])
  await connection.run(NUMBER_VALUES, [projectId])
  await connection.run(INSERT_AGENT_VALUES, [projectId])
  await connection.run(INSERT_VALUES, [projectId])
  await connection.run(
    `insert into counted_days (project_id, time_zone, day, from_at, until_at, first_at, last_at, is_begun, counting)
     select $1, $2, *, ${until < end}, ${NEW_NUMBER} from (
       select d.day, d.from_at, d.until_at, min(a."first"), max(a."last")
       from counting_days d left join (select * from agent_days where project_id = $1) a on a.block = d.block
       group by d.day, d.from_at, d.until_at order by d.day)`,
    [projectId, timeZone],
  )
  await connection.run('drop table counting')
  const read: ReadRows = async (sql, values) => (await connection.runAndReadAll(sql, values)).getRowsJS()
  const isWhole = countedWhole(await countedDays(read, projectId, timeZone))
  await sumBlocks(connection, projectId, around.filter(isWhole))
}

/** Whether a day is counted from its beginning to an instant. */
async function isCountedUpTo(
  connection: DuckDBConnection,
  projectId: string,
  ...values: readonly [day: DuckDBTimestampValue, until: DuckDBTimestampValue]
): Promise<boolean> {
  const found = await connection.runAndReadAll(
    'select 1 from counted_days where project_id = $1 and day = $2 and is_begun and until_at = $3',
    [projectId, ...values],
  )
  return found.currentRowCount > 0
}

/** A number that no counting had before: drawn from so many that no two are the same. */
export const NEW_NUMBER = '(random() * 9007199254740991)::bigint'

/** Adds blocks up from those that they are made of, smaller ones first. */
export async function sumBlocks(
  connection: DuckDBConnection,
  projectId: string,
  blocks: readonly SummedBlock[],
): Promise<void> {
  for (const one of new Set(blocks.map(({ kind }) => kind))) {
    const sums = blocks.filter(({ kind }) => kind === one)
    const numbers = sums.flatMap(({ of }) => of.map(({ block }) => block))
    const parts = sums.flatMap(({ block, first, of }) =>
      of.map(part => `(${part.block}, ${block}, make_timestamp_ms(${first}))`),
    )
    const from = (table: string) => `from ${table} t join (values ${parts.join(', ')}) as p (part, whole, first_day)
      on t.block = p.part where t.project_id = $1 and t.block >= ${Math.min(...numbers)} and t.block <= ${Math.max(...numbers)}`
    for (const sum of SUMS) {
      // oxlint-disable-next-line no-await-in-loop -- one table after the other, from what was summed before
      await connection.run(sum(from), [projectId])
    }
  }
}

const added = [...addedColumns.keys()]

/** What is counted already of the day that a piece belongs to, taken out of a table: empty where whole days are counted. */
const before = (table: string) => `${table}_before`

const INSERT_AGENTS = `insert into agent_days by name
  select $1 as project_id, day, block, trust, agent_id, agent_name, min("first") as "first", max("last") as "last",
    ${added.map(name => `sum(${name}) as ${name}`).join(', ')}
  from (
    select day, block, ${TRUST} as trust, agent_id, agent_name, created_dt as "first", created_dt as "last",
      ${[...addedColumns].map(([name, sql]) => `${sql} as ${name}`).join(', ')} from counting
    union all by name select * from ${before('agent_days')})
  group by day, block, trust, agent_id, agent_name order by day, agent_name`

const CALLS = 'calls where project_id = $1 and created_dt >= $2 and created_dt < $3'
const isSame = (names: readonly string[]) => names.map(name => `k.${name} is not distinct from n.${name}`).join(' and ')
const AGENT = ['agent_name', 'agent_id']

// Agents and values are numbered before anything is grouped: numbers cost a fraction of texts.
const NUMBER_AGENTS = `insert into counted_agents (project_id, agent, agent_id, agent_name)
  select $1, (select coalesce(max(agent), -1) from counted_agents where project_id = $1) + row_number() over (order by agent_name, agent_id),
    agent_id, agent_name
  from (select distinct agent_id, agent_name from ${CALLS}) n
  where not exists (select 1 from counted_agents k where k.project_id = $1 and ${isSame(AGENT)})`

/** The calls of the days, each with its day and the number of its agent. */
const COUNTING = `create or replace temp table counting as
  select d.day, d.block, a.agent, n.* from (select ${[readColumns, ...Object.values(madeColumns)].join(', ')} from ${CALLS}) n
  asof join counting_days d on n.created_dt >= d.from_at
  join (select * from counted_agents where project_id = $1) a on a.agent_name = n.agent_name and a.agent_id is not distinct from n.agent_id`

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

// All kinds at once: where row groups are small, an ordered insert that finds nothing loses what the same transaction inserts
// into the same table after it (DuckDB 1.5.6).
const NUMBER_VALUES = `insert into counted_values (project_id, counted_by, numbered, key, value, number)
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

const INSERT_AGENT_VALUES = `insert into agent_value_days by name
  select $1 as project_id, * from (${listed(`select ${LIST.join(', ')}, numbered, ${LISTED.slice(1)
    .map(name => `sum(${name}) as ${name}`)
    .join(', ')} from (
      select n.counted_by, n.day, n.block, n.trust, n.agent, k.numbered, 1 as calls, n.is_evaluated as evaluated,
        ${scoreColumns.map(name => `n.${name}`).join(', ')}
      from (${VALUES}) n join (select * from counted_values where project_id = $1) k on ${isSameValue}
      union all by name select ${LIST.join(', ')}, ${unlisted(LISTED)} from ${before('agent_value_days')})
    group by ${LIST.join(', ')}, numbered`)}) order by day, counted_by, agent`

const INSERT_VALUES = `insert into value_days (project_id, counted_by, day, block, trust, key, value, number, calls, ${scoreColumns.join(', ')})
  select $1, counted_by, day, block, trust, key, value, number, calls, ${scoreColumns.join(', ')} from (
    select numbered, day, block, trust, sum(calls) as calls, ${scoreColumns.map(name => `sum(${name}) as ${name}`).join(', ')}
    from (select day, block, trust, ${unlisted(['numbered', 'calls', ...scoreColumns])} from agent_value_days
      where project_id = $1 and block in (select block from counting_days)) group by numbered, day, block, trust)
  join (select * from counted_values where project_id = $1) using (numbered)
  order by day, counted_by, key, value, number`

/** How the rows of a table are added up: by what tells them apart within a block. @param keys in the order that they are kept in */
function summed(table: string, keys: readonly string[], sums: readonly string[]) {
  const names = [...keys, ...sums]
  const measured = sums.map(name =>
    name === '"first"' ? `min(${name})` : name === '"last"' ? `max(${name})` : `sum(${name})`,
  )
  return (from: (table: string) => string) => `insert into ${table} (project_id, day, block, ${names.join(', ')})
  select $1, p.first_day, p.whole, ${keys.join(', ')}, ${measured.join(', ')} ${from(table)}
  group by p.first_day, p.whole, ${keys.join(', ')} order by p.whole, ${keys.join(', ')}`
}

/** The same of lists. */
function summedLists(from: (table: string) => string): string {
  const [, ...sums] = LISTED
  const rows = `select ${LIST.join(', ')}, numbered, ${sums.map(name => `sum(${name}) as ${name}`).join(', ')}
    from (select t.counted_by, p.first_day as day, p.whole as block, t.trust, t.agent, ${unlisted(LISTED)} ${from('agent_value_days')})
    group by ${LIST.join(', ')}, numbered`
  return `insert into agent_value_days by name
    select $1 as project_id, * from (${listed(rows)}) order by block, counted_by, agent`
}

const SUMS = [
  summed('agent_days', ['agent_name', 'agent_id', 'trust'], ['"first"', '"last"', ...added]),
  summed('value_days', ['counted_by', 'key', 'value', 'number', 'trust'], ['calls', ...scoreColumns]),
  summedLists,
]
