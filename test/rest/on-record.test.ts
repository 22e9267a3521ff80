import { describe, expect, onTestFinished, test } from 'vitest'
import type { Trail } from '../../src/activity/audited.js'
import { Problem } from '../../src/base/problem.js'
import { adminToken, startApi } from '../support/api.js'

async function api(options: Parameters<typeof startApi>[0] = {}) {
  const started = await startApi(options)
  onTestFinished(() => started.server.close())
  return started
}

describe('every authenticated request is on record before it is answered', () => {
  test('who, what and how it ended, with the route and never the id', async () => {
    const { call, record } = await api()
    const token = await adminToken()
    const minted = await call('POST', '/projects/p1/mcp-keys', { as: token, body: { name: 'Claude' } })
    await call('GET', '/projects/p1/mcp-keys/key_unknown', { as: token })
    expect(record).toEqual([
      expect.objectContaining({
        source: 'admin_token',
        credential_id: 'ada',
        name: 'ada@example.com',
        roles: ['Admin'],
        project_id: 'p1',
        transport: 'rest',
        page: 'POST /projects/:project_id/mcp-keys',
        outcome: 'ok',
        status: 201,
        request_id: minted.headers.get('x-request-id'),
      }),
      expect.objectContaining({
        page: 'GET /projects/:project_id/mcp-keys/:key_id',
        outcome: 'refused',
        code: 'not_found',
        status: 404,
      }),
    ])
    expect(JSON.stringify(record)).not.toContain(minted.json.key)
    expect(JSON.stringify(record)).not.toContain('key_unknown')
  })

  test('so is whom the gate knows and refuses: at a door that is not theirs, in their own project', async () => {
    const { call, record } = await api()
    const foreign = await call('GET', '/projects/p2/mcp-keys', { as: await adminToken('p1') })
    const tooLow = await call('POST', '/api/v1/projects', { as: await adminToken('p1'), body: { project_id: 'p9' } })
    expect([foreign.status, tooLow.status]).toEqual([403, 403])
    const who = { source: 'admin_token', credential_id: 'ada', project_id: 'p1', outcome: 'refused', status: 403 }
    expect(record).toEqual([
      expect.objectContaining({ ...who, page: 'GET /projects/:project_id/mcp-keys', code: 'forbidden' }),
      expect.objectContaining({ ...who, page: 'POST /api/v1/projects', code: 'forbidden' }),
    ])
    expect(JSON.stringify(record)).not.toContain('p2')
    expect(record[0]?.request_id).toBe(foreign.headers.get('x-request-id'))
  })

  test('so is the first request over the rate; how many come after it is told a minute later', async () => {
    const { call, record } = await api({ requestsPerMinute: 2 })
    const token = await adminToken()
    for (let n = 0; n < 4; n += 1) await call('GET', '/projects/p1/mcp-keys', { as: token })
    expect(record.map(({ outcome, code, status }) => [outcome, code, status])).toEqual([
      ['ok', undefined, 200],
      ['ok', undefined, 200],
      ['refused', 'too_many_requests', 429],
    ])
  })

  test('health is not, nor is who did not come in', async () => {
    const { call, record } = await api()
    await call('GET', '/health')
    await call('GET', '/projects/p1/mcp-keys', { as: 'wrong' })
    expect(record).toEqual([])
  })

  test('a request that can not be put on record changes nothing and is answered 503', async () => {
    const out: Trail = {
      append: () => Promise.reject(new Problem('store_unavailable', 'The audit trail can not be written')),
      health: () => 'audit_unavailable',
      sessionHash: () => '',
    }
    const { call, keys } = await api({ trail: out })
    const answer = await call('POST', '/projects/p1/mcp-keys', { as: await adminToken(), body: { name: 'Claude' } })
    expect(answer.status).toBe(503)
    expect(keys.size).toBe(0)
  })
})
