import {
  bind,
  type CountsAsked,
  type CountedBy,
  countsShape,
  type fieldsRead,
  type Fragment,
  join,
  kindsCounted,
  localTimeSql,
  type Scope,
  type Source,
  sql,
  tellsDays,
  trusted,
  valuesCounted,
} from '../../../pipeline/index.js'
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
import type { CountedParts, DaysInRow, Rest } from '../../counted-parts.js'
import { blocksOf, IS_ONE_DAY } from '../../day-blocks.js'
import { unlisted } from './count-days.js'

/** Where a row stands in time: the spans, and the condition that it is within one. */
interface Ranges {
  readonly spans: readonly { readonly span: number; readonly when: Fragment }[]
  readonly within: Fragment
}

/** A question and who asks it. */
interface Counting {
  readonly asked: CountsAsked
  readonly scope: Scope
  /** That rows are of the asker's calls, where they name the agent. */
  readonly restriction: Fragment
  /** The columns that the pipeline reads, in an order that all scans have. To bind and plan others is a third of a statement over few calls. */
  readonly columns: readonly string[]
  /** Whether days, or their months, are read. */
  readonly readsDay: boolean
}

/** Rows of whole days: what they are joined with, which of them are meant, and what is known by their span. */
interface DayRows {
  readonly joined: Fragment
  readonly within: Fragment
  readonly span: Fragment
  factor(field: number): Fragment
}

/**
 * The documents of a question to counts, as a source that a pipeline starts from: rows of whole days, and below them calls,
 * each as a row that counts one. The restriction to the asker's calls stands in each of the two scans.
 * @param read the fields that the pipeline reads
 */
export function countsSource(
  asked: CountsAsked,
  { days, rests }: CountedParts,
  scope: Scope,
  read: ReturnType<typeof fieldsRead>,
): Source {
  const shape = countsShape(asked)
  const all = [...shape.keys()]
  const some = read === 'all' ? all : all.filter(name => read.has(name))
  // One at least: what is only counted reads none.
  const columns = some.length > 0 ? some : all.slice(0, 1)
  const readsDay = some.includes('day')
  return {
    table: restriction => {
      const counting = { asked, scope, restriction, columns, readsDay }
      const rows = tellsDays(asked, read) ? oneByOne : inBlocks
      const scans = [
        ...(days.length === 0 ? [] : [ofDays(counting, rows(days, asked))]),
        ...(rests.length > 0 || days.length === 0 ? apart(rests) : []).map(some => ofCalls(counting, inRests(some))),
      ]
      return sql`(${join(scans, ' union all ')}) counts`
    },
    projectColumn: '"project_id"',
    agentColumn: '"agent_name"',
    startColumn: '"created_dt"',
    columns: [...shape].map(([name, type]) => ({
      name,
      sql: `counts."${name}"`,
      type,
      required: !MAY_LACK.has(name),
      // Calls are counted by names, keys and categories, none of which is a text (see textMarks).
      withoutText: 'same',
    })),
    order: [],
    derived: [],
  }
}

const MAY_LACK: ReadonlySet<string> = new Set(['agent_id', 'key', 'value', 'number'])

const at = (ms: number) => sql`${bind(new Date(ms), 'TIMESTAMP')}`
const among = (conditions: readonly Fragment[]) => sql`(${join(conditions, ' or ')})`
const quoted = (name: string) => trusted(`"${name}"`)
const named = (value: Fragment, name: string) => sql`${value} as ${quoted(name)}`

/** A value by the span that a row is in. */
function bySpan({ spans }: Ranges, value: (span: number) => Fragment): Fragment {
  const [first] = spans
  if (new Set(spans.map(({ span }) => span)).size <= 1) return value(first?.span ?? 0)
  return sql`case ${join(
    spans.map(({ span, when }) => sql`when ${when} then ${value(span)}`),
    ' ',
  )} end`
}

const spanIn = (ranges: Ranges) => bySpan(ranges, span => trusted(`${span}::integer`))

/** What a count adds to a field that holds several spans. @param count a column or the SQL of what a call adds */
const packedIn = (ranges: Ranges, count: Fragment, factors: readonly number[]) =>
  sql`((${count})::double * ${bySpan(ranges, span => trusted(`${factors[span] ?? 0}::double`))})`

/** Leaves out what is doubted; the level is the SQL of it. */
function believed({ doubted = [] }: CountsAsked, level: string): Fragment {
  if (doubted.length === 0) return sql`true`
  const levels = join(
    doubted.map(one => sql`${bind(one, 'VARCHAR')}`),
    ', ',
  )
  return sql`(${trusted(level)} is null or ${trusted(level)} not in (${levels}))`
}

/** Day by day. */
function oneByOne(days: readonly DaysInRow[]): DayRows {
  const spans = days.map(({ span, first, last }) => ({
    span,
    when: sql`(day >= ${at(first)} and day <= ${at(last)})`,
  }))
  const [first, last] = [Math.min(...days.map(one => one.first)), Math.max(...days.map(one => one.last))]
  const any = among(spans.map(({ when }) => when))
  const ranges = {
    spans,
    within: sql`day >= ${at(first)} and day <= ${at(last)} and ${any} and ${trusted(IS_ONE_DAY)}`,
  }
  return {
    joined: sql``,
    within: ranges.within,
    span: spanIn(ranges),
    factor: () => {
      throw new Error('Values are not packed day by day')
    },
  }
}

/** As few rows as say the same; what is known by span stands beside each block. */
function inBlocks(days: readonly DaysInRow[], { packed = [] }: CountsAsked): DayRows {
  const all = days.flatMap(run => blocksOf(run).map(({ block }) => ({ block, span: run.span })))
  const rows = all.map(({ block, span }) => {
    const factors = packed.map(({ factors: of }) => `, ${of[span] ?? 0}::double`)
    return trusted(`(${block}, ${span}${factors.join('')})`)
  })
  const names = ['block', 'span', ...packed.map((_, field) => factorName(field))]
  const [first, last] = [Math.min(...all.map(one => one.block)), Math.max(...all.map(one => one.block))]
  return {
    joined: sql`join (values ${join(rows, ', ')}) as blocks (${trusted(names.join(', '))}) using (block)`,
    within: sql`block >= ${trusted(`${first}`)} and block <= ${trusted(`${last}`)}`,
    span: trusted('blocks.span'),
    factor: field => trusted(`blocks.${factorName(field)}`),
  }
}

const factorName = (field: number) => `factor_${field}`

function ofDays(counting: Counting, rows: DayRows): Fragment {
  const { by } = counting.asked
  const scans = [
    ...(kindsCounted(by).includes('agent') ? [ofAgentDays(counting, rows)] : []),
    ...(valuesCounted(by).length > 0 ? [ofValueDays(counting, rows)] : []),
  ]
  return join(scans, ' union all ')
}

/** What a document of calls by themselves has in place of a value, beside those of values. */
const NO_VALUE: ReadonlyMap<string, Fragment> = new Map([
  ['by', trusted(`'agent'`)],
  ['key', trusted('null::varchar')],
  ['value', trusted('null::varchar')],
  ['number', trusted('null::double')],
])

function ofAgentDays({ asked, restriction, columns: read }: Counting, rows: DayRows): Fragment {
  const columns = read.map(name => named(name === 'span' ? rows.span : (NO_VALUE.get(name) ?? quoted(name)), name))
  const where = sql`${rows.within} and ${believed(asked, 'trust')}`
  return sql`select ${join(columns, ', ')} from agent_days ${rows.joined} where ${restriction} and ${where}`
}

function ofValueDays({ asked, scope, restriction, columns: read, readsDay }: Counting, rows: DayRows): Fragment {
  const { by, packed } = asked
  const where = sql`${rows.within} and ${believed(asked, 'trust')}`
  const values = valuesCounted(by).map(value => sql`${bind(value, 'VARCHAR')}`)
  const counted = sql`counted_by in (${join(values, ', ')})`
  const columns = join(
    read.map(name => (name === 'by' ? named(trusted('counted_by'), name) : quoted(name))),
    ', ',
  )
  const hearsAll = scope.agents === 'all'
  // Nobody reads counts of all agents together who does not hear them all.
  if (packed === undefined && hearsAll) {
    return sql`select ${columns} from value_days ${rows.joined} where ${restriction} and ${counted} and ${where}`
  }
  // Numbers stand for agents and values: texts are read of what is left when they are added up.
  const project = sql`project_id = ${bind(scope.projectId, 'VARCHAR')}`
  const numbers = sql`select numbered, counted_by, key, value, number from counted_values where ${project} and ${counted}`
  const agents = sql`select agent, agent_id, agent_name from counted_agents where ${restriction}`
  const heard = hearsAll ? sql`true` : sql`agent in (select agent from (${agents}))`
  const rowsOf = (lists: readonly string[], beside: readonly Fragment[]) => {
    const columns = [...beside, trusted(unlisted(['numbered', ...lists]))]
    return sql`(select ${join(columns, ', ')} from agent_value_days ${rows.joined} where ${project} and ${counted} and ${where} and ${heard})`
  }
  if (packed === undefined) {
    const added = ['calls', ...scoreColumns].filter(name => read.includes(name))
    const sums = added.map(name =>
      named(trusted(`sum("${name}")::${/_(?:sum|squares)$/.test(name) ? 'bigint' : 'integer'}`), name),
    )
    const day = trusted(readsDay ? 'day' : 'min(day) as day')
    const groups = trusted(readsDay ? 'numbered, day' : 'numbered')
    const from = rowsOf(added, [trusted('day')])
    const summed = join([trusted('numbered'), day, ...sums], ', ')
    return sql`select ${columns} from (select ${summed} from ${from} group by ${groups}) join (${numbers}) using (numbered)`
  }
  const sums = packed.map(({ name, count }, field) =>
    named(sql`sum(${quoted(count)}::double * ${trusted(factorName(field))})`, name),
  )
  const factors = packed.map((_, field) => named(rows.factor(field), factorName(field)))
  const from = rowsOf([...new Set(packed.map(({ count }) => count))], [trusted('agent'), ...factors])
  const grouped = sql`select agent as counted_agent, numbered, ${join(sums, ', ')} from ${from} group by agent, numbered`
  const who = sql`select a.agent as counted_agent, a.agent_id, a.agent_name${placed(asked)} from (${agents}) a ${onRoster(asked, 'a')}`
  return sql`select ${columns} from (${grouped}) join (${who}) using (counted_agent) join (${numbers}) using (numbered)`
}

/** The place of an agent on the list that was asked for. */
const placed = ({ roster }: CountsAsked) => (roster === undefined ? sql`` : sql`, roster.place::integer as agent`)

/** Leaves the agents that are on the list, with their place. @param calls what has them */
function onRoster({ roster }: CountsAsked, calls: string): Fragment {
  if (roster === undefined) return sql``
  // One text: a parameter for each of 10,000 names takes a quarter of a second of this thread.
  const listed = bind(JSON.stringify(roster.map(({ agent_id: id, agent_name: name }) => ({ id, name }))), 'VARCHAR')
  const agents = sql`select from_json(${listed}, '[{"id":"VARCHAR","name":"VARCHAR"}]') as agents`
  const list = sql`select one.id, one.name, place from (select unnest(agents) as one, unnest(range(len(agents))) as place from (${agents}))`
  return sql`join (${list}) roster on roster.name = ${trusted(calls)}.agent_name and roster.id = coalesce(${trusted(calls)}.agent_id, '')`
}

function rangeOf({ from, until, after }: Omit<Rest, 'span'>): Fragment {
  const all = [
    ...(from === undefined ? [] : [sql`created_dt >= ${at(from)}`]),
    ...(until === undefined ? [] : [sql`created_dt < ${at(until)}`]),
    ...(after === undefined ? [] : [sql`write_number > ${bind(after, 'BIGINT')}`]),
  ]
  return all.length === 0 ? sql`true` : sql`(${join(all, ' and ')})`
}

/** Most scans of calls in one statement: each is planned by itself. */
const MOST_SCANS = 16
/** Times that are no further from each other are read together, milliseconds. */
const NEAR_MS = 3 * 86_400_000

/**
 * Times that are read together, each by a scan: of one that holds several the engine passes over no block that lies between them.
 * @returns all together where they are too many
 */
function apart(rests: readonly Rest[]): readonly (readonly Rest[])[] {
  const groups: Rest[][] = []
  let end = -Infinity
  for (const rest of rests.toSorted((a, b) => (a.from ?? -Infinity) - (b.from ?? -Infinity))) {
    const { from = -Infinity, until = Infinity } = rest
    const group = groups.at(-1)
    if (group === undefined || from > end + NEAR_MS) groups.push([rest])
    else group.push(rest)
    end = Math.max(end, until)
  }
  return groups.length > 1 && groups.length <= MOST_SCANS ? groups : [rests]
}

function inRests(rests: readonly Rest[]): Ranges {
  // What is left of a day's writes is left out of them all: a call is told by its time.
  const spans = rests.map(({ span, from, until }) => ({ span, when: rangeOf({ from, until }) }))
  const [only, ...others] = rests
  if (only === undefined) return { spans, within: sql`false` }
  if (others.length === 0) return { spans, within: rangeOf(only) }
  const from = rests.every(one => one.from !== undefined) ? Math.min(...rests.map(one => one.from!)) : undefined
  const until = rests.every(one => one.until !== undefined) ? Math.max(...rests.map(one => one.until!)) : undefined
  return { spans, within: sql`${rangeOf({ from, until })} and ${among(rests.map(rangeOf))}` }
}

/**
 * When a call began, as what the engine takes for another value: for the least and the greatest of a column itself, and nothing else, it asks
 * every block of calls first, in vain where the calls of some hours are meant (3 ms of processor for 4,900 blocks).
 */
const STARTED = 'make_timestamp(epoch_us(created_dt))'

function ofCalls({ asked, restriction, columns }: Counting, ranges: Ranges): Fragment {
  const { by, timeZone, packed = [] } = asked
  // Few blocks of calls are of the times: see the compiler.
  const where = sql`${ranges.within} and ${restriction} and ${believed(asked, TRUST)}`
  const of = (own: ReadonlyMap<string, Fragment>) =>
    join(
      columns.map(name => named(own.get(name) ?? quoted(name), name)),
      ', ',
    )
  const day = sql`date_trunc('day', ${localTimeSql('created_dt', timeZone)})`
  if (by === 'agent') {
    const own = new Map<string, Fragment>([
      ['span', spanIn(ranges)],
      ['day', day],
      ['first', trusted(STARTED)],
      ['last', trusted(STARTED)],
      ...[...addedColumns].map(([name, added]): [string, Fragment] => [name, trusted(added)]),
    ])
    return sql`select ${of(own)} from calls where ${where}`
  }
  const [one, ...others] = kindsCounted(by)
  if (one === undefined || one === 'agent' || others.length > 0) {
    const own = new Map<string, Fragment>([
      ...['by', 'key', 'value', 'number', ...scoreColumns].map((name): [string, Fragment] => [
        name,
        trusted(`item."${name}"`),
      ]),
      ['day', day],
      ['calls', trusted(addedColumns.get('calls')!)],
    ])
    const lists = kindsCounted(by)
      .map(kind => valuesIn(kind, columns))
      .join(', ')
    const made = valuesCounted(by).flatMap(value => valueColumns[value].made ?? [])
    const called = trusted([readColumns, ...made.map(name => madeColumns[name])].join(', '))
    return sql`select ${of(own)} from (select *, unnest(flatten([${trusted(lists)}])) as item from (select ${called} from calls where ${where})) c`
  }
  const { key, value = 'null', number = 'null', unnest, where: there = 'true', made } = valueColumns[one]
  const added = (name: string) => trusted(scoreColumns.includes(name) ? scoreAdded(one, name) : addedColumns.get(name)!)
  const own = new Map<string, Fragment>([
    ['by', trusted(`'${one}'`)],
    ['key', trusted(`(${key})::varchar`)],
    ['value', trusted(`(${value})::varchar`)],
    ['number', trusted(`(${number})::double`)],
    ['day', day],
    ...['calls', ...scoreColumns].map((name): [string, Fragment] => [name, added(name)]),
    ...packed.map(({ name, count, factors }): [string, Fragment] => [name, packedIn(ranges, added(count), factors)]),
  ])
  const item = trusted(unnest === undefined ? '*' : `*, unnest(${unnest}) as item`)
  const called = trusted(made === undefined ? readColumns : `${readColumns}, ${madeColumns[made]}`)
  if (asked.roster !== undefined) own.set('agent', trusted('roster.place::integer'))
  return sql`select ${of(own)} from (select ${item} from (select ${called} from calls where ${where}) where ${trusted(there)}) c ${onRoster(asked, 'c')}`
}

/** The values of one kind that a call has, as a list of what is read of each, or the call itself: of several kinds the lists are one. */
function valuesIn(by: CountedBy, columns: readonly string[]): string {
  const own: ValueColumns = by === 'agent' ? { key: 'null' } : valueColumns[by]
  const { key, value = 'null', number = 'null', unnest, where = 'true' } = own
  const scores = scoreColumns.map(name => [name, `(${scoreAdded(by, name)})::bigint`] as const)
  const fields = [
    ['by', `'${by}'`],
    ['key', `(${key})::varchar`],
    ['value', `(${value})::varchar`],
    ['number', `(${number})::double`],
    ...scores,
  ] as const
  const read = fields.filter(([name]) => columns.includes(name))
  const item = `{ ${read.map(([name, field]) => `'${name}': ${field}`).join(', ')} }`
  if (unnest !== undefined) return `list_transform(coalesce(${unnest}, []), lambda item: ${item})`
  return `case when ${where} then [${item}] else [] end`
}
