import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ActivityStore } from '../../../src/store/activity-store.js'
import type { DuckDbStore } from '../../../src/store/duckdb/duckdb-store.js'
import { openDuckDbStore } from '../../../src/store/duckdb/open-duckdb-store.js'
import { hourly } from '../../support/activity.js'
import { tempDir } from '../../support/temp-dir.js'

const ann = { source: 'application_key', credential_id: 'key_ann', name: 'Ann', roles: ['Admin'] } as const
const bob = { source: 'application_key', credential_id: 'key_bob', name: 'Bob', roles: [] } as const
const boss = { source: 'admin_token', credential_id: 'sub-1', name: 'boss@example.com', roles: ['Admin'] } as const
const root = { source: 'admin_token', credential_id: 'sub-0', name: 'root@example.com', roles: ['SuperAdmin'] } as const
const operator = { source: 'operator', credential_id: 'operator', name: 'operator', roles: [] } as const

const story = hourly([
  { ...ann, page: 'get_project_context' },
  { ...ann, page: 'search_calls' },
  { ...bob, page: 'search_calls', outcome: 'refused', code: 'not_found', status: 404 },
  { ...boss, page: 'GET /api/v1/interactions', transport: 'rest' },
  { ...root, page: 'search_calls' },
  { ...operator, page: 'search_calls', transport: 'control' },
  { ...ann, page: 'search_calls', project_id: 'other' },
  { ...ann, page: 'get_call_detail', name: 'Ann (new laptop)' },
  // Bob was made a SuperAdmin for an hour: what he did in it is not shown, the rest is.
  { ...bob, page: 'get_call_detail', roles: ['SuperAdmin'] },
  { ...bob, page: 'search_calls' },
])

const annNow = { name: 'Ann (new laptop)', kind: 'application_key', credential_id: 'key_ann' }
const bobNow = { name: 'Bob', kind: 'application_key', credential_id: 'key_bob' }
const bossNow = { name: 'boss@example.com', kind: 'admin', credential_id: 'sub-1' }
const hour = (n: number) => Date.UTC(2026, 2, 1, n)
const all = { projectId: 'p' }

async function openStore(dataDir: string): Promise<DuckDbStore> {
  return openDuckDbStore({ dataDir, memoryLimit: '256MB', threads: 2, threadPoolSize: 16 })
}

describe('the activity of a project', () => {
  let activity: ActivityStore

  beforeAll(async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'earshot-test-'))
    const store = await openStore(dataDir)
    activity = store.activity
    await activity.insert(story)
    return async () => {
      await store.close()
      rmSync(dataDir, { recursive: true })
    }
  })

  test('is counted without SuperAdmins (at the time of the act), the operator and other projects', async () => {
    expect(await activity.summary(all)).toEqual({
      users: 3,
      requests: 6,
      first_seen: '2026-03-01T00:00:00.000Z',
      last_seen: '2026-03-01T09:00:00.000Z',
    })
    expect(await activity.summary({ projectId: 'nobody' })).toEqual({ users: 0, requests: 0 })
  })

  test('counts from the lower bound up to but not including the upper one', async () => {
    expect(await activity.summary({ ...all, from: hour(1), until: hour(3) })).toMatchObject({ requests: 2 })
    expect(await activity.summary({ ...all, from: hour(1), until: hour(3) + 1 })).toMatchObject({ requests: 3 })
    expect(await activity.summary({ ...all, from: hour(1) + 1, until: hour(3) })).toMatchObject({ requests: 1 })
  })

  test('lists users by requests, under the name they had last', async () => {
    const { entries, next } = await activity.users(all, { limit: 10 })
    expect(next).toBeUndefined()
    expect(entries).toMatchObject([
      { user: annNow, requests: 3, first_seen: '2026-03-01T00:00:00.000Z', last_seen: '2026-03-01T07:00:00.000Z' },
      { user: bobNow, requests: 2 },
      { user: bossNow, requests: 1 },
    ])
  })

  test('finds a user by any name it had, an administrator by e-mail, a SuperAdmin by none', async () => {
    expect(await activity.usersNamed(all, 'Ann')).toMatchObject([{ user: annNow, requests: 3 }])
    expect(await activity.usersNamed(all, 'boss@example.com')).toMatchObject([{ user: bossNow, requests: 1 }])
    expect(await activity.usersNamed(all, 'root@example.com')).toEqual([])
    expect(await activity.usersNamed(all, 'key_bob')).toMatchObject([{ user: bobNow, requests: 2 }])
    expect(await activity.usersNamed(all, 'sub-0')).toEqual([])
    expect(await activity.usersNamed({ ...all, until: hour(7) }, 'Ann (new laptop)')).toEqual([])
  })

  test('lists pages by views, of all or of one user', async () => {
    expect((await activity.pages(all, { limit: 10 })).entries).toEqual([
      { page: 'search_calls', views: 3, users: 2 },
      { page: 'GET /api/v1/interactions', views: 1, users: 1 },
      { page: 'get_call_detail', views: 1, users: 1 },
      { page: 'get_project_context', views: 1, users: 1 },
    ])
    expect((await activity.pages({ ...all, user: bossNow as never }, { limit: 10 })).entries).toEqual([
      { page: 'GET /api/v1/interactions', views: 1, users: 1 },
    ])
  })

  test('lists single requests, newest first', async () => {
    const { entries } = await activity.recent(all, { limit: 4 })
    expect(entries.map(({ seq }) => seq)).toEqual([10, 8, 4, 3])
    expect(entries[3]).toEqual({
      seq: 3,
      at: '2026-03-01T02:00:00.000Z',
      user: bobNow,
      page: 'search_calls',
      outcome: 'refused',
      duration_ms: 1.5,
    })
  })

  test('is paged without repeating or skipping', async () => {
    const seqs: number[] = []
    for (let after: { at: string; seq: number } | undefined, more = true; more;) {
      const page = await activity.recent(all, { limit: 1, ...(after === undefined ? {} : { after }) })
      seqs.push(...page.entries.map(({ seq }) => seq))
      after = page.next
      more = after !== undefined
    }
    expect(seqs).toEqual([10, 8, 4, 3, 2, 1])

    const first = await activity.users(all, { limit: 2 })
    const second = await activity.users(all, { limit: 2, after: first.next! })
    expect([...first.entries, ...second.entries].map(({ user }) => user.credential_id)).toEqual([
      'key_ann',
      'key_bob',
      'sub-1',
    ])
    const firstPages = await activity.pages(all, { limit: 3 })
    const secondPages = await activity.pages(all, { limit: 3, after: firstPages.next! })
    expect(secondPages).toEqual({ entries: [{ page: 'get_project_context', views: 1, users: 1 }] })
  })

  test('stays the same for who pins it to a number, whatever is asked meanwhile', async () => {
    expect(await activity.summary({ ...all, upTo: 4 })).toMatchObject({ users: 3, requests: 4 })
  })

  test('is not read for an asker who has gone', async () => {
    const signal = AbortSignal.abort()
    await expect(activity.summary(all, { signal })).rejects.toMatchObject({ code: 'cancelled' })
  })
})

describe('adding events', () => {
  async function aStore(dataDir = tempDir()): Promise<DuckDbStore> {
    const store = await openStore(dataDir)
    onTestFinished(() => store.close())
    return store
  }

  test('twice changes nothing', async () => {
    const { activity } = await aStore()
    expect(await activity.insert(story.slice(0, 4))).toBe(4)
    expect(await activity.insert(story.slice(2))).toBe(6)
    expect(await activity.insert(story)).toBe(0)
    expect(await activity.lastSequence()).toBe(10)
    expect(await activity.summary(all)).toMatchObject({ requests: 6 })
  })

  test('keeps any text as it is', async () => {
    const { activity } = await aStore()
    const odd = `O'Neil "x" \\ {}[] \u{fffd} 💬 $1`
    await activity.insert(hourly([{ ...ann, name: odd, page: odd }]))
    expect((await activity.recent(all, { limit: 1 })).entries).toMatchObject([{ user: { name: odd }, page: odd }])
  })

  test('is not forgotten where events were deleted since, nor by opening the store again', async () => {
    const dataDir = tempDir()
    const before = await openStore(dataDir)
    await before.activity.insert(story)
    expect(await before.activity.deleteBefore(hour(8))).toBe(8)
    expect(await before.activity.deleteBefore(hour(8))).toBe(0)
    expect(await before.activity.summary(all)).toMatchObject({ requests: 1 })
    await before.activity.deleteBefore(hour(100))
    await before.close()
    const { activity } = await aStore(dataDir)
    expect(await activity.lastSequence()).toBe(10)
    expect(await activity.insert(story)).toBe(0)
  })
})
