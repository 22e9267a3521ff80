import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compile, narrow, parsePipeline } from '../../../src/pipeline/index.js'
import { scope } from '../../../src/pipeline/scope.js'
import type { DuckDbStore } from '../../../src/store/duckdb/duckdb-store.js'
import { sized } from '../../support/whole.js'
import { call, openStore, rows, tempDir } from './support.js'

type Agents = 'all' | readonly string[]

function lookUp(id: string, agents: Agents = 'all', projectId = 'p') {
  const pipeline = parsePipeline([{ $match: { session_id: id } }, { $project: { title: 1 } }], { now: new Date() })
  return narrow(pipeline, scope(projectId, agents))
}

async function titleOf(store: DuckDbStore, ...asked: Parameters<typeof lookUp>): Promise<unknown> {
  const { documents } = await store.run(lookUp(...asked), { lane: 'light', deadlineMs: 60_000, maxDocuments: 9 })
  expect(documents.length).toBeLessThan(2)
  return documents[0]?.['title']
}

/** Where a lookup looks: the number of a write, and whether the call may stand there. */
async function placesOf(store: DuckDbStore, id: string, agents: Agents = 'all') {
  const scoped = lookUp(id, agents)
  const { place } = compile(scoped, await store.sessions.sourceFor(scoped.scope))
  return (await rows(store, place!.sql, place!.params as string[])) as readonly [number | bigint, boolean][]
}

const several = (count: number, prefix: string, fields: object = {}) =>
  Array.from({ length: count }, (_, n) => call(`${prefix}${n}`, { title: `${prefix}${n}`, ...fields }))

/** Runs of the project with their entries, and the calls that stand there; each in the order of their numbers. */
const runs = (store: DuckDbStore) =>
  rows(
    store,
    `select (select coalesce(sum(len(entries)), 0)::integer from session_entries e where e.run = r.run),
       (select count(*)::integer from calls where write_number >= from_number and write_number < to_number)
     from session_runs r order by from_number`,
  )

/** Calls that stand before the end of the index and are not in it, and entries of keys that no call has. */
async function astray(store: DuckDbStore) {
  const entries = 'select project_id, unnest(entries, recursive := true) from session_entries'
  const lost = await rows(
    store,
    `select session_id from calls c where write_number < (select max(to_number) from session_runs r where r.project_id = c.project_id)
       and not exists (from (${entries}) e where e.project_id = c.project_id and e."key" = c.session_key and e."number" = c.write_number)`,
  )
  const left = await rows(
    store,
    `select "key" from (${entries}) where ("key", project_id) not in (select (session_key, project_id) from calls)`,
  )
  return { lost, left }
}

const AGENTS = ['Ana', 'Ben'] as const
const IDS = Array.from({ length: 8 }, (_, n) => `s${n}`)

const someIds = fc.uniqueArray(fc.constantFrom(...IDS), { minLength: 1, maxLength: 6 })
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ does: fc.constant('write'), ids: someIds, agent: fc.constantFrom(...AGENTS) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('erase'), ids: someIds }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('strip'), ids: someIds }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('index') }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('open') }) },
)
type Step = { does: string; ids?: string[]; agent?: (typeof AGENTS)[number] }

describe('a call is found by its id as it stands', () => {
  it('whatever was written, erased and indexed before, by whoever hears its agent and nobody else', async () => {
    const dataDir = tempDir()
    let store = await openStore({ dataDir, sessionRun: 3 })
    let projects = 0
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps: readonly Step[]) => {
        const project = `p${(projects += 1)}`
        const there = new Map<string, { title: string; agent: string }>()
        for (const [n, { does, ids = [], agent = 'Ana' }] of steps.entries()) {
          const title = `written in step ${n}`
          if (does === 'write') {
            const fields = { title, agent_name: agent, recording_url: 'https://recordings.example/1' }
            const calls = ids.map(id => call(id, fields))
            await store.calls.upsert(project, calls, { restoreErased: true })
            for (const id of ids) there.set(id, { title, agent })
          } else if (does === 'erase') {
            await store.calls.eraseAll(project, ids)
            for (const id of ids) there.delete(id)
          } else if (does === 'strip') await store.calls.eraseTranscripts(project, ids)
          else if (does === 'index') await store.sessions.indexSessions(project)
          else {
            await store.close()
            store = await openStore({ dataDir, sessionRun: 3 })
          }
        }
        expect(await astray(store)).toEqual({ lost: [], left: [] })
        for (const id of IDS) {
          const written = there.get(id)
          expect(await titleOf(store, id, 'all', project)).toBe(written?.title)
          for (const agent of AGENTS) {
            const heard = written?.agent === agent ? written.title : undefined
            expect(await titleOf(store, id, [agent], project)).toBe(heard)
          }
        }
      }),
      { numRuns: sized(4, 12) },
    )
  })

  it('also where it was written more often than places are looked at', async () => {
    const store = await openStore({ sessionRun: 4 })
    for (let n = 0; n < 6; n += 1) {
      await store.calls.upsert('p', [call('often', { title: `time ${n}` }), ...several(12, `w${n}-`)])
      expect(await store.sessions.indexSessions('p')).toBe(13)
    }
    expect(await placesOf(store, 'often')).toHaveLength(6)
    expect(await titleOf(store, 'often')).toBe('time 5')
    expect(await titleOf(store, 'often', ['Ana'])).toBe('time 5')
    expect(await titleOf(store, 'often', ['Ben'])).toBeUndefined()
  })

  it('also where it was renamed, of whose old name nothing is left', async () => {
    const store = await openStore({ sessionRun: 2 })
    const at = Date.parse('2026-03-01T12:00:00Z')
    await store.calls.upsert('p', [call('mon'), call('tue', { title: 'Tuesday' })])
    expect(await store.sessions.indexSessions('p')).toBe(2)
    const renamed = { ...call('inbox/mon', { title: 'renamed' }), placed: { bare: 'mon', began: at, words: undefined } }
    expect(await store.calls.upsert('p', [renamed])).toMatchObject({ replaced: 1 })
    expect(await astray(store)).toEqual({ lost: [], left: [] })
    expect(await titleOf(store, 'mon')).toBeUndefined()
    expect(await titleOf(store, 'inbox/mon')).toBe('renamed')
  })
})

describe('the time it takes', () => {
  it('does not hang on calls of agents that are not heard: as many places are looked at without them', async () => {
    const store = await openStore({ sessionRun: 40 })
    for (const round of [1, 2]) {
      await store.calls.upsert('p', [call('theirs', { agent_name: 'Ben' }), ...several(60, `a${round}-`)])
      await store.sessions.indexSessions('p')
    }
    await store.calls.upsert('p', [call('late', { agent_name: 'Ben' })])
    const looked = async (id: string) => (await placesOf(store, id, ['Ana'])).length
    expect(await looked('theirs')).toBe(4)
    expect(await looked('nobody')).toBe(4)
    expect(await looked('late')).toBe(4)
    expect(await looked('a1-7')).toBe(4)
    // Who hears everybody may know what is there.
    expect(await placesOf(store, 'theirs')).toHaveLength(2)
    expect(await placesOf(store, 'nobody')).toEqual([])
  })
})

describe('runs', () => {
  it('are made of enough calls, and of no more than one may have', async () => {
    const store = await openStore({ sessionRun: 2 })
    await store.calls.upsert('p', several(1, 'first'))
    expect(await store.sessions.indexSessions('p')).toBe(0)
    for (let n = 0; n < 10; n += 1) await store.calls.upsert('p', several(5, `w${n}-`))
    const progress: unknown[] = []
    expect(await store.sessions.indexSessions('p', { progress: done => progress.push(done) })).toBe(51)
    expect(progress.at(-1)).toEqual({ made: 51, left: 0 })
    const made = (await runs(store)) as [number, number][]
    for (const [entries, calls] of made) expect(entries).toBe(calls)
    for (const [entries] of made) expect(entries).toBeLessThanOrEqual(8)
    expect(await titleOf(store, 'w7-3')).toBe('w7-3')
  })

  it('become one where they are small, as soon as the next does not fit in', async () => {
    const store = await openStore({ sessionRun: 4 })
    for (let n = 0; n < 5; n += 1) {
      await store.calls.upsert('p', several(4, `w${n}-`))
      await store.sessions.indexSessions('p')
    }
    expect(await runs(store)).toEqual([
      [16, 16],
      [4, 4],
    ])
    expect(await titleOf(store, 'w0-0')).toBe('w0-0')
  })

  it('are made anew where their calls are written anew', async () => {
    const store = await openStore({ sessionRun: 4 })
    await store.calls.upsert('p', several(8, 'a'))
    await store.sessions.indexSessions('p')
    await store.calls.upsert('p', several(7, 'a', { title: 'anew' }))
    expect(await store.sessions.indexSessions('p')).toBe(7)
    expect(await runs(store)).toEqual([[8, 8]])
    expect(await titleOf(store, 'a3')).toBe('anew')
    expect(await titleOf(store, 'a7')).toBe('a7')
  })

  it('are made of all calls also where those of another project stand between', async () => {
    const store = await openStore({ sessionRun: 2 })
    await store.calls.upsert('p', several(1, 'first'))
    for (let n = 0; n < 12; n += 1) await store.calls.upsert('q', several(1, `other${n}-`))
    for (let n = 0; n < 5; n += 1) await store.calls.upsert('p', several(5, `w${n}-`))
    expect(await store.sessions.indexSessions('p')).toBe(26)
    expect(await astray(store)).toEqual({ lost: [], left: [] })
    expect(await titleOf(store, 'w4-4')).toBe('w4-4')
  })

  it('end between two where it is stopped', async () => {
    const store = await openStore({ sessionRun: 2 })
    for (let n = 0; n < 10; n += 1) await store.calls.upsert('p', several(5, `w${n}-`))
    const stop = new AbortController()
    const made = await store.sessions.indexSessions('p', { signal: stop.signal, progress: () => stop.abort() })
    expect(made).toBeGreaterThan(0)
    expect(made).toBeLessThan(50)
    expect(await titleOf(store, 'w0-0')).toBe('w0-0')
    expect(await titleOf(store, 'w9-4')).toBe('w9-4')
  })
})
