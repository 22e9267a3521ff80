import { beforeAll, describe, expect, test } from 'vitest'
import { hourly } from '../../support/activity.js'
import type { World } from './world.js'

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
const bobNow = { name: 'Bob', kind: 'application_key', credential_id: 'key_bob' } as const
const bossNow = { name: 'boss@example.com', kind: 'admin', credential_id: 'sub-1' }
const hour = (n: number) => Date.UTC(2026, 2, 1, n)
const all = { projectId: 'p' }

/** Of one store: its events have one order of numbers. */
export function activityPromises(world: World<'activity'>): void {
  describe('the activity of a project', () => {
    let pin: number

    beforeAll(async () => {
      await world.record(story.slice(0, 4))
      pin = await world.store.activity.pin()
      await world.record(story.slice(4))
    })

    test('is counted without SuperAdmins (at the time of the act), the operator and other projects', async () => {
      expect(await world.store.activity.summary(all)).toEqual({
        users: 3,
        requests: 6,
        first_seen: '2026-03-01T00:00:00.000Z',
        last_seen: '2026-03-01T09:00:00.000Z',
      })
      expect(await world.store.activity.summary({ projectId: 'nobody' })).toEqual({ users: 0, requests: 0 })
    })

    test('counts from the lower bound up to but not including the upper one', async () => {
      expect(await world.store.activity.summary({ ...all, from: hour(1), until: hour(3) })).toMatchObject({
        requests: 2,
      })
      expect(await world.store.activity.summary({ ...all, from: hour(1), until: hour(3) + 1 })).toMatchObject({
        requests: 3,
      })
      expect(await world.store.activity.summary({ ...all, from: hour(1) + 1, until: hour(3) })).toMatchObject({
        requests: 1,
      })
    })

    test('lists users by requests, under the name they had last', async () => {
      const { entries, next } = await world.store.activity.users(all, { limit: 10 })
      expect(next).toBeUndefined()
      expect(entries).toMatchObject([
        { user: annNow, requests: 3, first_seen: '2026-03-01T00:00:00.000Z', last_seen: '2026-03-01T07:00:00.000Z' },
        { user: bobNow, requests: 2 },
        { user: bossNow, requests: 1 },
      ])
    })

    test('finds a user by any name it had, an administrator by e-mail, a SuperAdmin by none', async () => {
      expect(await world.store.activity.usersNamed(all, 'Ann')).toMatchObject([{ user: annNow, requests: 3 }])
      expect(await world.store.activity.usersNamed(all, 'boss@example.com')).toMatchObject([
        { user: bossNow, requests: 1 },
      ])
      expect(await world.store.activity.usersNamed(all, 'root@example.com')).toEqual([])
      expect(await world.store.activity.usersNamed(all, 'key_bob')).toMatchObject([{ user: bobNow, requests: 2 }])
      expect(await world.store.activity.usersNamed(all, 'sub-0')).toEqual([])
      expect(await world.store.activity.usersNamed({ ...all, until: hour(7) }, 'Ann (new laptop)')).toEqual([])
    })

    test('lists pages by views, of all or of one user', async () => {
      expect((await world.store.activity.pages(all, { limit: 10 })).entries).toEqual([
        { page: 'search_calls', views: 3, users: 2 },
        { page: 'GET /api/v1/interactions', views: 1, users: 1 },
        { page: 'get_call_detail', views: 1, users: 1 },
        { page: 'get_project_context', views: 1, users: 1 },
      ])
      expect((await world.store.activity.pages({ ...all, user: bossNow as never }, { limit: 10 })).entries).toEqual([
        { page: 'GET /api/v1/interactions', views: 1, users: 1 },
      ])
    })

    test('lists single requests, newest first', async () => {
      const { entries } = await world.store.activity.recent(all, { limit: 4 })
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

    test('lists those of one user alone', async () => {
      const { kind, credential_id } = bobNow
      const user = { kind, credential_id }
      const { entries } = await world.store.activity.recent({ ...all, user }, { limit: 10 })
      const everybodys = await world.store.activity.recent(all, { limit: 10 })
      const bobs = everybodys.entries.filter(one => one.user.credential_id === credential_id)
      expect(entries).toEqual(bobs)
      expect([bobs.length > 0, bobs.length < everybodys.entries.length]).toEqual([true, true])
    })

    test('is paged without repeating or skipping', async () => {
      const seqs: number[] = []
      for (let after: { at: string; seq: number } | undefined, more = true; more;) {
        const page = await world.store.activity.recent(all, { limit: 1, ...(after === undefined ? {} : { after }) })
        seqs.push(...page.entries.map(({ seq }) => seq))
        after = page.next
        more = after !== undefined
      }
      expect(seqs).toEqual([10, 8, 4, 3, 2, 1])

      const first = await world.store.activity.users(all, { limit: 2 })
      const second = await world.store.activity.users(all, { limit: 2, after: first.next! })
      expect([...first.entries, ...second.entries].map(({ user }) => user.credential_id)).toEqual([
        'key_ann',
        'key_bob',
        'sub-1',
      ])
      const firstPages = await world.store.activity.pages(all, { limit: 3 })
      const secondPages = await world.store.activity.pages(all, { limit: 3, after: firstPages.next! })
      expect(secondPages).toEqual({ entries: [{ page: 'get_project_context', views: 1, users: 1 }] })
    })

    test('stays the same for who pins it to a number, whatever is asked meanwhile', async () => {
      expect(await world.store.activity.summary({ ...all, upTo: pin })).toMatchObject({ users: 3, requests: 4 })
    })

    test('is not read for an asker who has gone', async () => {
      const signal = AbortSignal.abort()
      await expect(world.store.activity.summary(all, { signal })).rejects.toMatchObject({ code: 'cancelled' })
    })

    test('keeps any text as it is', async () => {
      const odd = `O'Neil "x" \\ {}[] \u{fffd} 💬 $1`
      const [event] = hourly([{ ...ann, name: odd, page: odd, project_id: 'odd' }])
      await world.record([{ ...event!, seq: 11 }])
      const filter = { projectId: 'odd' }
      expect((await world.store.activity.recent(filter, { limit: 1 })).entries).toMatchObject([
        { user: { name: odd }, page: odd },
      ])
      expect(await world.store.activity.usersNamed(filter, odd)).toHaveLength(1)
    })

    test('is there when the store is opened again', async () => {
      const { entries } = await world.stays(() => world.store.activity.recent(all, { limit: 10 }))
      expect(entries).toHaveLength(6)
    })
  })
}
