import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectionOperations } from '../../src/operations/connections.js'
import { adminToken, startApi, superToken } from '../support/api.js'

let api: Awaited<ReturnType<typeof startApi>>
let admin: string
let root: string
beforeAll(async () => {
  api = await startApi({ operations: connectionOperations })
  admin = await adminToken()
  root = await superToken()
})
afterAll(() => api.server.close())

const KEYS = '/projects/p1/mcp-keys'
const mint = async (body: object = {}) =>
  (await api.call('POST', KEYS, { as: admin, body: { name: 'Bot', ...body } })).json

describe('key administration', () => {
  it('mints a key, shows its token once, and lists it', async () => {
    const minted = await api.call('POST', KEYS, { as: admin, body: { name: 'Bot', allowed_agents: ['Ann'] } })
    expect(minted.status).toBe(201)
    expect(minted.headers.get('cache-control')).toBe('no-store')
    expect(minted.json).toMatchObject({
      name: 'Bot',
      project_id: 'p1',
      active: true,
      is_supervisor: true,
      roles: ['Admin'],
      allowed_agents: ['Ann'],
      require_mapping: false,
      created_by: 'ada@example.com',
    })
    const { key, ...document } = minted.json
    expect(key).toMatch(/^esk_/)
    const one = await api.call('GET', `${KEYS}/${document.key_id}`, { as: admin })
    expect(one.json).toEqual(document)
    const all = await api.call('GET', KEYS, { as: admin })
    expect(all.json.keys).toContainEqual(document)
    expect(all.text).not.toContain(key)
    await api.call('DELETE', `${KEYS}/${document.key_id}`, { as: admin })
  })

  it('revokes with DELETE, twice the same, also with a JSON content type and no body', async () => {
    const { key_id: keyId, key } = await mint()
    const headers = { 'content-type': 'application/json' }
    const first = await api.call('DELETE', `${KEYS}/${keyId}`, { as: admin, headers })
    expect(first.status).toBe(200)
    expect(first.json).toMatchObject({ key_id: keyId, id: keyId, active: false })
    expect(first.text).not.toContain(key)
    const second = await api.call('DELETE', `${KEYS}/${keyId}`, { as: admin })
    expect([second.status, second.json]).toEqual([200, first.json])
    expect((await api.call('GET', `${KEYS}/${keyId}`, { as: admin })).json.active).toBe(false)
    const active = await api.call('GET', KEYS, { as: admin })
    expect(active.json.keys.map((one: { key_id: string }) => one.key_id)).not.toContain(keyId)
    const every = await api.call('GET', `${KEYS}?include_revoked=true`, { as: admin })
    expect(every.json.keys.map((one: { key_id: string }) => one.key_id)).toContain(keyId)
  })

  it('lists keys that nobody has used for so many days: none of today', async () => {
    await mint()
    expect((await api.call('GET', `${KEYS}?unused=90d`, { as: admin })).json.keys).toEqual([])
    expect((await api.call('GET', `${KEYS}?unused=90`, { as: admin })).json.error).toContain('such as 90d')
  })

  it('patches and rotates', async () => {
    const { key_id: keyId, key } = await mint()
    const patched = await api.call('PATCH', `${KEYS}/${keyId}`, { as: admin, body: { name: 'Bot 2', roles: [] } })
    expect([patched.status, patched.json.name, patched.json.roles]).toEqual([200, 'Bot 2', []])
    const rotated = await api.call('POST', `${KEYS}/${keyId}/rotate`, { as: admin, body: { grace_seconds: 60 } })
    expect([rotated.status, rotated.json.name]).toEqual([201, 'Bot 2'])
    expect(api.keys.resolve(key)).toBeDefined()
    const again = await api.call('POST', `${KEYS}/${rotated.json.key_id}/rotate`, { as: admin })
    expect(again.status).toBe(201)
    expect(api.keys.resolve(rotated.json.key)).toBeUndefined()
    expect((await api.call('POST', `${KEYS}/${keyId}/rotate`, { as: admin })).status).toBe(409)
    const revoked = await api.call('PATCH', `${KEYS}/${rotated.json.key_id}`, { as: admin, body: { name: 'x' } })
    expect([revoked.status, revoked.json.error]).toEqual([422, 'Key is revoked and stays so; mint a new one'])
  })

  it('says of a key that is revoked which others of its rotation are still accepted, and till when', async () => {
    const { key_id: old } = await mint()
    const { key_id: other } = await mint()
    const rotate = async (id: string) =>
      (await api.call('POST', `${KEYS}/${id}/rotate`, { as: admin, body: { grace_seconds: 60 } })).json
    const { key_id: next } = await rotate(old)
    const { key_id: last } = await rotate(next)
    const get = async (id: string) => (await api.call('GET', `${KEYS}/${id}`, { as: admin })).json
    const still = async (...ids: string[]) =>
      await Promise.all(
        ids.map(async id => {
          const { key_id, name, key_preview, expires_at } = await get(id)
          return { key_id, name, key_preview, ...(expires_at !== undefined && { expires_at }) }
        }),
      )
    const revoke = async (id: string) => (await api.call('DELETE', `${KEYS}/${id}`, { as: admin })).json
    const first = await revoke(last)
    expect(first).toMatchObject({ active: false, still_accepted: await still(old, next) })
    expect(first.still_accepted[0].expires_at).toBeDefined()
    expect(await revoke(last), 'the second time too').toEqual(first)
    const patched = await api.call('PATCH', `${KEYS}/${old}`, { as: admin, body: { active: false } })
    expect(patched.json).toMatchObject({ active: false, still_accepted: await still(next) })
    for (const id of [next, other]) expect(await revoke(id)).not.toHaveProperty('still_accepted')
    expect(await get(last)).not.toHaveProperty('still_accepted')
  })

  it('takes a bound away where a change says null, and what every key has never', async () => {
    const bounds = { expires_at: '2098-01-01T00:00:00Z', allowed_networks: ['10.0.0.0/8'], tools: ['search_calls'] }
    const { key_id: keyId } = await mint({ ...bounds, text: 'none', read_only: true, min_group: 9 })
    const patch = (body: object) => api.call('PATCH', `${KEYS}/${keyId}`, { as: admin, body })
    const first = await patch({ expires_at: null, text: null, name: 'Free' })
    expect([first.status, first.json]).toMatchObject([200, { name: 'Free', tools: ['search_calls'], min_group: 9 }])
    expect(first.json).not.toHaveProperty('expires_at')
    const all = await patch({ allowed_networks: null, tools: null, read_only: null, min_group: null, teams: null })
    const plain = await mint({ name: 'Free' })
    const ofItsOwn = new Set(['key', 'key_id', 'id', 'key_preview', 'created_at', 'changed_at'])
    const said = (key: object) => Object.entries(key).filter(([name]) => !ofItsOwn.has(name))
    expect(said(all.json)).toEqual(said(plain))
    const refused = await patch({ name: null, roles: null, allowed_agents: null, require_mapping: null, active: null })
    expect(refused.status).toBe(422)
    expect(refused.json.details.map(({ path }: { path: string }) => path)).toEqual([
      'name',
      'roles',
      'allowed_agents',
      'require_mapping',
      'active',
    ])
    expect((await api.call('POST', KEYS, { as: admin, body: { name: 'x', min_group: null } })).status).toBe(422)
  })

  it('lets only a SuperAdmin token change a key with the role SuperAdmin; who may not may end it, or take the role', async () => {
    const body = { name: 'Root', roles: ['SuperAdmin'], expires_at: '2098-01-01T00:00:00Z' }
    const root1 = (await api.call('POST', KEYS, { as: root, body })).json
    const patch = (body: object, as = admin) => api.call('PATCH', `${KEYS}/${root1.key_id}`, { as, body })
    expect((await patch({ expires_at: null })).status).toBe(403)
    expect((await patch({ expires_at: '2099-01-01T00:00:00Z' })).status).toBe(403)
    expect((await patch({ expires_at: null }, root)).status).toBe(200)
    expect((await patch({ roles: ['Admin'] })).status).toBe(200)
    expect((await patch({ roles: ['SuperAdmin'] }, root)).status).toBe(200)
    expect((await patch({ active: false })).status).toBe(200)
  })

  it('lets only a SuperAdmin token give SuperAdmin, and act on any project', async () => {
    const body = { name: 'Root', roles: ['SuperAdmin'] }
    const refused = await api.call('POST', KEYS, { as: admin, body })
    expect([refused.status, refused.json.code]).toEqual([403, 'forbidden'])
    const { key_id: keyId } = await mint()
    expect((await api.call('PATCH', `${KEYS}/${keyId}`, { as: admin, body: { roles: ['SuperAdmin'] } })).status).toBe(
      403,
    )
    expect((await api.call('PATCH', `${KEYS}/${keyId}`, { as: root, body: { roles: ['SuperAdmin'] } })).status).toBe(
      200,
    )
    expect((await api.call('POST', `${KEYS}/${keyId}/rotate`, { as: admin })).status).toBe(403)
    expect((await api.call('POST', '/projects/p2/mcp-keys', { as: root, body })).status).toBe(201)
    const nowhere = await api.call('POST', '/projects/nowhere/mcp-keys', { as: root, body })
    expect([nowhere.status, nowhere.json.error]).toEqual([404, 'Project not found: "nowhere"'])
  })
})

describe('the order of refusals', () => {
  it('401 before 403: who asks comes first', async () => {
    const none = await api.call('POST', '/projects/p2/mcp-keys', { body: 'no json' })
    expect([none.status, none.json]).toEqual([401, { error: 'Authentication required', code: 'unauthenticated' }])
    expect(none.headers.get('www-authenticate')).toBe('Bearer')
    const { key } = await mint()
    const byKey = await api.call('POST', KEYS, { as: key, body: { name: 'x' } })
    expect([byKey.status, byKey.json.error]).toEqual([401, 'Invalid admin token'])
  })

  it('403 before 404 and 415: a foreign project is foreign whether it exists or not', async () => {
    const headers = { 'content-type': 'text/plain' }
    const answers = await Promise.all(
      ['p2', 'nowhere'].map(id => api.call('POST', `/projects/${id}/mcp-keys`, { as: admin, body: 'x', headers })),
    )
    for (const { status, json } of answers) {
      expect([status, json.error]).toEqual([403, 'This credential does not act on that project'])
    }
  })

  it('413 and 415 before 404', async () => {
    const path = '/projects/nowhere/mcp-keys'
    const large = await api.call('POST', path, { as: root, body: { name: 'x'.repeat(1_100_000) } })
    expect([large.status, large.json]).toEqual([
      413,
      { error: 'The body is larger than the limit of 1048576 bytes', code: 'too_large' },
    ])
    const text = await api.call('POST', path, { as: root, body: 'x', headers: { 'content-type': 'text/plain' } })
    expect([text.status, text.json.code]).toEqual([415, 'unsupported_media_type'])
  })

  it('404 before 422', async () => {
    const missing = await api.call('PATCH', `${KEYS}/key_x`, { as: admin, body: 'no json' })
    expect([missing.status, missing.json.error]).toEqual([404, 'Key not found: "key_x"'])
  })
})

describe('bad bodies and parameters', () => {
  it.each<[unknown, string]>([
    ['', 'The input is required (an object)'],
    ['{"name": "x"', 'The body is not valid JSON'],
    ['{"name": "x"} {"name": "y"}', 'The body is not valid JSON (at character 15)'],
    ['[]', 'The input must be an object, not a list of 0'],
    ['null', 'The input must be an object, not null'],
    ['['.repeat(500_000), 'The body holds more than 50000 values'],
    ['['.repeat(45_000), 'The body is not valid JSON'],
    [`${'['.repeat(45_000)}${']'.repeat(45_000)}`, 'The input must be an object, not a list of 1'],
    [{}, 'Field "name" is required (text)'],
    [{ name: 'x', role: ['Admin'] }, 'Unknown field "role", did you mean "roles"?'],
    [{ name: 'x', key: 'esk_mine' }, 'Unknown field "key"'],
    [{ name: 'x', active: true }, 'Unknown field "active"'],
    [{ name: 'a\u0000b' }, 'Field "name" must hold no control characters'],
    [{ name: 'admin\u202etxt' }, 'Field "name" must hold no characters that nobody can see'],
    [{ name: 'ad\u200bmin' }, 'Field "name" must hold no characters that nobody can see'],
    ['{"name": "a\\ud800"}', 'Field "name" must hold no control characters'],
    ['{"name": "x", "__proto__": {"roles": ["SuperAdmin"]}}', 'Unknown field "__proto__"'],
    ['{"name": "x", "constructor": {"prototype": {"roles": []}}}', 'Unknown field "constructor"'],
  ])('answers %#: 422 with a sentence', async (body, sentence) => {
    const headers = { 'content-type': 'application/json' }
    const { status, json, text } = await api.call('POST', KEYS, { as: admin, body, headers })
    expect([status, json.code]).toEqual([422, 'invalid_input'])
    expect(json.error).toContain(sentence)
    expect(text.length).toBeLessThan(2_000)
    expect(({} as { roles?: unknown }).roles).toBeUndefined()
  })

  it('names each wrong field in the details', async () => {
    const { json } = await api.call('POST', KEYS, { as: admin, body: { name: '', roles: ['Boss'], nam: 1 } })
    expect(json.details.map(({ path }: { path: string }) => path)).toEqual(['name', 'roles.0', 'nam'])
  })

  it('refuses a body that is not UTF-8', async () => {
    const headers = { authorization: `Bearer ${admin}`, 'content-type': 'application/json' }
    const body = Buffer.from('{"name": "caf\xe9"}', 'latin1')
    const response = await fetch(`${api.url}${KEYS}`, { method: 'POST', headers, body })
    expect([response.status, await response.json()]).toMatchObject([422, { error: 'The body is not valid UTF-8' }])
  })

  it.each([
    ['?include_revokd=true', 'Unknown parameter "include_revokd", did you mean "include_revoked"?'],
    ['?include_revoked=yes', 'Parameter "include_revoked" must be true or false, not "yes"'],
    ['?include_revoked=true&include_revoked=false', 'Parameter "include_revoked" must be'],
    ['?project_id=p2', 'Unknown parameter "project_id"'],
  ])('answers the query %s: 422', async (query, sentence) => {
    const { status, json } = await api.call('GET', KEYS + query, { as: admin })
    expect(status).toBe(422)
    expect(json.error).toContain(sentence)
  })
})

it('keeps every token out of the log', async () => {
  const { key, key_id: keyId } = await mint()
  await api.call('GET', `${KEYS}/${keyId}?token=${key}`, { as: admin })
  const log = api.lines.join('')
  expect(log).toContain('"path":"/projects/:project_id/mcp-keys/:key_id"')
  expect(log).not.toContain(key)
  expect(log).not.toContain(admin)
  expect(log).not.toContain(root)
})

describe('AI clients that signed in', () => {
  const MINE = '/api/v1/connections'
  let grants = 0
  const letIn = async (keyId: string) => {
    const iat = Math.floor(Date.now() / 1000)
    const grant = { accountId: keyId, clientId: 'c', iat, exp: iat + 600 }
    await api.connections.adapter('Grant').upsert(`grant ${(grants += 1)}`, grant, 600)
    return api.connections.of(keyId).at(-1)!.connection_id
  }
  const list = async (as: string) =>
    (await api.call('GET', MINE, { as })).json.connections as readonly Readonly<Record<string, unknown>>[]
  const end = async (id: string, as: string) => (await api.call('DELETE', `${MINE}/${id}`, { as })).status

  it('are seen and ended by the holder of their key alone, and by an administrator of its project', async () => {
    const [own, other] = [await mint(), await mint({ text: 'none', read_only: true })]
    const [mine, theirs] = [await letIn(own.key_id), await letIn(other.key_id)]
    expect(await list(own.key)).toMatchObject([{ connection_id: mine, key_id: own.key_id }])
    expect(await list(other.key), 'text or not, it is told of its own').toMatchObject([{ connection_id: theirs }])
    expect((await list(admin)).map(one => one['key_id'])).toEqual(expect.arrayContaining([own.key_id, other.key_id]))
    expect(await list(await adminToken('p2')), 'of another project there are none').toEqual([])
    expect(await end(theirs, own.key)).toBe(404)
    expect(await end(theirs, await adminToken('p2'))).toBe(404)
    expect(await end(theirs, other.key), 'a key that may change nothing').toBe(403)
    expect(await end(theirs, admin)).toBe(200)
    expect(await end(mine, own.key)).toBe(200)
    expect(await end(mine, own.key), 'twice').toBe(404)
    expect([...(await list(own.key)), ...(await list(other.key))]).toEqual([])
  })

  it('are not told to an auditor, nor to a key that names its tools', async () => {
    const statuses = await Promise.all(
      [{ roles: ['Auditor'] }, { tools: ['search_calls'] }].map(async fields => {
        const { key, key_id: id } = await mint(fields)
        await letIn(id)
        return (await api.call('GET', MINE, { as: key })).status
      }),
    )
    expect(statuses).toEqual([403, 403])
  })
})
