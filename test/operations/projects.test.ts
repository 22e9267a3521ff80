import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { maskKinds } from '../../src/redact/mask.js'
import { Tasks } from '../../src/tasks/tasks.js'
import { services } from '../tasks/support.js'
import { MemoryTasks } from '../support/memory-tasks.js'
import { startCallsApi } from '../support/calls-api.js'
import { adminToken, startApi, superToken } from '../support/api.js'

const PROJECTS = '/api/v1/projects'
let api: Awaited<ReturnType<typeof startApi>>
let root: string
beforeAll(async () => {
  api = await startApi()
  root = await superToken()
})
afterAll(() => api.server.close())

it('creates, shows, changes and lists projects', async () => {
  const body = {
    project_id: 'north',
    name: 'North',
    timezone: 'Europe/Berlin',
    verticals: ['retail'],
    redact: true,
    redact_kinds: ['email'],
    evaluation: 'imported',
    outcome: 'metadata.resolved',
    doubtful: 'left_out',
  }
  const created = await api.call('POST', PROJECTS, { as: root, body })
  expect([created.status, created.json]).toEqual([201, { ...body, id: 'north', created_at: created.json.created_at }])
  const patched = await api.call('PATCH', `${PROJECTS}/north`, { as: root, body: { timezone: 'UTC' } })
  expect([patched.status, patched.json]).toEqual([200, { ...created.json, timezone: 'UTC' }])
  expect((await api.call('GET', `${PROJECTS}/north`, { as: root })).json).toEqual(patched.json)
  const byModel = await api.call('PATCH', `${PROJECTS}/north`, { as: root, body: { evaluation: 'model' } })
  expect(byModel.json).toEqual({ ...created.json, timezone: 'UTC', evaluation: 'model' })
  expect((await api.call('GET', `${PROJECTS}/p1`, { as: root })).json).toMatchObject({
    evaluation: 'rules',
    outcome: 'predicted_csat',
    doubtful: 'counted',
  })
  const listed = await api.call('GET', PROJECTS, { as: root })
  expect(listed.json.projects.map((one: { project_id: string }) => one.project_id)).toEqual(['north', 'p1', 'p2'])
})

it('masks all kinds where masking is on, or those that were chosen; the code on a card goes with the card', async () => {
  const set = async (redact_kinds: unknown) => {
    const { status, json } = await api.call('PATCH', `${PROJECTS}/p1`, { as: root, body: { redact_kinds } })
    return status === 200 ? json.redact_kinds : JSON.stringify([status, json])
  }
  expect((await api.call('GET', `${PROJECTS}/p1`, { as: root })).json.redact_kinds).toEqual([...maskKinds])
  expect(await set(['pin', 'card', 'card'])).toEqual(['card', 'cvv', 'pin'])
  expect(await set(['all'])).toEqual([...maskKinds])
  expect(await set(['cvv'])).toEqual(['cvv'])
  expect(await set([])).toMatch(/^.422,.*redact_kinds/)
  expect(await set(['fax'])).toMatch(/^.422,.*redact_kinds/)
  expect((await api.call('GET', `${PROJECTS}/p1`, { as: root })).json.redact_kinds).toEqual(['cvv'])
})

it('begins with a retention of its own where the installation has one for new projects', async () => {
  let tasks: Promise<Tasks> | undefined
  const own = await startApi({
    services: ({ projects }) => {
      const loading = Tasks.load({ store: new MemoryTasks(), services: { ...services(), projects }, clock: Date.now })
      tasks = loading
      const create: Tasks['create'] = async (...task) => (await loading).create(...task)
      return { retentionDays: 400, tasks: { create } as Tasks }
    },
  })
  const body = { id: 'bank', timezone: 'Europe/Berlin' }
  expect((await own.call('POST', PROJECTS, { as: root, body })).status).toBe(201)
  expect((await own.call('POST', PROJECTS, { as: root, body })).status).toBe(409)
  expect((await tasks)?.all()).toMatchObject([
    {
      project_id: 'bank',
      kind: 'retention',
      cron: '0 3 * * *',
      time_zone: 'Europe/Berlin',
      parameters: { calls_after_days: 400 },
      enabled: true,
    },
  ])
  await own.server.close()
})

it('takes a field that says how calls came out, and refuses what it could not read', async () => {
  const withCalls = await startCallsApi()
  const set = (outcome: string) => withCalls.call('PATCH', `${PROJECTS}/p1`, { as: root, body: { outcome } })
  const asked = vi.spyOn(withCalls.store.calls, 'alikeCalls')
  expect((await set('resolved')).json).toMatchObject({ outcome: 'metadata.resolved' })
  // Lift is fitted at once to what is explained now.
  expect(asked.mock.calls.at(-1)?.[1]).toMatchObject({ outcomeField: 'resolved' })
  expect((await set('predicted_csat')).json).toMatchObject({ outcome: 'predicted_csat' })
  expect(asked.mock.calls.at(-1)?.[1].outcomeField).toBeUndefined()
  const fits = asked.mock.calls.length
  await set('predicted_csat')
  expect(asked.mock.calls).toHaveLength(fits)
  expect((await set('survey >= 4')).json).toMatchObject({ outcome: 'metadata.survey>=4' })
  const refused = await set('survey>=good')
  expect(refused.status).toBe(422)
  expect(JSON.stringify(refused.json)).toContain('must be a field of session_metadata')
  const shown = await withCalls.call('GET', `${PROJECTS}/p1`, { as: root })
  expect(shown.json).toMatchObject({ outcome: 'metadata.survey>=4' })
  await withCalls.close()
})

it('is a SuperAdmin’s alone', async () => {
  const admin = await adminToken()
  for (const [method, path] of [
    ['GET', PROJECTS],
    ['POST', PROJECTS],
    ['GET', `${PROJECTS}/p1`],
    ['PATCH', `${PROJECTS}/p1`],
  ] as const) {
    const { status, json } = await api.call(method, path, { as: admin })
    expect([status, json.error]).toEqual([403, 'Role SuperAdmin required'])
  }
})

it('refuses what is there already, what is not, and what is wrong', async () => {
  const taken = await api.call('POST', PROJECTS, { as: root, body: { project_id: 'p1' } })
  expect([taken.status, taken.json.error]).toEqual([409, 'Project exists already: "p1"'])
  const missing = await api.call('PATCH', `${PROJECTS}/nowhere`, { as: root, body: { timezone: 'Mars' } })
  expect(missing.status).toBe(404)
  const zone = await api.call('PATCH', `${PROJECTS}/p1`, { as: root, body: { timezone: 'Mars' } })
  expect([zone.status, zone.json.error]).toEqual([
    422,
    'Field "timezone" must be the IANA name of a time zone, such as Europe/Berlin',
  ])
})
