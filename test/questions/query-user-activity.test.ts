import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { queryUserActivity } from '../../src/questions/query-user-activity.js'
import { hourly } from '../support/activity.js'
import { type Asking, asking, caller } from '../support/asking.js'

const ann = { credential_id: 'key_ann', name: 'Ann', roles: ['Admin'] } as const
const bob = { credential_id: 'key_bob', name: 'Bob', roles: [] } as const
const otherBob = { credential_id: 'key_bob2', name: 'Bob', roles: [] } as const
const boss = { source: 'admin_token', credential_id: 'sub-1', name: 'boss@example.com', roles: ['Admin'] } as const
const root = { source: 'admin_token', credential_id: 'sub-0', name: 'root@example.com', roles: ['SuperAdmin'] } as const

const user = {
  ann: { name: 'Ann', kind: 'application_key', key_id: 'key_ann' },
  bob: { name: 'Bob', kind: 'application_key', key_id: 'key_bob' },
  otherBob: { name: 'Bob', kind: 'application_key', key_id: 'key_bob2' },
  boss: { name: 'boss@example.com', kind: 'admin', key_id: 'sub-1' },
}

// One an hour from midnight UTC of 2026-03-01.
const story = hourly([
  { ...ann, page: 'get_project_context' },
  { ...ann, page: 'search_calls' },
  { ...bob, page: 'search_calls', outcome: 'refused' },
  { ...otherBob, page: 'search_calls' },
  { ...root, page: 'search_calls' },
  { ...ann, page: 'secret_page', project_id: 'other' },
  { ...boss, page: 'GET /api/v1/interactions', transport: 'rest' },
  // An evening in UTC that is the next day in Berlin.
  { ...ann, page: 'search_calls', at: '2026-03-01T23:30:00.000Z' },
])

let service: Asking
beforeAll(async () => {
  service = await asking('Europe/Berlin')
  await service.store.activity.insert(story)
})
afterAll(() => service.close())

const ask = (args: object, who = caller()) => service.ask(queryUserActivity, args, who)
const page = (answer: Awaited<ReturnType<typeof ask>>) => answer.pages?.map(one => one.page)

describe('summary', () => {
  test('gives totals, the daily average with its days, and who asked most', async () => {
    expect(await ask({ query_type: 'summary', end_date: '2026-03-04' })).toEqual({
      window: { from: '2026-03-01T00:00:00.000Z', to: '2026-03-04T22:59:59.999Z', time_zone: 'Europe/Berlin' },
      users: 4,
      requests: 6,
      days: 4,
      average_daily_requests: 1.5,
      most_active: [
        { user: user.ann, requests: 3, last_seen: '2026-03-01T23:30:00.000Z' },
        { user: user.boss, requests: 1, last_seen: '2026-03-01T06:00:00.000Z' },
        { user: user.bob, requests: 1, last_seen: '2026-03-01T02:00:00.000Z' },
        { user: user.otherBob, requests: 1, last_seen: '2026-03-01T03:00:00.000Z' },
      ].toSorted((a, b) => b.requests - a.requests || (a.user.kind === 'admin' ? -1 : 1)),
    })
  })

  test('cuts days in the time zone of the project', async () => {
    expect(await ask({ query_type: 'summary', start_date: '2026-03-02', end_date: '2026-03-02' })).toMatchObject({
      window: { from: '2026-03-01T23:00:00.000Z', to: '2026-03-02T22:59:59.999Z' },
      requests: 1,
      days: 1,
    })
  })

  test('does not count days to come: now is noon of 2026-03-15', async () => {
    expect(await ask({ query_type: 'summary', start_date: '2026-03-14', end_date: '2026-03-31' })).toMatchObject({
      requests: 0,
      days: 2,
      average_daily_requests: 0,
    })
    const future = await ask({ query_type: 'summary', start_date: '2026-04-01' })
    expect(future).toMatchObject({ users: 0, requests: 0, days: 0, most_active: [] })
    expect(future.average_daily_requests).toBeUndefined()
  })

  test('of a project in which nobody asked anything', async () => {
    await service.store.activity.insert([])
    const nobody = await asking()
    const answer = await nobody.ask(queryUserActivity, { query_type: 'summary' })
    await nobody.close()
    expect(answer).toEqual({
      window: { to: '2026-03-15T12:00:00.000Z', time_zone: 'UTC' },
      users: 0,
      requests: 0,
      days: 0,
      most_active: [],
    })
  })
})

describe('user_detail', () => {
  test('of an administrator by e-mail', async () => {
    expect(await ask({ query_type: 'user_detail', user_email: 'boss@example.com' })).toMatchObject({
      user: user.boss,
      requests: 1,
      first_seen: '2026-03-01T06:00:00.000Z',
      last_seen: '2026-03-01T06:00:00.000Z',
      pages: [{ page: 'GET /api/v1/interactions', views: 1 }],
      count: 1,
    })
  })

  test('of a key by name: of two with the name the one seen last, the other beside it and found by key_id', async () => {
    const byName = await ask({ query_type: 'user_detail', user_email: 'Bob' })
    expect(byName).toMatchObject({ user: user.otherBob, same_name: [{ user: user.bob, requests: 1 }] })
    const byId = await ask({ query_type: 'user_detail', user_email: 'key_bob' })
    expect(byId).toMatchObject({ user: user.bob, requests: 1 })
    expect(byId.same_name).toBeUndefined()
  })

  test('pages through what a user asked for', async () => {
    const query = { query_type: 'user_detail', user_email: 'Ann', limit: 1 }
    const first = await ask(query)
    expect(first).toMatchObject({ requests: 3, pages: [{ page: 'search_calls', views: 2 }] })
    const second = await ask({ ...query, cursor: first.next_cursor })
    expect(second).toMatchObject({ requests: 3, pages: [{ page: 'get_project_context', views: 1 }] })
    expect(second.next_cursor).toBeUndefined()
  })

  test('of someone who did nothing in the period has zero requests', async () => {
    const quiet = { query_type: 'user_detail', user_email: 'Bob', start_date: '2026-03-10' }
    expect(await ask(quiet)).toMatchObject({ requests: 0, pages: [], user: { name: 'Bob' } })
  })

  test.each([
    ['someone who was never here', 'nobody@example.com'],
    ['a SuperAdmin', 'root@example.com'],
  ])('%s is not found', async (_, email) => {
    await expect(ask({ query_type: 'user_detail', user_email: email })).rejects.toMatchObject({
      code: 'not_found',
      message: `User not found: "${email}"; query_type active_users lists them`,
    })
  })
})

describe('lists', () => {
  test('active_users, most requests first', async () => {
    const { users, count } = await ask({ query_type: 'active_users' })
    expect(count).toBe(4)
    expect(users).toMatchObject([{ user: user.ann, requests: 3 }, {}, {}, {}])
  })

  test('page_views, of this project alone and without SuperAdmins', async () => {
    const answer = await ask({ query_type: 'page_views' })
    expect(answer.pages).toEqual([
      { page: 'search_calls', views: 4, users: 3 },
      { page: 'GET /api/v1/interactions', views: 1, users: 1 },
      { page: 'get_project_context', views: 1, users: 1 },
    ])
  })

  test('recent_activity, newest first', async () => {
    const { events } = await ask({ query_type: 'recent_activity', limit: 2 })
    expect(events).toEqual([
      { at: '2026-03-01T23:30:00.000Z', user: user.ann, page: 'search_calls', outcome: 'ok', duration_ms: 1.5 },
      {
        at: '2026-03-01T06:00:00.000Z',
        user: user.boss,
        page: 'GET /api/v1/interactions',
        outcome: 'ok',
        duration_ms: 1.5,
      },
    ])
  })

  test('recent_activity of one user, by name as user_detail, page by page', async () => {
    const query = { query_type: 'recent_activity', user_email: 'Ann', limit: 2 }
    const first = await ask(query)
    expect(first).toMatchObject({ user: user.ann, count: 2, events: [{ page: 'search_calls' }, { user: user.ann }] })
    const second = await ask({ ...query, cursor: first.next_cursor })
    expect(second).toMatchObject({ user: user.ann, events: [{ page: 'get_project_context', user: user.ann }] })
    expect(second.next_cursor).toBeUndefined()
    const byName = await ask({ ...query, user_email: 'Bob' })
    expect(byName).toMatchObject({ events: [{ user: user.otherBob }], same_name: [{ user: user.bob }], count: 1 })
    expect(await ask({ ...query, user_email: 'key_bob' })).toMatchObject({ events: [{ outcome: 'refused' }] })
    const quiet = { ...query, user_email: 'Bob', start_date: '2026-03-10' }
    expect(await ask(quiet)).toMatchObject({ user: { name: 'Bob' }, events: [], count: 0 })
    for (const hidden of ['nobody@example.com', 'root@example.com'])
      await expect(ask({ ...query, user_email: hidden })).rejects.toMatchObject({ code: 'not_found' })
    await expect(ask({ ...query, user_email: 'Bob' }, caller({}, 'other'))).rejects.toMatchObject({ code: 'not_found' })
  })

  test('recent_activity of one user goes on with that one, whoever has the name by then', async () => {
    const own = await asking()
    await own.store.activity.insert(story)
    const turn = (cursor?: string) =>
      own.ask(queryUserActivity, {
        query_type: 'recent_activity',
        user_email: 'Ann',
        limit: 2,
        ...(cursor && { cursor }),
      })
    const first = await turn()
    const other = { credential_id: 'key_ann2', name: 'Ann', roles: [] } as const
    await own.store.activity.insert(hourly([...story.map(() => other), ...story.map(() => other)]))
    const second = await turn(first.next_cursor)
    await own.close()
    expect(second.events?.map(one => one.user)).toEqual([user.ann])
  })

  test('go on where they were, whoever asks meanwhile', async () => {
    const own = await asking()
    await own.store.activity.insert(story)
    const turn = (cursor?: string) =>
      own.ask(queryUserActivity, { query_type: 'page_views', limit: 1, ...(cursor && { cursor }) })
    const first = await turn()
    const late = hourly([
      ...story.map(() => ann),
      ...Array.from({ length: 9 }, () => ({ ...bob, page: 'get_signals' })),
    ])
    await own.store.activity.insert(late)
    const second = await turn(first.next_cursor)
    const third = await turn(second.next_cursor)
    await own.close()
    expect([first, second, third].flatMap(page)).toEqual([
      'search_calls',
      'GET /api/v1/interactions',
      'get_project_context',
    ])
    expect(third.next_cursor).toBeUndefined()
  })

  test('wait for what is on record', async () => {
    let done = false
    const own = await asking('UTC', {
      catchUp: async () => {
        await own.store.activity.insert(story)
        done = true
      },
    })
    const { count } = await own.ask(queryUserActivity, { query_type: 'recent_activity' })
    await own.close()
    expect({ done, count }).toEqual({ done: true, count: 6 })
  })
})

describe('who may ask', () => {
  test.each([[['Admin']], [['SuperAdmin']], [['Supervisor', 'Admin']]])('roles %j may', async roles => {
    expect(await ask({ query_type: 'summary' }, caller({ roles }))).toMatchObject({ requests: 6 })
  })

  test.each([[[]], [['Supervisor']]])('roles %j may not', async roles => {
    await expect(ask({ query_type: 'summary' }, caller({ roles }))).rejects.toMatchObject({
      code: 'forbidden',
      message: 'Role Admin or SuperAdmin required',
    })
  })

  test('an Admin of another project sees that project alone', async () => {
    const answer = await ask({ query_type: 'page_views' }, caller({}, 'other'))
    expect(page(answer)).toEqual(['secret_page'])
  })
})

test.each([
  ['no query_type', {}, /"query_type"/],
  ['a query_type that does not exist', { query_type: 'sumary' }, /"query_type".*summary/],
  ['user_detail of nobody', { query_type: 'user_detail' }, 'Argument "user_email" is required for user_detail'],
  [
    'a user elsewhere',
    { query_type: 'summary', user_email: 'x' },
    'Argument "user_email" is only for user_detail and recent_activity',
  ],
  ['a limit out of range', { query_type: 'active_users', limit: 101 }, /"limit".*100/],
  ['reversed dates', { query_type: 'summary', start_date: '2026-03-02', end_date: '2026-03-01' }, '2026-03-02'],
  ['a project', { query_type: 'summary', project_id: 'other' }, /unknown argument "project_id"/i],
])('%s is refused in words', async (_, args, said) => {
  await expect(ask(args)).rejects.toThrow(said)
})

test('a cursor of another type of query is refused', async () => {
  const { next_cursor: cursor } = await ask({ query_type: 'active_users', limit: 1 })
  await expect(ask({ query_type: 'page_views', limit: 1, cursor })).rejects.toThrow('another query')
})
