import { SignJWT } from 'jose'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ConsoleSessions } from '../../src/access/console-sessions.js'
import { Gate } from '../../src/access/gate.js'
import { mintAdminToken } from '../../src/access/mint-admin-token.js'
import { Problem } from '../../src/base/problem.js'
import { makeAccess, refusal, SECRET } from '../support/access.js'
import { anAdmission } from '../support/an-admission.js'

const admin = { name: 'ada', role: 'SuperAdmin' } as const
const fields = { name: 'Dashboard', is_supervisor: true, roles: [], allowed_agents: ['Ann'], require_mapping: true }
const HERE = '192.0.2.1'
const REQUIRED = 'unauthenticated: Authentication required'
const BAD_KEY = 'unauthenticated: Invalid or inactive API key'
const BAD_TOKEN = 'unauthenticated: Invalid admin token'
const FOREIGN = 'forbidden: This credential does not act on that project'

const adminToken = async (projectId?: string) =>
  `Bearer ${await mintAdminToken(SECRET, { subject: 'ada', role: 'Admin', ...(projectId === undefined ? {} : { projectId }) })}`
const superToken = async () => `Bearer ${await mintAdminToken(SECRET, { subject: 'root', role: 'SuperAdmin' })}`

describe('entering the tool server', () => {
  it('resolves a key to what its document says at this request', async () => {
    const { gate, keys } = await makeAccess()
    const { key, key_id: keyId } = await keys.mint('p1', fields, admin)
    const entry = await gate.enter(`Bearer ${key}`, HERE)
    expect(entry).toEqual({
      caller: {
        project_id: 'p1',
        source: 'application_key',
        app_name: 'Dashboard',
        credential_id: keyId,
        access_scope: { is_supervisor: true, roles: [], allowed_agents: ['Ann'], require_mapping: true, text: 'full' },
        terms: { since: expect.any(String) },
      },
      keyId,
      rate: { limit: 600, remaining: 599, resetSeconds: 60 },
      current: expect.any(Function),
    })
    await keys.patch('p1', keyId, { allowed_agents: [] }, admin)
    expect(entry.current().access_scope.allowed_agents).toEqual([])
    const next = await gate.enter(`bearer ${key}`, HERE)
    expect(next.caller.access_scope.allowed_agents).toEqual([])
    expect(next.caller.terms?.since).toBe(keys.get('p1', keyId).changed_at)
    expect(keys.get('p1', keyId).last_used_at).toBeDefined()
  })

  it('lets a key with a bound of its own in as often as that says, at both doors together, and others as before', async () => {
    const { gate, keys } = await makeAccess({ requestsPerMinute: 5 })
    const { key } = await keys.mint('p1', { ...fields, requests_per_minute: 2 }, admin)
    const { key: more } = await keys.mint('p1', { ...fields, requests_per_minute: 100 }, admin)
    expect((await gate.enter(`Bearer ${key}`, HERE)).rate).toMatchObject({ limit: 2, remaining: 1 })
    await gate.enterApi(`Bearer ${key}`, HERE)
    expect(await refusal(() => gate.enter(`Bearer ${key}`, HERE))).toBe(
      'too_many_requests: Too many requests: at most 2 requests a minute of this key',
    )
    expect((await gate.enter(`Bearer ${more}`, HERE)).rate).toMatchObject({ limit: 5, remaining: 4 })
  })

  it('counts both tokens of a rotation as one key, and the next rotation too', async () => {
    const { gate, keys } = await makeAccess({ requestsPerMinute: 5 })
    const { key, key_id: id } = await keys.mint('p1', { ...fields, requests_per_minute: 3 }, admin)
    const { key: next, key_id: nextId } = await keys.rotate('p1', id, 60, admin)
    expect((await gate.enter(`Bearer ${key}`, HERE)).rate).toMatchObject({ limit: 3, remaining: 2 })
    expect((await gate.enter(`Bearer ${next}`, HERE)).rate).toMatchObject({ limit: 3, remaining: 1 })
    const { key: third } = await keys.rotate('p1', nextId, 60, admin)
    expect((await gate.enter(`Bearer ${third}`, HERE)).rate).toMatchObject({ limit: 3, remaining: 0 })
    expect(await refusal(() => gate.enter(`Bearer ${key}`, HERE))).toMatch('too_many_requests')
  })

  it.each([
    undefined,
    '',
    'Bearer',
    'Bearer ',
    'Basic dXNlcjpwYXNz',
    'esk_x',
    'Bearer a b',
    'Bearer a, Bearer b',
    'Bearer a\tb',
    'Bearer é',
    'Bearer "x"',
    ' Bearer x',
    `Bearer ${'x'.repeat(10_000)}`,
    `${'Bearer '.repeat(1_000)}x`,
  ])('asks for authentication when the header is missing or malformed: %j', async header => {
    const { gate } = await makeAccess()
    expect(await refusal(() => gate.enter(header, HERE))).toBe(REQUIRED)
    expect(await refusal(() => gate.enterApi(header, HERE))).toBe(REQUIRED)
    expect(await refusal(() => gate.enterAdmin(header, HERE, 'p1'))).toBe(REQUIRED)
  })

  it('answers alike to an unknown key, a revoked one and an admin token', async () => {
    const { gate, keys } = await makeAccess()
    const { key, key_id: keyId } = await keys.mint('p1', fields, admin)
    await keys.revoke('p1', keyId)
    expect(await refusal(() => gate.enter(`Bearer ${key}`, HERE))).toBe(BAD_KEY)
    expect(await refusal(() => gate.enter('Bearer esk_unknown', HERE))).toBe(BAD_KEY)
    expect(await refusal(async () => gate.enter(await adminToken('p1'), HERE))).toBe(BAD_KEY)
  })

  it('takes the same steps for an unknown key as for a revoked one', async () => {
    const { keys, adminTokens } = await makeAccess()
    const steps: string[] = []
    const watched = {
      resolve: (token: string) => {
        steps.push('resolve')
        return keys.resolve(token)
      },
      accepted: (id: string) => keys.accepted(id),
      invited: (code: string) => keys.invited(code),
      used: () => steps.push('used'),
      callerOf: (key: Parameters<typeof keys.callerOf>[0]) => keys.callerOf(key),
    }
    const gate = new Gate({ keys: watched, adminTokens })
    const { key, key_id: keyId } = await keys.mint('p1', fields, admin)
    await keys.revoke('p1', keyId)
    await refusal(() => gate.enter(`Bearer ${key}`, HERE))
    const revoked = steps.splice(0)
    await refusal(() => gate.enter('Bearer esk_unknown', HERE))
    expect(steps).toEqual(revoked)
    expect(steps).toEqual(['resolve'])
  })
})

describe('a key with networks', () => {
  const NETWORKS = ['192.0.2.0/28', '2001:db8::/32']
  const ELSEWHERE = 'forbidden: This key is not accepted from this address'

  it('is accepted from them on both listeners, in every spelling of an address, and from nowhere else', async () => {
    const { gate, keys } = await makeAccess()
    const { key } = await keys.mint('p1', { ...fields, allowed_networks: NETWORKS }, admin)
    for (const address of [HERE, '::ffff:192.0.2.15', '2001:db8::1', '2001:0DB8:0:0::2']) {
      await gate.enter(`Bearer ${key}`, address)
      await gate.enterApi(`Bearer ${key}`, address)
    }
    for (const address of ['192.0.2.16', '::ffff:192.0.2.16', '2001:db9::1', '', 'unknown', '192.0.2.1, 192.0.2.1']) {
      expect(await refusal(() => gate.enter(`Bearer ${key}`, address))).toBe(ELSEWHERE)
      expect(await refusal(() => gate.enterApi(`Bearer ${key}`, address))).toBe(ELSEWHERE)
    }
  })

  it('is refused by name, for the record, at the cost of its own rate, and does not count as used', async () => {
    const { gate, keys } = await makeAccess({ requestsPerMinute: 2 })
    const { key, key_id: keyId } = await keys.mint('p1', { ...fields, allowed_networks: NETWORKS }, admin)
    const refused = await gate.enter(`Bearer ${key}`, '198.51.100.1').catch((error: unknown) => error)
    expect(refused).toMatchObject({ who: { credential_id: keyId } })
    expect(keys.get('p1', keyId)).not.toHaveProperty('last_used_at')
    await refusal(() => gate.enter(`Bearer ${key}`, '198.51.100.1'))
    expect(await refusal(() => gate.enter(`Bearer ${key}`, HERE))).toContain('too_many_requests')
  })

  it('is held to what they are now, also by a request on its way', async () => {
    const { gate, keys } = await makeAccess()
    const { key, key_id: keyId } = await keys.mint('p1', { ...fields, allowed_networks: NETWORKS }, admin)
    const entry = await gate.enter(`Bearer ${key}`, HERE)
    await keys.patch('p1', keyId, { allowed_networks: ['203.0.113.7'] }, admin)
    expect(await refusal(() => entry.current())).toBe(ELSEWHERE)
    expect(await refusal(() => gate.enter(`Bearer ${key}`, HERE))).toBe(ELSEWHERE)
    await gate.enter(`Bearer ${key}`, '203.0.113.7')
  })
})

describe('entering REST', () => {
  it('takes an application key, whose project no header changes', async () => {
    const { gate, keys } = await makeAccess()
    const { key } = await keys.mint('p1', fields, admin)
    const entry = await gate.enterApi(`Bearer ${key}`, HERE, 'p1')
    expect(entry.caller.project_id).toBe('p1')
    expect(await refusal(() => gate.enterApi(`Bearer ${key}`, HERE, 'p2'))).toBe(FOREIGN)
    expect(await refusal(() => gate.enterApi(`Bearer ${key}`, HERE, ''))).toBe(FOREIGN)
  })

  it('takes an admin token for the full project it names', async () => {
    const { gate } = await makeAccess()
    const { caller } = await gate.enterApi(await adminToken('p1'), HERE)
    expect(caller).toEqual({
      project_id: 'p1',
      source: 'admin_token',
      app_name: 'ada',
      credential_id: 'ada',
      access_scope: {
        is_supervisor: true,
        roles: ['Admin'],
        allowed_agents: [],
        require_mapping: false,
        text: 'full',
      },
    })
    expect(await refusal(async () => gate.enterApi(await adminToken('p1'), HERE, 'p2'))).toBe(FOREIGN)
    expect(await refusal(async () => gate.enterApi(await adminToken(), HERE, 'p1'))).toBe(FOREIGN)
    expect(await refusal(async () => gate.enterApi(await adminToken(), HERE))).toBe(FOREIGN)
  })

  it('lets a SuperAdmin name the project, and asks for it', async () => {
    const { gate } = await makeAccess()
    const entry = await gate.enterApi(await superToken(), HERE, 'p2')
    expect(entry.caller).toMatchObject({ project_id: 'p2', access_scope: { roles: ['SuperAdmin'] } })
    expect(await refusal(async () => gate.enterApi(await superToken(), HERE))).toBe(
      'invalid_input: Name the project in the header X-Project-Id',
    )
  })

  it('verifies the token an administrator’s session of the console stands for at every request, for its one project', async () => {
    let now = Date.now()
    const { keys, adminTokens } = await makeAccess({ clock: () => now })
    const adminToken = (await superToken()).slice('Bearer '.length)
    const sessions = { holderOf: () => ({ adminToken, projectId: 'p2' }), follow: () => undefined }
    const gate = new Gate({ keys, adminTokens, sessions })
    const { caller } = await gate.enterApi(undefined, HERE, undefined, 'session')
    expect(caller).toMatchObject({ project_id: 'p2', source: 'admin_token', credential_id: 'root' })
    expect(await refusal(() => gate.enterApi(undefined, HERE, 'p1', 'session'))).toBe(FOREIGN)
    const { admin } = await gate.enterAdmin(undefined, HERE, 'p2', 'session')
    expect(admin).toMatchObject({ subject: 'root', role: 'SuperAdmin' })
    // A SuperAdmin acts on any project, but their session on its own.
    expect(await refusal(() => gate.enterAdmin(undefined, HERE, 'p1', 'session'))).toBe(FOREIGN)
    const ofKey = new Gate({ keys, adminTokens, sessions: { holderOf: () => 'key', follow: () => undefined } })
    expect(await refusal(() => ofKey.enterAdmin(undefined, HERE, 'p2', 'session'))).toBe(REQUIRED)
    now += 2 * 3_600_000
    expect(await refusal(() => gate.enterApi(undefined, HERE, undefined, 'session'))).toBe(BAD_TOKEN)
    expect(await refusal(() => gate.enterAdmin(undefined, HERE, 'p2', 'session'))).toBe(BAD_TOKEN)
  })

  it('lets nothing that an administrator’s session began go on when it has ended', async () => {
    const { keys, adminTokens } = await makeAccess()
    const sessions = new ConsoleSessions(anAdmission().consoleSessions)
    const gate = new Gate({ keys, adminTokens, sessions })
    const known = { subject: 'ada', issuer: 'https://login.example', name: 'ada', role: 'Admin' } as const
    const holders = [
      { adminToken: (await superToken()).slice('Bearer '.length), projectId: 'p1' },
      { admin: { ...known, current_project_id: 'p1' }, projectId: 'p1' },
    ]
    for (const holder of holders) {
      const session = sessions.open(holder, { project: 'p1', key: 'admin ada' })
      const entry = await gate.enterApi(undefined, HERE, undefined, session)
      const admission = await gate.enterAdmin(undefined, HERE, 'p1', session)
      expect(entry.current()).toBe(entry.caller)
      expect(admission.current()).toBe(admission.admin)
      sessions.end(session)
      expect(await refusal(() => entry.current())).toBe(BAD_KEY)
      expect(await refusal(() => admission.current())).toBe(BAD_KEY)
    }
    const asked = await gate.enterApi(await adminToken('p1'), HERE)
    expect(asked.current()).toBe(asked.caller)
  })

  it('lets nothing that an admin token began go on when it has expired, with the leeway it was let in with', async () => {
    let now = Date.now()
    const { adminTokens, gate } = await makeAccess({ clock: () => now })
    const ends = (Math.floor(now / 1000) + 60) * 1000
    const token = `Bearer ${await mintAdminToken(SECRET, { subject: 'root', role: 'SuperAdmin', lifetimeS: 60 }, now)}`
    const asked = await gate.enterApi(token, HERE, 'p1')
    const admission = await gate.enterAdmin(token, HERE, 'p1')
    const above = await gate.enterSuperAdmin(token, HERE)
    now = ends + 29_999
    expect(asked.current()).toBe(asked.caller)
    expect(await adminTokens.verify(token.slice('Bearer '.length))).toEqual(admission.current())
    now = ends + 30_000
    expect(await refusal(() => gate.enterApi(token, HERE, 'p1'))).toBe(BAD_TOKEN)
    for (const one of [asked, admission, above]) expect(await refusal(() => one.current())).toBe(BAD_TOKEN)
  })

  it('says which kind of credential was bad', async () => {
    const { gate } = await makeAccess()
    expect(await refusal(() => gate.enterApi('Bearer esk_unknown', HERE))).toBe(BAD_KEY)
    expect(await refusal(() => gate.enterApi('Bearer a.b.c', HERE))).toBe(BAD_TOKEN)
    expect(await refusal(() => gate.enterApi('Bearer e30.e30.', HERE))).toBe(BAD_TOKEN)
  })
})

describe('entering administration', () => {
  it('lets an Admin into its own project only, whether others exist or not', async () => {
    const { gate } = await makeAccess()
    const { admin: entered } = await gate.enterAdmin(await adminToken('p1'), HERE, 'p1')
    expect(entered).toMatchObject({ subject: 'ada', role: 'Admin' })
    expect(await refusal(async () => gate.enterAdmin(await adminToken('p1'), HERE, 'p2'))).toBe(FOREIGN)
    expect(await refusal(async () => gate.enterAdmin(await adminToken('p1'), HERE, 'nowhere'))).toBe(FOREIGN)
    expect(await refusal(async () => gate.enterAdmin(await adminToken(), HERE, 'p1'))).toBe(FOREIGN)
  })

  it('lets a SuperAdmin into any, and alone to projects', async () => {
    const { gate } = await makeAccess()
    expect((await gate.enterAdmin(await superToken(), HERE, 'nowhere')).admin.role).toBe('SuperAdmin')
    expect((await gate.enterSuperAdmin(await superToken(), HERE)).admin.role).toBe('SuperAdmin')
    expect(await refusal(async () => gate.enterSuperAdmin(await adminToken('p1'), HERE))).toBe(
      'forbidden: Role SuperAdmin required',
    )
  })

  it('refuses application keys with the one text for bad admin tokens', async () => {
    const { gate, keys } = await makeAccess()
    const { key } = await keys.mint('p1', { ...fields, roles: ['SuperAdmin'] }, admin)
    expect(await refusal(() => gate.enterAdmin(`Bearer ${key}`, HERE, 'p1'))).toBe(BAD_TOKEN)
    expect(await refusal(() => gate.enterSuperAdmin(`Bearer ${key}`, HERE))).toBe(BAD_TOKEN)
  })
})

describe('limits', () => {
  // They count within a minute, and say how much of it is left.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
  afterEach(() => void vi.useRealTimers())

  it('counts a key over both listeners together', async () => {
    const { gate, keys } = await makeAccess({ requestsPerMinute: 3 })
    const { key } = await keys.mint('p1', fields, admin)
    const other = await keys.mint('p1', fields, admin)
    await gate.enter(`Bearer ${key}`, HERE)
    await gate.enterApi(`Bearer ${key}`, HERE)
    expect((await gate.enter(`Bearer ${key}`, '192.0.2.7')).rate.remaining).toBe(0)
    const problem = await gate.enterApi(`Bearer ${key}`, HERE).catch((error: unknown) => error)
    expect(problem).toBeInstanceOf(Problem)
    expect(problem).toMatchObject({
      code: 'too_many_requests',
      message: 'Too many requests: at most 3 requests a minute per key',
      retryAfter: 60,
    })
    await expect(gate.enter(`Bearer ${other.key}`, HERE)).resolves.toBeDefined()
  })

  it('counts an administrator like a key', async () => {
    const { gate } = await makeAccess({ requestsPerMinute: 1 })
    await gate.enterAdmin(await adminToken('p1'), HERE, 'p1')
    expect(await refusal(async () => gate.enterApi(await adminToken('p1'), HERE))).toMatch(/^too_many_requests/)
  })

  it('counts administrators of different projects apart, also with one subject, and of all projects by who issued them', async () => {
    const { gate } = await makeAccess({ requestsPerMinute: 1 })
    await gate.enterAdmin(await adminToken('p1'), HERE, 'p1')
    await gate.enterAdmin(await adminToken('p2'), HERE, 'p2')
    expect(await refusal(async () => gate.enterApi(await adminToken('p2'), HERE))).toMatch(/^too_many_requests/)
    const root = async (issuer: string) =>
      `Bearer ${await new SignJWT({ role: 'SuperAdmin' })
        .setProtectedHeader({ alg: 'HS256' })
        .setSubject('ada')
        .setIssuer(issuer)
        .setExpirationTime('1h')
        .sign(Buffer.from(SECRET))}`
    await gate.enterSuperAdmin(await root('one'), HERE)
    await gate.enterSuperAdmin(await root('other'), HERE)
    expect(await refusal(async () => gate.enterApi(await root('one'), HERE, 'p2'))).toMatch(/^too_many_requests/)
  })

  it('counts the keys of a project together, and what a key is refused costs its project nothing', async () => {
    const { gate, keys } = await makeAccess({ requestsPerMinute: 2, requestsPerMinutePerProject: 5 })
    const mint = async (project: string) => `Bearer ${(await keys.mint(project, fields, admin)).key}`
    const many = [await mint('p1'), await mint('p1'), await mint('p1')]
    for (let request = 0; request < 10; request += 1) await gate.enter(many[0], HERE).catch(() => undefined)
    await gate.enter(many[1], HERE)
    await gate.enter(many[1], HERE)
    expect((await gate.enter(many[2], HERE)).rate).toMatchObject({ limit: 5, remaining: 0 })
    expect(await refusal(async () => gate.enter(many[2], HERE))).toBe(
      'too_many_requests: Too many requests: at most 5 requests a minute per project',
    )
    await expect(gate.enter(await mint('p2'), HERE)).resolves.toBeDefined()
  })

  it('answers 429 from the 31st failed authentication of an address on, whatever failed', async () => {
    const { gate, keys } = await makeAccess()
    const { key } = await keys.mint('p1', fields, admin)
    for (let failure = 0; failure < 10; failure += 1) {
      expect(await refusal(() => gate.enter(undefined, HERE))).toBe(REQUIRED)
      expect(await refusal(() => gate.enterApi('Bearer esk_x', HERE))).toBe(BAD_KEY)
      expect(await refusal(() => gate.enterAdmin('Bearer a.b.c', HERE, 'p1'))).toBe(BAD_TOKEN)
    }
    const limited = 'too_many_requests: Too many requests: at most 30 failed authentications a minute per address'
    expect(await refusal(() => gate.enter('Bearer esk_x', HERE))).toBe(limited)
    expect(await refusal(() => gate.enter('Bearer esk_x', `::ffff:${HERE}`))).toBe(limited)
    expect(await refusal(() => gate.enter('Bearer esk_x', '192.0.2.2'))).toBe(BAD_KEY)
    // A stranger's guesses lock nobody out who shares the address and holds a key.
    await expect(gate.enter(`Bearer ${key}`, HERE)).resolves.toBeDefined()
  })

  it('takes the addresses of one IPv6 network for one', async () => {
    const { gate } = await makeAccess()
    for (let host = 1; host <= 30; host += 1) await refusal(() => gate.enter(undefined, `2001:db8::${host}`))
    expect(await refusal(() => gate.enter(undefined, '2001:db8::ffff:1'))).toMatch(/^too_many_requests/)
    expect(await refusal(() => gate.enter(undefined, '2001:db8:0:1::1'))).toBe(REQUIRED)
  })
})
