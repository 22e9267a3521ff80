import { afterAll, beforeAll, expect, it } from 'vitest'
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
    evaluation: 'imported',
  }
  const created = await api.call('POST', PROJECTS, { as: root, body })
  expect([created.status, created.json]).toEqual([201, { ...body, id: 'north', created_at: created.json.created_at }])
  const patched = await api.call('PATCH', `${PROJECTS}/north`, { as: root, body: { timezone: 'UTC' } })
  expect([patched.status, patched.json]).toEqual([200, { ...created.json, timezone: 'UTC' }])
  expect((await api.call('GET', `${PROJECTS}/north`, { as: root })).json).toEqual(patched.json)
  const byModel = await api.call('PATCH', `${PROJECTS}/north`, { as: root, body: { evaluation: 'model' } })
  expect(byModel.json).toEqual({ ...created.json, timezone: 'UTC', evaluation: 'model' })
  expect((await api.call('GET', `${PROJECTS}/p1`, { as: root })).json).toMatchObject({ evaluation: 'rules' })
  const listed = await api.call('GET', PROJECTS, { as: root })
  expect(listed.json.projects.map((one: { project_id: string }) => one.project_id)).toEqual(['north', 'p1', 'p2'])
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
