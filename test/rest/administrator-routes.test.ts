import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operation } from '../../src/operations/operation.js'
import { adminToken, overseeing, startApi, superToken } from '../support/api.js'

/** What only administrators change, such as tasks: answers with the project it is about. */
const settings = operation({
  method: 'GET',
  url: '/api/v1/settings',
  access: 'administrator',
  summary: 'Show settings',
  run: (_services, _request, caller) => ({ project_id: caller.project_id, by: caller.app_name }),
})

let api: Awaited<ReturnType<typeof startApi>>
let key: string

beforeAll(async () => {
  api = await startApi({ operations: [settings] })
  const admin = { subject: 'ada', name: 'ada', role: 'Admin' as const }
  key = (await api.keys.mint('p1', overseeing, admin)).key
})
afterAll(() => api.server.close())

const ask = (as: string, headers: Record<string, string> = {}) => api.call('GET', '/api/v1/settings', { as, headers })

describe('a route for administrators', () => {
  test('takes an admin token, for its own project', async () => {
    expect((await ask(await adminToken())).json).toEqual({ project_id: 'p1', by: 'ada@example.com' })
    expect((await ask(await adminToken(), { 'x-project-id': 'p2' })).status).toBe(403)
  })

  test('takes a SuperAdmin’s token for the project it names', async () => {
    expect((await ask(await superToken(), { 'x-project-id': 'p2' })).json).toEqual({ project_id: 'p2', by: 'root' })
    expect((await ask(await superToken())).json.error).toBe('Name the project in the header X-Project-Id')
  })

  test('refuses every application key, and the refusal is on record', async () => {
    const refused = await ask(key)
    expect([refused.status, refused.json]).toEqual([
      403,
      { error: 'An admin token is required, not an application key', code: 'forbidden' },
    ])
    expect(api.record.at(-1)).toMatchObject({ page: 'GET /api/v1/settings', outcome: 'refused', project_id: 'p1' })
    expect((await ask(key, { 'x-project-id': 'p2' })).status).toBe(403)
  })
})
