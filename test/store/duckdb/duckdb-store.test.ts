import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Problem } from '../../../src/base/problem.js'
import { type CompiledQuery, narrow, parsePipeline } from '../../../src/pipeline/index.js'
import { scope } from '../../../src/pipeline/scope.js'
import { call, openStore, rows, tempDir } from './support.js'

const query = (sql: string, params: CompiledQuery['params'] = []): CompiledQuery => ({
  sql,
  params,
  decode: row => ({ value: row[0] as never }),
})

/** Runs for minutes when nobody ends it. */
const ENDLESS = query('select count(*) from range(10000000) a, range(10000000) b where a.range * b.range % 7 = 3')

const light = { lane: 'light', deadlineMs: 60_000, maxRows: 100 } as const
const heavy = { lane: 'heavy', deadlineMs: 60_000, maxRows: 100 } as const

describe('query', () => {
  it('binds text, numbers, dates, null and lists as parameters', async () => {
    const store = await openStore()
    const at = new Date('2026-03-01T12:00:00.123Z')
    const sql = `select [$1::VARCHAR, ($2::DOUBLE)::VARCHAR, ($3::BIGINT)::VARCHAR, ($4::TIMESTAMP)::VARCHAR,
      ($5::VARCHAR is null)::VARCHAR, len($6::VARCHAR[])::VARCHAR, len($7::VARCHAR[])::VARCHAR]`
    const { documents } = await store.query(query(sql, [`x'y`, 0.5, 7n, at, null, ['a', 'b'], []]), light)
    expect(documents).toEqual([{ value: [`x'y`, '0.5', '7', '2026-03-01 12:00:00.123', 'true', '2', '0'] }])
  })

  it('gives the first maxRows rows in their order and says whether there were more', async () => {
    const store = await openStore()
    const descending = query('select range from range(10000) order by range desc')
    const some = await store.query(descending, { ...light, maxRows: 3 })
    expect(some).toEqual({
      documents: [{ value: 9999n }, { value: 9998n }, { value: 9997n }],
      truncated: true,
      bytes: 4,
    })
    const all = await store.query(query('select range from range(3)'), { ...light, maxRows: 3 })
    expect(all.truncated).toBe(false)
  })

  it('ends a query at its deadline, names the limit, and the connection serves the next', async () => {
    const store = await openStore({ maxHeavy: 1 })
    await expect(store.query(ENDLESS, { ...heavy, deadlineMs: 200 })).rejects.toMatchObject({
      code: 'deadline_exceeded',
      message:
        'The query did not finish within its limit of 0.2 s; fewer days, or a filter at the beginning, leave less to read',
    })
    expect((await store.query(query('select 1'), heavy)).documents).toEqual([{ value: 1 }])
  })

  it('names the limit of the answer that a small question is a part of, however little was left of it', async () => {
    const store = await openStore({ maxLight: 1 })
    const before = store.query(ENDLESS, { ...light, deadlineMs: 1_000 }).catch(() => undefined)
    const period = { projectId: 'p', from: 0, to: Date.now() }
    await expect(store.activity.summary(period, { deadlineMs: 50, limitMs: 10_000 })).rejects.toThrow(/limit of 10 s;/)
    await before
  })

  it.each([
    ['goes away', undefined, 'cancelled'],
    ['may hear nothing any more', new Problem('unauthenticated', 'Invalid or inactive API key'), 'unauthenticated'],
  ])('ends a query when its asker %s', async (_, reason, code) => {
    const store = await openStore({ maxHeavy: 1 })
    const asker = new AbortController()
    const running = store.query(ENDLESS, { ...heavy, deadlineMs: 60_000, signal: asker.signal })
    setTimeout(() => asker.abort(reason), 50)
    await expect(running).rejects.toMatchObject({ code })
    await expect(store.query(query('select 1'), { ...heavy, signal: asker.signal })).rejects.toMatchObject({ code })
    expect((await store.query(query('select 1'), heavy)).documents).toHaveLength(1)
  })

  it('counts waiting towards the deadline', async () => {
    const store = await openStore({ maxHeavy: 1 })
    const running = store.query(ENDLESS, { ...heavy, deadlineMs: 1_000 }).catch((error: unknown) => error)
    await expect(store.query(query('select 1'), { ...heavy, deadlineMs: 100 })).rejects.toMatchObject({
      code: 'deadline_exceeded',
    })
    await running
  })

  it('refuses heavy queries as busy when too many wait, and still answers light ones', async () => {
    const store = await openStore({ maxHeavy: 1, maxWaitingHeavy: 1 })
    const asked = [0, 1].map(() => store.query(ENDLESS, { ...heavy, deadlineMs: 500 }).catch((error: unknown) => error))
    await expect(store.query(query('select 1'), heavy)).rejects.toMatchObject({ code: 'busy', retryAfter: 2 })
    expect((await store.query(query('select 1'), light)).documents).toHaveLength(1)
    await Promise.all(asked)
  })

  it('refuses a query that needs more memory than there is, and goes on', async () => {
    const store = await openStore({ memoryLimit: '64MB', tempDirectoryLimit: '1MB' })
    const greedy = query('select len(list(a.range::VARCHAR)) from range(30000000) a')
    await expect(store.query(greedy, { ...heavy, deadlineMs: 15_000 })).rejects.toMatchObject({ code: 'too_large' })
    await expect(store.ping()).resolves.toBeUndefined()
  })

  it('cannot reach files, load code or raise its limits', async () => {
    const store = await openStore()
    const outside = [
      `select * from read_text('/etc/hostname')`,
      `select * from glob('/*')`,
      `select * from read_csv('/etc/passwd')`,
    ]
    for (const sql of outside) await expect(rows(store, sql)).rejects.toThrow(/Permission Error/)
    const settings = await rows(
      store,
      `select name, value from duckdb_settings() where name in ('enable_external_access', 'lock_configuration',
        'autoload_known_extensions', 'autoinstall_known_extensions', 'allow_community_extensions', 'TimeZone') order by name`,
    )
    expect(Object.fromEntries(settings as [string, string][])).toEqual({
      TimeZone: 'UTC',
      allow_community_extensions: 'false',
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
      enable_external_access: 'false',
      lock_configuration: 'true',
    })
  })
})

describe('close', () => {
  it('ends running queries and refuses new ones', async () => {
    const store = await openStore()
    const running = store.query(ENDLESS, { ...heavy, deadlineMs: 60_000 })
    const [ended] = await Promise.all([running.catch((error: unknown) => error), store.close()])
    expect(ended).toMatchObject({ code: 'store_unavailable', message: 'The store is closing' })
    await expect(store.ping()).rejects.toMatchObject({ code: 'store_unavailable' })
    await expect(store.calls.upsert('p', [call('s1')])).rejects.toMatchObject({ code: 'store_unavailable' })
  })

  it('waits for the write under way', async () => {
    const store = await openStore()
    const write = store.calls.upsert('p', [call('s1')])
    await store.close()
    await expect(write).resolves.toMatchObject({ stored: 1 })
  })
})

it('a call that is erased while an export is read slowly keeps nobody waiting, and the log is folded behind the export', async () => {
  const dataDir = tempDir()
  const store = await openStore({ dataDir })
  await store.calls.upsert('p', [call('kept'), call('gone')])
  const stages = [{ $sort: { session_id: 1 } }, { $project: { _id: 0, session_id: 1 } }]
  const all = narrow(parsePipeline(stages), scope('p', 'all'))
  let goOn = (): void => undefined
  const slowly = new Promise<void>(resolve => (goOn = resolve))
  const stream = store.stream(
    async function* (read) {
      yield* read(all)
      await slowly
      yield* read(all)
    },
    { project: 'p', key: '' },
  )
  const read: unknown[] = []
  stream.on('data', (some: readonly object[]) => read.push(...some))
  await once(stream, 'data')
  await store.calls.eraseAll('p', ['gone'])
  await store.calls.upsert('q', [call('written')])
  expect(await rows(store, 'select session_id from calls order by 1')).toHaveLength(2)
  const log = join(dataDir, 'earshot.duckdb.wal')
  expect(existsSync(log)).toBe(true)
  goOn()
  await once(stream, 'end')
  // What it gives is of one instant.
  expect(read).toHaveLength(4)
  await expect.poll(() => existsSync(log), { timeout: 10_000 }).toBe(false)
})
