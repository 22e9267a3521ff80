import type { DuckDBConnection } from '@duckdb/node-api'
import { Temporal } from 'temporal-polyfill'
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
import { type CountedDay, countedParts, type Rest } from '../../counted-parts.js'
import { blockOfDay, blocksAround, countedWhole, type SummedBlock } from '../../day-blocks.js'

/** The tables of counts. */
export const TABLES = ['agent_days', 'value_days', 'agent_value_days'] as const

/** Calls that one transaction counts, or a day: half a second or so in which nothing else is written. */
const CALLS_AT_ONCE = 10_000
/** Most days without calls between two with some that are counted with them, as none. */
const MOST_EMPTY_DAYS = 31

/** Local days in a row, from one to before another. */
export interface DaysToCount {
  readonly first: Temporal.PlainDate
  readonly last: Temporal.PlainDate
}

/** What is read of a counted day; see `countedDay`. */
export const DAY_COLUMNS = 'epoch_ms(day), epoch_ms(from_at), epoch_ms(until_at), epoch_ms(first_at), epoch_ms(last_at)'
const DAYS = `select ${DAY_COLUMNS} from counted_days where project_id = $1`
const IN_ORDER = 'order by from_at'

type Rows = readonly (readonly unknown[])[]
export type ReadRows = (sql: string, values: (string | bigint)[]) => Promise<Rows>

/** The days that are counted, in order. @param timeZone absent: the one whose days are */
export async function countedDays(
  read: ReadRows,
  projectId: string,
  timeZone?: string,
): Promise<readonly CountedDay[]> {
  const rows =
    timeZone === undefined
      ? await read(`${DAYS} ${IN_ORDER}`, [projectId])
      : await read(`${DAYS} and time_zone = $2 ${IN_ORDER}`, [projectId, timeZone])
  return rows.map(countedDay)
}

export const countedDay = ([day, from, until, first, last]: readonly unknown[]): CountedDay => ({
  day: Number(day),
  from: Number(from),
  until: Number(until),
  ...(first !== null && { calls: { first: Number(first), last: Number(last) } }),
})

/** That a call is in a time that no counted day is in, in SQL. */
export function isOutside(rests: readonly Pick<Rest, 'from' | 'until'>[]): string {
  const ranges = rests.map(({ from, until }) => {
    const after = from === undefined ? 'true' : `created_dt >= make_timestamp_ms(${from})`
    return `(${after} and ${until === undefined ? 'true' : `created_dt < make_timestamp_ms(${until})`})`
  })
  return `(${ranges.join(' or ')})`
}

/**
 * The next days to count: the oldest that hold calls and are not counted, as many as one transaction takes, and how many are left
 * then. Only a plan: what is counted is right whatever days are chosen.
 * @param read reads rows, times as milliseconds since 1970
 */
export async function nextDays(
  read: ReadRows,
  projectId: string,
  timeZone: string,
): Promise<(DaysToCount & { readonly left: number }) | undefined> {
  const days = await countedDays(read, projectId, timeZone)
  const { rests } = countedParts([{}], days)
  // By days of UTC: cheap.
  const found = await read(
    `select epoch_ms(min(created_dt)), epoch_ms(max(created_dt)), count(*) from calls
     where project_id = $1 and ${isOutside(rests)} group by created_dt::date order by 1`,
    [projectId],
  )
  const known = new Set(days.map(({ day }) => day))
  const dayOf = (ms: unknown) =>
    Temporal.Instant.fromEpochMilliseconds(Number(ms)).toZonedDateTimeISO(timeZone).toPlainDate()
  let chosen: DaysToCount | undefined
  let calls = 0
  let left = found.length
  for (const [from, to, count] of found) {
    const [first, last] = [dayOf(from), dayOf(to)]
    if (chosen !== undefined) {
      const gap = chosen.last.until(first).days
      const between = Array.from({ length: Math.max(0, gap) }, (_, i) => chosen!.last.add({ days: i + 1 }))
      if (calls + Number(count) > CALLS_AT_ONCE || gap > MOST_EMPTY_DAYS || between.some(day => known.has(asUtc(day))))
        break
    }
    chosen = {
      first: chosen?.first ?? first,
      last: chosen === undefined || isAfter(last, chosen.last) ? last : chosen.last,
    }
    calls += Number(count)
    left -= 1
  }
  return chosen && { first: afterThose(known, chosen.first), last: chosen.last, left }
}

/** The first of the days without calls between a day and those counted before it: they are counted as none, so that days follow one another. */
function afterThose(known: ReadonlySet<number>, first: Temporal.PlainDate): Temporal.PlainDate {
  for (let days = 1; days <= MOST_EMPTY_DAYS; days += 1) {
    if (known.has(asUtc(first.subtract({ days })))) return first.subtract({ days: days - 1 })
  }
  return first
}

const isAfter = (a: Temporal.PlainDate, b: Temporal.PlainDate) => Temporal.PlainDate.compare(a, b) > 0
const asUtc = (day: Temporal.PlainDate) => day.toZonedDateTime('UTC').epochMilliseconds
const startOf = (day: Temporal.PlainDate, timeZone: string) => day.toZonedDateTime(timeZone).epochMilliseconds

/**
 * Counts days anew and puts them on the list, in the transaction of the connection; days of another zone go from it.
 * $1 is the project everywhere.
 */
export async function countDays(
  connection: DuckDBConnection,
  projectId: string,
  timeZone: string,
  { first, last }: DaysToCount,
): Promise<void> {
  const [from, until] = [startOf(first, timeZone), startOf(last.add({ days: 1 }), timeZone)]
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
  await connection.run('delete from counted_days where project_id = $1 and day >= $2 and day <= $3', [
    projectId,
    ...named,
  ])
  const anew = [...all.map(day => blockOfDay(asUtc(day))), ...around.map(({ block }) => block)]
  for (const table of TABLES) {
    // oxlint-disable-next-line no-await-in-loop -- one table after the other
    await connection.run(`delete from ${table} where project_id = $1 and block in (${anew.join(', ')})`, [projectId])
  }
  // A zone may leave a day out.
  const days = all.filter(day => startOf(day, timeZone) < startOf(day.add({ days: 1 }), timeZone))
  const bounds = days.map(
    day =>
      `(make_timestamp_ms(${asUtc(day)}), ${blockOfDay(asUtc(day))}, make_timestamp_ms(${startOf(day, timeZone)}), make_timestamp_ms(${startOf(day.add({ days: 1 }), timeZone)}))`,
  )
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
    `insert into counted_days (project_id, time_zone, day, from_at, until_at, first_at, last_at, counting)
     select $1, $2, *, ${NEW_NUMBER} from (
       select d.day, d.from_at, d.until_at, min(c.created_dt), max(c.created_dt)
       from counting_days d left join counting c on c.day = d.day group by d.day, d.from_at, d.until_at order by d.day)`,
    [projectId, timeZone],
  )
  await connection.run('drop table counting')
  const read: ReadRows = async (sql, values) => (await connection.runAndReadAll(sql, values)).getRowsJS()
  const isWhole = countedWhole(await countedDays(read, projectId, timeZone))
  await sumBlocks(connection, projectId, around.filter(isWhole))
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

const added = [...addedColumns].map(([name, sql]) => [name, `sum(${sql})`] as const)

const INSERT_AGENTS = `insert into agent_days (project_id, day, block, trust, agent_id, agent_name, "first", "last", ${added.map(([name]) => name).join(', ')})
  select $1, day, block, ${TRUST}, agent_id, agent_name, min(created_dt), max(created_dt), ${added.map(([, sum]) => sum).join(', ')}
  from counting group by day, block, ${TRUST}, agent_id, agent_name order by day, agent_name`

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
  select $1 as project_id, * from (${listed(
    `select n.counted_by, n.day, n.block, n.trust, n.agent, k.numbered, count(*) as calls, sum(n.is_evaluated) as evaluated,
      ${scoreColumns.map(name => `sum(n.${name}) as ${name}`).join(', ')}
      from (${VALUES}) n join (select * from counted_values where project_id = $1) k on ${isSameValue}
      group by n.counted_by, n.day, n.block, n.trust, n.agent, k.numbered`,
  )}) order by day, counted_by, agent`

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
  summed('agent_days', ['agent_name', 'agent_id', 'trust'], ['"first"', '"last"', ...added.map(([name]) => name)]),
  summed('value_days', ['counted_by', 'key', 'value', 'number', 'trust'], ['calls', ...scoreColumns]),
  summedLists,
]
