import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { countsShape, narrowCounts, parsePipeline } from '../../../../src/pipeline/index.js'
import { scope } from '../../../../src/pipeline/scope.js'
import type { DuckDbStore } from '../../../../src/store/duckdb/duckdb-store.js'
import { isWhole } from '../../../support/whole.js'
import { openStore, rows, tempDir } from '../support.js'

/** What a process is killed before: how its statement begins. What a count is made of, what is put in its place, and when that is durable. */
const KILLED_BEFORE = [
  'create or replace temp table counting as',
  'insert into made_value_days',
  'delete from times_being_counted where project_id = $1 and from_at',
  'delete from value_days',
  'insert into counted_days',
  'insert into agent_days',
  'insert into counted_values',
  'insert into value_days',
  'drop table if exists temp.made_agent_days',
]
const killedBefore = isWhole ? KILLED_BEFORE : KILLED_BEFORE.slice(-2)
const BATCH = 40

/**
 * A process of its own that writes a batch of calls and counts days; while it counts it writes another one,
 * and kills itself before a statement. It says the number of each batch that is acknowledged. @returns those
 */
async function killed(dataDir: string, { batch, before }: { readonly batch: number; readonly before: string }) {
  const program = `
    import { DuckDBConnection } from '@duckdb/node-api'
    import { writeSync } from 'node:fs'
    import { openDuckDbStore } from ${JSON.stringify(new URL('../../../../dist/store/duckdb/open-duckdb-store.js', import.meta.url).href)}
    const [dataDir, before, first] = process.argv.slice(1)
    // To the last two of the four days calls still come.
    Date.now = () => Date.UTC(2026, 2, 3, 12)
    const store = await openDuckDbStore({ dataDir, memoryLimit: '256MB', threads: 2, countedAtOnce: 100 })
    const call = (id, day, agent) => {
      const signals = ['sig.a', 'sig.b'].map((key, i) => ({ key, state: (id.length + i) % 2 === 0 ? 'present' : 'absent' }))
      const created_dt = new Date(Date.UTC(2026, 2, 1 + day, 10)).toISOString()
      const json = JSON.stringify({ session_id: id, agent_id: agent, agent_name: agent, created_dt, signals })
      return { session_id: id, agent_id: agent, agent_name: agent, json }
    }
    const write = async batch => {
      // Calls of four days; one of those before goes to another day and agent.
      const calls = Array.from({ length: ${BATCH} }, (_, i) => call(batch + '-' + i, (batch + i % 2) % 4, 'agent ' + i % 3))
      await store.calls.upsert('p', batch === 0 ? calls : [...calls, call(batch - 1 + '-0', (batch + 2) % 4, 'moved ' + batch)])
      writeSync(1, batch + '\\n')
    }
    await write(Number(first))
    const run = DuckDBConnection.prototype.run
    let writing
    DuckDBConnection.prototype.run = async function (sql, ...others) {
      if (sql.includes('into made_agent_days')) await (writing ??= write(Number(first) + 1))
      if (writing !== undefined && sql.startsWith(before)) process.kill(process.pid, 'SIGKILL')
      return await run.call(this, sql, ...others)
    }
    const keeping = setInterval(() => undefined, 1_000)
    // Days that changed meanwhile are left to the next time.
    for (let times = 0; times < 2; times += 1) await store.counts.countDays('p', 'UTC')
    clearInterval(keeping)
    await store.close()`
  const given = ['--input-type=module', '-e', program, dataDir, before, String(batch)]
  const child = spawn(process.execPath, given, { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const gone = once(child, 'close')
  let said = ''
  child.stdout.on('data', piece => (said += String(piece)))
  expect(await gone).toEqual([null, 'SIGKILL'])
  return said.trim().split('\n').map(Number)
}

/** What counts say of each day, by agents and by signals, in order. */
async function counted(store: DuckDbStore): Promise<unknown> {
  const of = async (by: 'agent' | 'signal', what: 'agent_name' | 'key') => {
    const stages = [
      { $group: { _id: { what: `$${what}`, day: { $dayOfMonth: '$day' } }, calls: { $sum: '$calls' } } },
      { $sort: { '_id.what': 1, '_id.day': 1 } },
    ]
    const parsed = parsePipeline(stages, { shape: countsShape({ by }), now: new Date('2026-04-01') })
    const counts = narrowCounts(parsed, scope('p', 'all'), { by, spans: [{}], timeZone: 'UTC' })
    const { documents } = await store.counts.run(counts, { lane: 'light', deadlineMs: 60_000, maxDocuments: 1_000 })
    return documents.map(({ _id, calls }) => ({ ...Object(_id), calls }))
  }
  return { agents: await of('agent', 'agent_name'), signals: await of('signal', 'key') }
}

/** The same of the calls themselves. */
async function standing(store: DuckDbStore): Promise<unknown> {
  const of = async (what: string, from: string) => {
    const found = await rows(
      store,
      `select {what: ${what}, day: day(created_dt)::integer, calls: count(*)::integer}::json::varchar
       from ${from} group by ${what}, day(created_dt) order by ${what}, day(created_dt)`,
    )
    return found.flat().map(one => JSON.parse(String(one)))
  }
  return {
    agents: await of('agent_name', 'calls'),
    signals: await of('signal', '(select created_dt, unnest(present_signals) as signal from calls)'),
  }
}

test('killed while it counts days, a store has what was acknowledged, and its counts are those of its calls', async () => {
  const dataDir = tempDir()
  // oxlint-disable no-await-in-loop -- one process after the other
  for (const [kill, before] of killedBefore.entries()) {
    const batch = 2 * kill
    expect(await killed(dataDir, { batch, before })).toEqual([batch, batch + 1])
    const store = await openStore({ dataDir })
    const written = `select split_part(session_id, '-', 1)::integer as n, count(*)::integer from calls group by n order by n`
    expect(await rows(store, written)).toEqual(Array.from({ length: batch + 2 }, (_, n) => [n, BATCH]))
    expect(await counted(store)).toEqual(await standing(store))
    await store.close()
  }
  // oxlint-enable no-await-in-loop
  const store = await openStore({ dataDir })
  await store.counts.countDays('p', 'UTC')
  expect(await counted(store)).toEqual(await standing(store))
  expect(await rows(store, 'select count(*)::integer from counted_days')).toEqual([[4]])
  expect(await rows(store, 'select * from times_being_counted')).toEqual([])
})
