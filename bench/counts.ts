/**
 * What the answers that add calls up cost with counts of days and without: `npm run bench:counts -- --data-dir DIR [--rounds 40]`.
 * With `--from DIR2 --calls N --days N` the directory is made first, of one that holds some calls of one project in its newest days
 * (`earshot generate | earshot import`): each of its days gets calls of several neighbouring ones, with other ids and without texts,
 * which none of these questions reads; the days follow one another backwards as often as it takes. They count as evaluated by rules, and
 * have a fit of outcome lift. Then they are counted, while calls are imported: it says how long these wait. Where the newest of its days is today, none is dated ahead.
 * With `--from DIR2 --repeat N` it is made of one whose days are counted: N of it, each just before the other, counts and all; in a small part of the time.
 * Starts the real service over it, once without counts and once with, and asks by REST. Before each question some calls of the present minute,
 * like those that are there, are imported, so that nothing is given again that was found among all calls; with `--remember 0` nothing at all is
 * remembered. One call is asked for by its id, another one each time. Prints milliseconds.
 * With `--beside DIR3` (also several times) each round asks another directory too, so that a machine whose speed changes is the same for all
 * of them, and says how many times as long each takes; with `--program PATH` these are asked of another version's `bin/earshot.cjs`.
 */
import { cpSync, existsSync, statSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import Table from 'cli-table3'
import { z } from 'zod'
import { callFields } from '../src/calls/call-fields.js'
import { liftFit } from '../src/store/records/lift-fit.js'
import { BATCH_CALLS } from '../src/store/store.js'
import { AttachedStores, emptyCalls, otherId, repeatCounted, storeFile } from './service/made-store.js'
import { processorSeconds } from './service/processor-seconds.js'
import { command, type RunningService, startService } from './service/running-service.js'

const { values: options } = parseArgs({
  options: {
    'data-dir': { type: 'string' },
    from: { type: 'string' },
    calls: { type: 'string' },
    days: { type: 'string' },
    repeat: { type: 'string' },
    rounds: { type: 'string', default: '40' },
    beside: { type: 'string', multiple: true, default: [] },
    program: { type: 'string' },
    // Only questions whose name holds this.
    question: { type: 'string', default: '' },
    // "counts": only with counts, where a scan takes minutes. "calls": only without.
    only: { type: 'string' },
    // Room for what is remembered, as the service takes it; its own by default.
    remember: { type: 'string' },
  },
})
const dataDir = options['data-dir']
if (dataDir === undefined) throw new Error('--data-dir is missing: the directory that is measured')
const sizeMiB = (dir: string) => Math.round(statSync(storeFile(dir)).size / 1024 ** 2)

/** What is different in the copy of a day, `back` days before the last: of rows of the day `own.back` before it. @param written numbers before */
const copied = (back: number, written: number): Readonly<Record<string, string>> => ({
  ...otherId(`-${back}`),
  write_number: `${written} + (row_number() over (order by created_dt) - 1) // ${BATCH_CALLS}`,
  created_dt: `created_dt + interval 1 day * (back - ${back})`,
  search_text: `''`,
  transcript: 'transcript[:0]',
  evaluation: `struct_update(evaluation, evaluator := 'rules')`,
})

/** Most signals that lift is fitted to. */
const FITTED = 24

/** A fit of lift, as if the calls had been evaluated here: what it costs to tell how sure lift is does not hang on its numbers. */
async function fitted(stores: AttachedStores): Promise<void> {
  const [row] = await stores.rows(
    `select any_value(project_id), any_value(evaluation.rubric), any_value(evaluation.rubric_version) from source.calls`,
  )
  const [project, rubric, rubric_version] = z.tuple([z.string(), z.string(), z.string()]).parse(row)
  const found = await stores.rows(
    `select s.key from (select unnest(signals) as s from source.calls) where s.key not like 'sig.extra%'
     group by 1 order by count(*) desc, 1 limit ${FITTED}`,
  )
  const signals = found.map(([key]) => String(key))
  const each = (value: number) => signals.map(() => value)
  const fit = liftFit.parse({
    evaluator: 'rules',
    rubric,
    rubric_version,
    outcome: 'predicted_csat',
    before: [],
    effects: {
      signals,
      means: each(0.5),
      factors: signals.map((_, i) => signals.map((_one, j) => (i === j ? 0.1 : 0.01))),
      rest: each(0.001),
    },
  })
  await stores.empty(['lift_fits'])
  await stores.rows(`insert into target.lift_fits values ('${project}', 'rules', '${JSON.stringify(fit)}')`)
}

/** Makes the directory of calls that are spread over more days. */
async function fill(from: string, into: string, calls: number, days: number): Promise<void> {
  cpSync(from, into, { recursive: true })
  await AttachedStores.with({ target: storeFile(into), source: storeFile(from) }, async stores => {
    await stores.rows(`create temp table own as
      select *, date_diff('day', created_dt::date, (select max(created_dt)::date from source.calls)) as back from source.calls order by back`)
    const [row] = await stores.rows('select count(*)::integer, max(back)::integer + 1 from own')
    const [count, length] = z.tuple([z.number(), z.number()]).parse(row)
    const together = Math.max(1, Math.round(calls / days / (count / length)))
    await emptyCalls(stores)
    await fitted(stores)
    let written = 0
    // oxlint-disable no-await-in-loop -- the oldest first, as calls come
    for (let back = days - 1; back >= 0; back -= 1) {
      const taken = Array.from({ length: together }, (_, i) => (back + i) % length)
      const at = `own.created_dt + interval 1 day * (back - ${back})`
      // Where they are to end today: none that is dated ahead.
      const rows = `own where back in (${taken.join(', ')}) and ${at} <= make_timestamp_ms(${Date.now()}) order by ${at}`
      await stores.copy('calls', copied(back, written), rows)
      written = await stores.numbersWritten()
      if (back % 100 === 0) await stores.rows('checkpoint target')
    }
    // oxlint-enable no-await-in-loop
  })
}

/** Makes the directory of one whose days are counted, several times. */
async function repeat(from: string, into: string, times: number): Promise<void> {
  cpSync(from, into, { recursive: true })
  await AttachedStores.with({ target: storeFile(into), source: storeFile(from) }, async stores => {
    const [row] = await stores.rows('select project_id from source.calls limit 1')
    await repeatCounted(stores, z.string().parse(row?.[0]), times, text => console.log(text))
  })
}

const DAY_MS = 86_400_000

/** A directory that is asked. */
interface Target {
  readonly dir: string
  readonly program: string | undefined
  readonly project: string
  readonly calls: number
  /** Of some of its calls. */
  readonly ids: readonly string[]
  /** Calls of it, to be imported as others. */
  readonly samples: readonly Record<string, unknown>[]
  /** Whether all of its days are counted. */
  readonly isCounted: boolean
  readonly key: string
}

/** Of a directory the project with most calls, and what is asked of it. */
async function targetOf(dir: string, program?: string): Promise<Target> {
  // A start brings the store to the newest version.
  command(dir, ['project', 'list', '--json'])
  const found = await AttachedStores.with({ target: storeFile(dir) }, async stores => {
    const [row] = await stores.rows(
      'select project_id, count(*)::integer, max(created_dt) from target.calls group by project_id order by 2 desc limit 1',
    )
    const [project, calls, last] = z.tuple([z.string(), z.number(), z.date()]).parse(row)
    // Days that are counted already are read, whether any are to be counted or not.
    if (options.only !== 'counts') await stores.empty(['counted_days'])
    const drawn = await stores.rows(
      `select session_id from target.calls where project_id = '${project}' and session_key % 4096 = 7 order by session_key limit ${SAMPLED}`,
    )
    const ids = drawn.map(([id]) => String(id))
    const [days] = await stores.rows(
      `select max(until_at), count(counted_to)::integer from target.counted_days where project_id = '${project}'`,
    )
    const [until, open] = z.tuple([z.date().nullable(), z.number()]).parse(days)
    // Calls still come to the last one alone.
    const isCounted = (until?.getTime() ?? 0) >= last.getTime() - (last.getTime() % DAY_MS) && open <= 1
    return { project, calls, ids, isCounted, samples: await sampleOf(stores, project) }
  })
  const minted = command(dir, ['keys', 'mint', '--project', found.project, '--name', 'bench', '--json'])
  return { ...found, dir, program, key: z.object({ key: z.string() }).parse(JSON.parse(minted)).key }
}

/** What is asked, each as the path of a round. */
function questions(): readonly (readonly [string, (target: Target, round: number) => string])[] {
  const day = (before: number) => new Date(Date.now() - before * DAY_MS).toISOString().slice(0, 10)
  return [
    ['get_project_context', () => '/api/v1/context'],
    ['get_project_summary, everything', () => '/api/v1/summary'],
    ['get_project_summary, 30 days', () => `/api/v1/summary?date_from=${day(29)}`],
    ['get_agent_performance, everything', () => '/api/v1/agents/performance'],
    ['get_agent_performance, 30 days', () => `/api/v1/agents/performance?date_from=${day(29)}`],
    ['get_score_distribution', () => '/api/v1/scores/distribution'],
    ['detect_changes, 30 days and 30 before', () => `/api/v1/changes?period=${day(29)}%20to%20${day(0)}`],
    [
      'get_call_detail',
      ({ ids }, round) => `/api/v1/interactions/${encodeURIComponent(ids[(round + WARM) % ids.length]!)}`,
    ],
  ]
}

/** Rounds that no number is of: they fill caches, and V8 compiles. */
const WARM = 3
/** Rounds of a scan, which may take seconds. */
const SCANS = 5

/** Calls that come before each question. */
const IMPORTED = 3
let imported = 0

const SAMPLED = 500
/** What of a call is not imported again: what it has of its own, and what the store makes. */
const OWN = new Set(['session_id', 'created_dt', 'transcript', 'evaluation', 'outcome_lift'])

/** The newest calls of a store. */
async function sampleOf(stores: AttachedStores, project: string): Promise<readonly Record<string, unknown>[]> {
  const taken = callFields.map(({ name }) => name).filter(name => !OWN.has(name))
  const rows = await stores.rows(
    `select to_json({${taken.map(name => `"${name}": "${name}"`).join(', ')}})::varchar from target.calls where rowid in (
       select rowid from target.calls where project_id = '${project}' and agent_name <> 'Imported Now' order by rowid desc limit ${SAMPLED})`,
  )
  return rows.map(
    ([json]) => JSON.parse(String(json), (_, value: unknown) => value ?? undefined) as Record<string, unknown>,
  )
}

/** A directory whose service runs. */
interface Running extends Target {
  readonly service: RunningService
}

/** Imports calls of the present minute, which end what is remembered of all calls. */
async function importSome({ service, key, samples }: Running): Promise<void> {
  const created_dt = new Date(Date.now() - 60_000).toISOString()
  const calls = Array.from({ length: IMPORTED }, () => ({
    ...samples[(imported += 1) % samples.length],
    session_id: `bench-${process.pid}-${imported}`,
    created_dt,
    evaluation: { evaluator: 'imported' },
  }))
  const answer = await fetch(`${service.apiUrl}/api/v1/interactions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/x-ndjson' },
    body: calls.map(call => JSON.stringify(call)).join('\n'),
  })
  if (!answer.ok) throw new Error(`An import: ${await answer.text()}`)
}

/** Milliseconds of the clock and of processor. */
interface Took {
  readonly clock: number
  readonly processor: number
}

/** What one answer takes; undefined for one that its deadline ended. */
async function asked({ service, key }: Running, path: string): Promise<Took | undefined> {
  const [began, processor] = [performance.now(), processorSeconds(service.pid)]
  const answer = await fetch(`${service.apiUrl}${path}`, { headers: { authorization: `Bearer ${key}` } })
  const text = await answer.text()
  if (text.includes('"deadline_exceeded"')) return undefined
  if (!answer.ok) throw new Error(`${answer.url}: ${text}`)
  return { clock: performance.now() - began, processor: (processorSeconds(service.pid) - processor) * 1_000 }
}

/** Asks all of them, one after the other in each round. @returns what each took; undefined for one that its deadline ended */
async function measure(
  all: readonly Running[],
  path: (target: Target, round: number) => string,
  rounds: number,
): Promise<readonly (readonly Took[] | undefined)[]> {
  const took = new Map<Running, Took[]>(all.map(one => [one, []]))
  for (let round = -WARM; round < rounds; round += 1) {
    for (const one of took.keys()) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other: they are measured
      await importSome(one)
      // oxlint-disable-next-line no-await-in-loop -- likewise
      const found = await asked(one, path(one, round))
      if (found === undefined) took.delete(one)
      else if (round >= 0) took.get(one)?.push(found)
    }
  }
  return all.map(one => took.get(one))
}

/** The value that so many of all are below. */
function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

const totalOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)

/** As the table says it. @param first what the first directory took, of another one in the same rounds */
function textOf(took: readonly Took[] | undefined, first?: readonly Took[]): string {
  if (took === undefined) return 'beyond its deadline'
  const [clock, processor] = [took.map(one => one.clock), took.map(one => one.processor)]
  const figures = [quantile(clock, 0.5), quantile(clock, 0.95), quantile(processor, 0.5)]
  const text = figures.map(ms => ms.toFixed(0)).join(' / ')
  if (first === undefined) return text
  const ofClock = quantile(
    clock.map((ms, i) => ms / first[i]!.clock),
    0.5,
  )
  // The system counts processor time by the hundredth of a second.
  const ofProcessor = totalOf(processor) / totalOf(first.map(one => one.processor))
  return `${text} (${ofClock.toFixed(2)}x, ${ofProcessor.toFixed(2)}x)`
}

/** Resolves when the service has counted the days, while calls are imported; says how long that took, and how long these waited. */
async function counted(running: Running): Promise<string> {
  const began = performance.now()
  const took: number[] = []
  // oxlint-disable no-await-in-loop -- one import after the other
  while (!running.service.log().includes('days were counted')) {
    const at = performance.now()
    await importSome(running)
    took.push(performance.now() - at)
    await pause(200)
  }
  // oxlint-enable no-await-in-loop
  const [median, longest] = [quantile(took, 0.5), Math.max(...took)].map(ms => ms.toFixed(0))
  return `days counted in ${((performance.now() - began) / 1000).toFixed(1)} s; each of ${took.length} imports meanwhile took ${median} ms (median), ${longest} at most`
}

const SETTINGS = {
  ...(options.remember !== undefined && { EARSHOT_REMEMBERED_ANSWERS: options.remember }),
  // Nobody searches here.
  EARSHOT_INDEX_WORDS: '0',
  EARSHOT_LOG_LEVEL: 'debug',
}

const { from, calls: wanted, days, beside, program } = options
if (from !== undefined && !existsSync(storeFile(dataDir))) {
  // A start brings the store to the newest version.
  command(from, ['project', 'list', '--json'])
  if (options.repeat === undefined) await fill(from, dataDir, Number(wanted), Number(days))
  else await repeat(from, dataDir, Number(options.repeat))
}
const targets = [await targetOf(dataDir)]
// oxlint-disable-next-line no-await-in-loop -- each takes both cores
for (const dir of beside) targets.push(await targetOf(dir, program))
const ways = [
  { counts: '0', rounds: SCANS },
  { counts: '1', rounds: Number(options.rounds) },
].filter(({ counts }) => options.only === undefined || (options.only === 'calls') === (counts === '0'))
const table = new Table({
  head: [
    'question',
    ...ways.flatMap(({ counts }) =>
      targets.map(
        ({ dir }) =>
          `${dir}, by ${counts === '0' ? 'calls' : 'counts'}: p50 / p95 / processor${dir === dataDir ? '' : ' (times the first)'}`,
      ),
    ),
  ],
  style: { head: [], border: [] },
  wordWrap: true,
})
const rows = new Map<string, string[]>()
for (const { counts, rounds } of ways) {
  const running: Running[] = []
  // oxlint-disable no-await-in-loop -- one after the other
  try {
    for (const target of targets) {
      const service = await startService(target.dir, { ...SETTINGS, EARSHOT_COUNT_DAYS: counts }, target.program)
      running.push({ ...target, service })
      if (counts === '1' && !target.isCounted) console.log(`${target.dir}: ${await counted(running.at(-1)!)}`)
    }
    for (const [name, path] of questions().filter(([each]) => each.includes(options.question))) {
      const [first, ...others] = await measure(running, path, rounds)
      const texts = [textOf(first), ...others.map(took => textOf(took, first))]
      rows.set(name, [...(rows.get(name) ?? []), ...texts])
    }
  } finally {
    for (const { service } of running) await service.end('SIGTERM')
  }
  // oxlint-enable no-await-in-loop
}
for (const [name, found] of rows) table.push([name, ...found])
for (const { dir, calls, project } of targets)
  console.log(`${dir}: ${calls} calls of ${project}; the store has ${sizeMiB(dir)} MiB`)
console.log(`Milliseconds\n${table.toString()}`)
