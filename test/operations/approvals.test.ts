import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { Approvals } from '../../src/access/approvals.js'
import { mintAdminToken } from '../../src/access/mint-admin-token.js'
import type { PrivacyStore } from '../../src/store/privacy-store.js'
import { SECRET } from '../support/access.js'
import { startCallsApi } from '../support/calls-api.js'

const HOUR_MS = 60 * 60 * 1_000

let api: Awaited<ReturnType<typeof startCallsApi>>
/** What is kept of it, as another process would write it. */
let kept: PrivacyStore
/** Held up by it are those who have read what waits, so that they know of nothing that another does then. */
let meeting: (() => Promise<void>) | undefined
let now = Date.parse('2026-03-15T12:00:00Z')
let [ada, adaAgain, bob, other] = ['', '', '', '']
beforeAll(async () => {
  api = await startCallsApi({
    approvals: ({ privacy }) => {
      kept = privacy
      const approvals = async (projectId: string) => {
        const found = await privacy.approvals(projectId)
        await meeting?.()
        return found
      }
      const store = {
        approvals,
        putApproval: privacy.putApproval.bind(privacy),
        confirmApproval: privacy.confirmApproval.bind(privacy),
        takeApproval: privacy.takeApproval.bind(privacy),
      }
      return new Approvals(store, () => now)
    },
  })
  ada = await mintAdminToken(SECRET, { subject: 'ada', email: 'ada@example.com', role: 'SuperAdmin' })
  // Another token of hers, with another name.
  adaAgain = await mintAdminToken(SECRET, { subject: 'ada', email: 'boss@example.com', role: 'Admin', projectId: 'p1' })
  bob = await mintAdminToken(SECRET, { subject: 'bob', role: 'Admin', projectId: 'p1' })
  other = await mintAdminToken(SECRET, { subject: 'eve', role: 'Admin', projectId: 'p2' })
})
afterAll(() => api.close())
beforeEach(async () => {
  for (const one of await waiting()) await api.call('DELETE', `${LIST}/${one.approval_id}`, { as: bob })
})

const LIST = '/projects/p1/approvals'
const project = { 'x-project-id': 'p1' }
interface Waiting {
  readonly approval_id: string
  readonly action: string
  readonly asked: string
  readonly confirmed_by?: string
}
const waiting = async (): Promise<readonly Waiting[]> =>
  ((await api.call('GET', LIST, { as: ada })).json as { approvals: Waiting[] }).approvals
const confirm = (id: string, as: string) => api.call('POST', `${LIST}/${id}/confirm`, { as })

const importCall = async (id: string) => {
  const body = JSON.stringify({ session_id: id, agent_name: 'Ana', created_dt: '2026-03-01T09:00:00Z' })
  const headers = { 'content-type': 'application/x-ndjson', ...project }
  expect((await api.call('POST', '/api/v1/interactions', { as: ada, body, headers })).status).toBe(200)
}

test('erasing waits for a second administrator, is done once when they confirmed it, and is listed meanwhile', async () => {
  await importCall('a')
  const erase = () => api.call('DELETE', '/api/v1/interactions/a', { as: ada, headers: project })
  const first = await erase()
  expect(first).toMatchObject({ status: 403 })
  const [asked, ...others] = await waiting()
  expect(others).toEqual([])
  expect(first.text).toContain(asked!.approval_id)
  expect(first.json).toMatchObject({ approval_id: asked!.approval_id })
  expect(asked).toMatchObject({
    action: 'DELETE /api/v1/interactions/:interaction_id',
    asked: '{"path":{"interaction_id":"a"}}',
    requested_by: 'ada@example.com',
    own: true,
  })
  expect(JSON.stringify(asked)).not.toContain('digest')
  expect((await api.call('GET', LIST, { as: bob })).json).toMatchObject({ approvals: [{ own: false }] })
  // Asked again it is the same request that waits.
  expect((await erase()).text).toBe(first.text)
  expect(await waiting()).toHaveLength(1)

  expect((await confirm(asked!.approval_id, bob)).json).toMatchObject({ confirmed_by: 'bob' })
  expect((await erase()).status).toBe(204)
  await importCall('b')
  const again = await api.call('DELETE', '/api/v1/interactions/b', { as: ada, headers: project })
  expect(again.status).toBe(403)
})

test('who asked can’t confirm, under whatever token; nor can an administrator of another project', async () => {
  await importCall('c')
  await api.call('DELETE', '/api/v1/interactions/c', { as: ada, headers: project })
  const [{ approval_id: id } = { approval_id: '' }] = await waiting()
  const before = api.record.length
  for (const as of [ada, adaAgain]) {
    const refused = await confirm(id, as)
    expect(refused).toMatchObject({ status: 403 })
    expect(refused.text).toContain('You asked for this')
  }
  expect((await confirm(id, other)).status).toBe(403)
  expect((await waiting())[0]).not.toHaveProperty('confirmed_by')
  // Who was refused, and what they asked for, is on record.
  expect(api.record.slice(before).filter(({ page }) => page?.includes('/confirm'))).toHaveLength(3)
})

test('what was confirmed is just that, for who asked', async () => {
  await importCall('d')
  await importCall('e')
  await api.call('DELETE', '/api/v1/interactions/d', { as: ada, headers: project })
  const [{ approval_id: id } = { approval_id: '' }] = await waiting()
  await confirm(id, bob)
  expect((await api.call('DELETE', '/api/v1/interactions/e', { as: ada, headers: project })).status).toBe(403)
  expect((await api.call('DELETE', '/api/v1/interactions/d', { as: bob, headers: project })).status).toBe(403)
  expect((await api.call('DELETE', '/api/v1/interactions/d', { as: adaAgain, headers: project })).status).toBe(204)
})

test('a confirmation ends after a day, as does what waits for one', async () => {
  await importCall('f')
  const erase = () => api.call('DELETE', '/api/v1/interactions/f', { as: ada, headers: project })
  await erase()
  const [{ approval_id: id } = { approval_id: '' }] = await waiting()
  await confirm(id, bob)
  now += 25 * HOUR_MS
  expect(await waiting()).toEqual([])
  expect((await erase()).status).toBe(403)
  expect((await confirm(id, bob)).status).toBe(404)
})

test('what is refused is gone', async () => {
  await importCall('g')
  await api.call('DELETE', '/api/v1/interactions/g', { as: ada, headers: project })
  const [{ approval_id: id } = { approval_id: '' }] = await waiting()
  expect((await api.call('DELETE', `${LIST}/${id}`, { as: bob })).status).toBe(200)
  expect((await confirm(id, bob)).status).toBe(404)
})

/** Has two read what waits before either goes on. */
async function atOnce<T>(one: () => Promise<T>, other: () => Promise<T>): Promise<readonly [T, T]> {
  const waits: (() => void)[] = []
  meeting = async () => {
    if (waits.length === 0) await new Promise<void>(resolve => waits.push(resolve))
    else for (const go of waits) go()
  }
  try {
    return await Promise.all([one(), other()])
  } finally {
    meeting = undefined
  }
}

test('what was asked for twice at once, at two processes, is done once either is confirmed', async () => {
  await importCall('twice')
  const erase = () => api.call('DELETE', '/api/v1/interactions/twice', { as: ada, headers: project })
  await erase()
  const [first] = await kept.approvals('p1')
  await kept.putApproval({ ...first!, approval_id: 'appr_zz' })
  expect(await waiting()).toHaveLength(2)
  await confirm('appr_zz', bob)
  expect((await erase()).status).toBe(204)
})

test('of two who confirm it at once neither is told that it is not there', async () => {
  await importCall('both')
  await api.call('DELETE', '/api/v1/interactions/both', { as: ada, headers: project })
  const [{ approval_id: id } = { approval_id: '' }] = await waiting()
  const said = await atOnce(
    () => confirm(id, bob),
    () => confirm(id, bob),
  )
  expect(said.map(({ status, json }) => [status, json])).toEqual([
    [200, expect.objectContaining({ approval_id: id, confirmed_by: 'bob' })],
    [200, expect.objectContaining({ approval_id: id, confirmed_by: 'bob' })],
  ])
})

test('a key may not ask for any of it, whoever made it', async () => {
  const admin = { subject: 'ada', name: 'ada', role: 'Admin' as const }
  const { key } = await api.keys.mint(
    'p1',
    { name: 'k', is_supervisor: true, roles: ['Admin'], allowed_agents: [], require_mapping: false },
    admin,
  )
  await importCall('h')
  const refused = await api.call('DELETE', '/api/v1/interactions/h', { as: key })
  expect(refused.status).toBe(403)
  expect(refused.text).toContain('a key can’t')
  expect((await api.call('GET', '/api/v1/bulk/interactions', { as: key })).status).toBe(200)
  expect(await waiting()).toEqual([])
})

const everything = { name: 'all' }
const some = { name: 'some', allowed_agents: ['Ana'] }
const MINT = '/projects/p1/mcp-keys'

describe('what waits', () => {
  test.each([
    ['an export', 'GET', '/api/v1/export', undefined],
    ['reading all in bulk', 'GET', '/api/v1/bulk/interactions', undefined],
    ['erasing a customer', 'POST', '/api/v1/customers/erase', { customer: 'Jane', confirm: 'x' }],
    ['a key of the full project', 'POST', MINT, everything],
    [
      'a person of the full project',
      'POST',
      '/projects/p1/people',
      { subject: 'x@example.com', require_mapping: false },
    ],
  ])('%s', async (_, method, path, body) => {
    const answer = await api.call(method, path, { as: ada, headers: project, ...(body && { body }) })
    expect(answer.status).toBe(403)
    expect(answer.text).toContain('A second administrator has to confirm this')
    expect(await waiting()).toHaveLength(1)
  })

  test('and not a key of some agents; but making it one of the full project, and a rotation of such a key, do', async () => {
    const minted = await api.call('POST', MINT, { as: ada, body: some })
    expect(minted.status).toBe(201)
    const { key_id: id } = minted.json as { key_id: string }
    const patch = (body: object) => api.call('PATCH', `${MINT}/${id}`, { as: ada, body })
    expect((await patch({ name: 'renamed' })).status).toBe(200)
    expect((await patch({ allowed_agents: [] })).status).toBe(403)
    expect((await patch({ allowed_agents: [], require_mapping: true })).status).toBe(200)
    expect((await patch({ require_mapping: false })).status).toBe(403)
    const rotated = await api.call('POST', `${MINT}/${id}/rotate`, { as: ada, body: {} })
    expect(rotated.status).toBe(201)
    const ask = () => api.call('POST', MINT, { as: ada, body: everything })
    await ask()
    const approval = (await waiting()).find(({ action }) => action === `POST ${MINT.replace('p1', ':project_id')}`)
    await confirm(approval!.approval_id, bob)
    const full = await ask()
    expect(full.status).toBe(201)
    const { key_id: whole } = full.json as { key_id: string }
    expect((await api.call('POST', `${MINT}/${whole}/rotate`, { as: ada, body: {} })).status).toBe(403)
  })

  /** Makes something of the full project, which bob confirms. */
  const confirmed = async (url: string, body: object): Promise<string> => {
    const ask = () => api.call('POST', url, { as: ada, body })
    await ask()
    for (const { approval_id: id } of await waiting()) await confirm(id, bob)
    const made = await ask()
    expect(made.status).toBe(201)
    return (made.json as { key_id: string }).key_id
  }

  test.each<readonly [string, object, object]>([
    ['another role', { roles: ['Auditor'] }, { roles: ['Admin'] }],
    ['a supervisor', { is_supervisor: false }, { is_supervisor: true }],
    ['texts', { text: 'none' }, { text: 'masked' }],
    ['unmasked texts', { text: 'masked' }, { text: 'full' }],
    ['smaller groups', { min_group: 20 }, { min_group: 2 }],
    ['another tool', { tools: ['search_calls'] }, { tools: ['search_calls', 'get_call_detail'] }],
    ['to change things', { read_only: true }, { read_only: false }],
    ['a later end', { expires_at: '2098-01-01T00:00:00Z' }, { expires_at: '2098-01-01T00:00:01Z' }],
    ['a wider network', { allowed_networks: ['10.1.0.0/16'] }, { allowed_networks: ['10.0.0.0/8'] }],
    ['another network', { allowed_networks: ['10.1.2.3'] }, { allowed_networks: ['10.1.2.3', '192.0.2.0/24'] }],
    ['all addresses', { allowed_networks: ['192.0.2.1', '::/0'] }, { allowed_networks: ['0.0.0.0/0', '::/0'] }],
    ['a larger rate', { requests_per_minute: 1 }, { requests_per_minute: 100_000 }],
    ['more questions', { questions_per_day: 1 }, { questions_per_day: 2 }],
    ['more bytes', { bytes_per_day: 1_000 }, { bytes_per_day: 2 ** 50 }],
    ['more work', { processor_seconds_per_day: 10 }, { processor_seconds_per_day: 11 }],
    ...Object.entries({
      expires_at: '2098-01-01T00:00:00Z',
      allowed_networks: ['10.1.0.0/16'],
      text: 'masked',
      min_group: 20,
      requests_per_minute: 1,
      questions_per_day: 1,
      bytes_per_day: 1_000,
      processor_seconds_per_day: 10,
      tools: ['search_calls'],
      read_only: true,
    }).map(([name, bound]): [string, object, object] => [`no ${name}`, { [name]: bound }, { [name]: null }]),
  ])('giving a key of the full project %s; taking it away does not, nor does revoking', async (_, less, more) => {
    const id = await confirmed(MINT, { ...everything, ...less })
    const patch = (body: object) => api.call('PATCH', `${MINT}/${id}`, { as: ada, body })
    expect((await patch({ ...more, name: 'more' })).text).toContain('A second administrator has to confirm this')
    expect((await patch({ ...less, name: 'the same' })).status).toBe(200)
    await patch(more)
    for (const { approval_id: approval } of await waiting()) await confirm(approval, bob)
    expect((await patch(more)).status).toBe(200)
    const isRole = 'roles' in less
    expect((await patch(less)).status, 'of roles any other counts').toBe(isRole ? 403 : 200)
    expect((await patch({ ...more, active: false })).status).toBe(200)
  })

  test('a key whose teams are taken away, so that it hears the full project', async () => {
    const team = { team_id: 'north', name: 'North', agents: ['Ana'] }
    expect((await api.call('POST', '/projects/p1/teams', { as: ada, body: team })).status).toBe(201)
    const minted = await api.call('POST', MINT, { as: ada, body: { name: 'north', teams: ['north'] } })
    const { key_id: id } = minted.json as { key_id: string }
    const patch = (body: object) => api.call('PATCH', `${MINT}/${id}`, { as: ada, body })
    expect((await patch({ teams: null })).text).toContain('A second administrator has to confirm this')
    expect((await patch({ teams: null, require_mapping: true })).json).not.toHaveProperty('teams')
  })

  test('a bound that is taken from both keys of a rotation', async () => {
    const { old, next } = await rotation({ questions_per_day: 1 })
    const ask = () => api.call('PATCH', `${MINT}/${old}`, { as: ada, body: { ...widened, questions_per_day: null } })
    await ask()
    const [asked] = await waiting()
    const { key, others } = JSON.parse(asked!.asked) as { key: object; others: object[] }
    for (const one of [key, ...others]) expect(one).not.toHaveProperty('questions_per_day')
    await confirm(asked!.approval_id, bob)
    expect((await ask()).status).toBe(200)
    expect(await get(next)).not.toHaveProperty('questions_per_day')
  })

  test('a change of a key is confirmed with all that the key may do then', async () => {
    const minted = await api.call('POST', MINT, { as: ada, body: { ...some, text: 'none' } })
    const { key_id: id } = minted.json as { key_id: string }
    const patch = (body: object) => api.call('PATCH', `${MINT}/${id}`, { as: ada, body })
    const widen = () => patch({ allowed_agents: [] })
    expect((await widen()).status).toBe(403)
    const [asked] = await waiting()
    expect(asked!.asked).toContain('"text":"none"')
    await confirm(asked!.approval_id, bob)
    // Of a key of some agents nobody else has to confirm this.
    expect((await patch({ text: 'full' })).status).toBe(200)
    expect((await widen()).status, 'bob confirmed a key without texts').toBe(403)
    expect((await patch({ text: 'none' })).status).toBe(200)
    expect((await widen()).status).toBe(200)
  })

  test('two changes at once come to no more than either alone', async () => {
    const body = { ...some, require_mapping: true }
    const { key_id: id } = (await api.call('POST', MINT, { as: ada, body })).json as { key_id: string }
    const patch = api.keys.patch.bind(api.keys)
    // Both have been let past when the first is written.
    const waits: (() => void)[] = []
    const spy = vi.spyOn(api.keys, 'patch').mockImplementation(async (...of) => {
      await new Promise<void>(go => {
        waits.push(go)
        if (waits.length === 2) for (const one of waits) one()
      })
      return await patch(...of)
    })
    try {
      const changes = [{ allowed_agents: [] }, { require_mapping: false }]
      const answers = await Promise.all(
        changes.map(change => api.call('PATCH', `${MINT}/${id}`, { as: ada, body: change })),
      )
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]))
    } finally {
      spy.mockRestore()
    }
  })

  /** A key of some agents and the one that a rotation puts in its place, both accepted. */
  const rotation = async (fields: object = {}) => {
    const minted = await api.call('POST', MINT, { as: ada, body: { ...some, ...fields } })
    const { key_id: old } = minted.json as { key_id: string }
    const rotated = await api.call('POST', `${MINT}/${old}/rotate`, { as: ada, body: { grace_seconds: 3_600 } })
    return { old, next: (rotated.json as { key_id: string }).key_id }
  }
  const get = async (id: string) => (await api.call('GET', `${MINT}/${id}`, { as: ada })).json
  const widened = { allowed_agents: [], require_mapping: false }

  test('a change that ends one key of a rotation, and would make the other one of the full project', async () => {
    const { old, next } = await rotation()
    const patch = () => api.call('PATCH', `${MINT}/${old}`, { as: ada, body: { ...widened, active: false } })
    expect((await patch()).text).toContain('A second administrator has to confirm this')
    expect(await get(next)).toMatchObject({ allowed_agents: ['Ana'], active: true })
    const [asked] = await waiting()
    await confirm(asked!.approval_id, bob)
    expect((await patch()).status).toBe(200)
    expect(await get(next)).toMatchObject({ allowed_agents: [], active: true })
    expect(await get(old)).toMatchObject({ active: false })
  })

  test('a change of a key with what each other key of its rotation may do then, and till when', async () => {
    const { old, next } = await rotation({ expires_at: '2098-01-01T00:00:00Z' })
    const patch = () => api.call('PATCH', `${MINT}/${old}`, { as: ada, body: widened })
    await patch()
    const [asked] = await waiting()
    expect(JSON.parse(asked!.asked)).toMatchObject({ others: [{ expires_at: '2098-01-01T00:00:00.000Z' }] })
    await confirm(asked!.approval_id, bob)
    // Of a key of some agents nobody else has to confirm this.
    expect(
      (await api.call('PATCH', `${MINT}/${next}`, { as: ada, body: { expires_at: '2099-01-01T00:00:00Z' } })).status,
    ).toBe(200)
    expect((await patch()).status, 'bob confirmed two keys that end earlier').toBe(403)
    expect(await get(next)).toMatchObject({ allowed_agents: ['Ana'] })
  })

  test('a key that is widened while its rotation is asked for is not rotated by who asked for one of some agents', async () => {
    const minted = await api.call('POST', MINT, { as: ada, body: some })
    const { key_id: id } = minted.json as { key_id: string }
    const rotate = api.keys.rotate.bind(api.keys)
    const spy = vi.spyOn(api.keys, 'rotate').mockImplementation(async (...of) => {
      // What two agreed to, just then.
      await api.keys.patch('p1', id, { allowed_agents: [] }, { name: 'bob', role: 'Admin' })
      return await rotate(...of)
    })
    try {
      const rotated = await api.call('POST', `${MINT}/${id}/rotate`, { as: ada, body: {} })
      expect([rotated.status, rotated.text]).toEqual([409, expect.stringContaining('was changed meanwhile')])
    } finally {
      spy.mockRestore()
    }
  })

  test('and not what bounds it more than before', async () => {
    const networks = ['10.1.0.0/16', '2001:db8::/32']
    const id = await confirmed(MINT, { ...everything, allowed_networks: networks, questions_per_day: 10 })
    for (const less of [
      { allowed_networks: ['10.1.2.0/24', '::ffff:10.1.3.4', '2001:db8:1::/48'] },
      { expires_at: '2098-01-01T00:00:00Z', requests_per_minute: 10, bytes_per_day: 1, processor_seconds_per_day: 1 },
      { expires_at: '2097-01-01T00:00:00+01:00', questions_per_day: 9 },
    ]) {
      expect((await api.call('PATCH', `${MINT}/${id}`, { as: ada, body: less })).status).toBe(200)
    }
  })

  test('another invitation of a person of the full project, as a rotation of a key', async () => {
    const person = { subject: 'boss@example.com', require_mapping: false }
    const id = await confirmed('/projects/p1/people', person)
    const again = await api.call('POST', `${MINT}/${id}/invitation`, { as: ada })
    expect(again.status).toBe(403)
    expect(again.text).toContain('A second administrator has to confirm this')
  })
})

test('what is asked for is shown whole to who confirms it, however long; what is longer can’t be asked for', async () => {
  const networks = Array.from(
    { length: 100 },
    (_, i) => `2001:db8:1234:5678:9abc:def0:1234:${i.toString(16).padStart(4, '0')}/128`,
  )
  const ask = (body: object) => api.call('POST', MINT, { as: ada, body })
  expect(
    (await ask({ ...everything, allowed_networks: networks, text: 'masked', tools: ['search_calls'] })).status,
  ).toBe(403)
  const [asked] = await waiting()
  expect(JSON.parse(asked!.asked)).toMatchObject({ body: { text: 'masked', tools: ['search_calls'] } })

  const parameters = { calls_after_days: 1, note: 'x'.repeat(70_000) }
  const long = { kind: 'retention', schedule: '0 3 * * *', parameters }
  const refused = await api.call('POST', '/api/v1/tasks', { as: ada, headers: project, body: long })
  expect(refused).toMatchObject({ status: 422 })
  expect(refused.text).toContain('too long for somebody to confirm')
  expect(await waiting()).toHaveLength(1)
})

test('what is asked for several times at once is one request, confirmed once and done once', async () => {
  const mint = () => api.call('POST', MINT, { as: ada, body: everything })
  const answers = await Promise.all(Array.from({ length: 12 }, mint))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([403]))
  const [asked, ...others] = await waiting()
  expect(others).toEqual([])
  await confirm(asked!.approval_id, bob)
  const done = await Promise.all(Array.from({ length: 12 }, mint))
  expect(done.filter(({ status }) => status === 201)).toHaveLength(1)
})
