import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { adminToken, superToken } from '../support/api.js'
import { startCallsApi } from '../support/calls-api.js'

const HOOKS = '/api/v1/webhooks'
const ALERTS = '/api/v1/alerts'
const toHooks = { url: 'https://hooks.example.com/earshot', events: ['key.revoked', 'alert.triggered'] }

let api: Awaited<ReturnType<typeof startCallsApi>>
let admin: string
beforeAll(async () => {
  api = await startCallsApi()
  admin = await adminToken()
})
afterAll(() => api.close())

describe('webhooks', () => {
  test('are made with a secret that is shown once', async () => {
    const made = await api.call('POST', HOOKS, { as: admin, body: toHooks })
    expect(made.status).toBe(201)
    expect(made.json).toMatchObject({ ...toHooks, active: true, active_secrets: 1, created_by: 'ada@example.com' })
    expect(made.json.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const { secret: _, ...shown } = made.json
    expect((await api.call('GET', `${HOOKS}/${made.json.webhook_id}`, { as: admin })).json).toEqual(shown)
    expect((await api.call('GET', HOOKS, { as: admin })).text).not.toContain('whsec_')
    expect(api.record.map(({ page }) => page)).toContain('POST /api/v1/webhooks')
  })

  test.each([
    [{ ...toHooks, url: 'http://hooks.example.com/' }, 'Field "url" must be an https:// address'],
    [{ ...toHooks, url: 'ftp://hooks.example.com/' }, 'Field "url" must be an https:// address'],
    [{ ...toHooks, url: 'https://user:pass@hooks.example.com/' }, 'Field "url" must hold no user name or password'],
    [{ ...toHooks, url: 'https://:pass@hooks.example.com/' }, 'Field "url" must hold no user name or password'],
    [{ ...toHooks, url: 'https://hooks.example.com/#x' }, 'Field "url" must hold no fragment (#…)'],
    [{ ...toHooks, url: 'https://169.254.169.254/' }, 'must lead to a public address, and "169.254.169.254" is none'],
    [{ ...toHooks, url: 'https://0x7f.1/' }, 'must lead to a public address, and "127.0.0.1" is none'],
    [{ ...toHooks, url: 'https://[::ffff:10.0.0.1]/' }, 'must lead to a public address'],
    [{ ...toHooks, url: `https://hooks.example.com/${'x'.repeat(2_048)}` }, 'Field "url"'],
    [{ ...toHooks, events: [] }, 'Field "events"'],
    [{ ...toHooks, events: ['interaction.deleted'] }, 'Field "events.0"'],
    [{ ...toHooks, secret: 'mine' }, 'Unknown field "secret"'],
  ])('%j is refused', async (body, sentence) => {
    const answer = await api.call('POST', HOOKS, { as: admin, body })
    expect([answer.status, answer.json.code]).toEqual([422, 'invalid_input'])
    expect(answer.json.error).toContain(sentence)
  })

  test('are an administrator’s, of the project the token acts on', async () => {
    const { webhook_id: id } = (await api.call('POST', HOOKS, { as: admin, body: toHooks })).json
    const [key, foreign, root] = [await api.mint(), await adminToken('p2'), await superToken()]
    const asKey = await api.call('GET', HOOKS, { as: key })
    expect([asKey.status, asKey.json.error]).toEqual([403, 'An admin token is required, not an application key'])
    expect((await api.call('GET', HOOKS)).status).toBe(401)
    const missing = await api.call('GET', `${HOOKS}/wh_none`, { as: admin })
    for (const [method, path] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/rotate'],
      ['GET', '/deliveries'],
      ['POST', '/resend'],
      ['POST', '/deliveries/dlv_x/resend'],
    ] as const) {
      const answer = await api.call(method, `${HOOKS}/${id}${path}`, { as: foreign })
      const status = `${method} ${path} ${answer.status}`
      expect(status).toBe(`${method} ${path} 404`)
      expect(answer.json.error.replace(id, 'wh_none')).toBe(missing.json.error)
    }
    expect((await api.call('GET', HOOKS, { as: foreign })).json).toEqual({ webhooks: [] })
    const named = { as: root, headers: { 'x-project-id': 'p1' } }
    expect((await api.call('GET', `${HOOKS}/${id}`, named)).status).toBe(200)
    const unknown = { as: root, headers: { 'x-project-id': 'nowhere' } }
    expect((await api.call('GET', HOOKS, unknown)).status).toBe(404)
  })

  test('there are twenty at most in a project', async () => {
    const second = await adminToken('p2')
    const statuses: number[] = []
    for (let n = 0; n < 21; n += 1) {
      statuses.push((await api.call('POST', HOOKS, { as: second, body: toHooks })).status)
    }
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 201), 409])
  })

  test('deliveries are paged, newest first', async () => {
    const { webhook_id: id } = (await api.call('POST', HOOKS, { as: admin, body: toHooks })).json
    for (const key_id of ['a', 'b', 'c']) {
      await api.events.raise({ event: 'key.revoked', project_id: 'p1', data: { key_id } })
    }
    const first = (await api.call('GET', `${HOOKS}/${id}/deliveries?limit=2`, { as: admin })).json
    expect(first.deliveries).toMatchObject([{ state: 'pending', attempts: 0 }, { event: 'key.revoked' }])
    const next = `limit=2&cursor=${first.next_cursor}`
    const second = (await api.call('GET', `${HOOKS}/${id}/deliveries?${next}`, { as: admin })).json
    expect(second.deliveries).toHaveLength(1)
    expect(second.next_cursor).toBeUndefined()
    const other = await api.call('GET', `${HOOKS}/${id}/deliveries?state=dead&${next}`, { as: admin })
    expect(other.json.error).toBe('Cursor belongs to another query')
    expect(JSON.stringify([first, second])).not.toMatch(/key_id|body|subject/)
  })
})

describe('alerts', () => {
  test('are made, changed and removed', async () => {
    const body = { name: 'Poor', condition: { kind: 'score_below', threshold: 2 }, agents: ['Ana'] }
    const made = await api.call('POST', ALERTS, { as: admin, body })
    expect(made.status).toBe(201)
    expect(made.json).toMatchObject({ name: 'Poor', agents: ['Ana'], cooldown_seconds: 3_600, active: true })
    expect(made.json.condition).toEqual({ kind: 'score_below', measure: 'score', threshold: 2 })
    const alert = `${ALERTS}/${made.json.alert_id}`
    const patched = await api.call('PATCH', alert, { as: admin, body: { active: false, cooldown_seconds: 0 } })
    expect(patched.json).toEqual({ ...made.json, active: false, cooldown_seconds: 0 })
    expect((await api.call('GET', alert, { as: await adminToken('p2') })).status).toBe(404)
    expect((await api.call('GET', ALERTS, { as: await api.mint() })).status).toBe(403)
    expect((await api.call('DELETE', alert, { as: admin })).status).toBe(204)
    expect((await api.call('GET', alert, { as: admin })).status).toBe(404)
  })

  test('can not wait for changes of a period that is none', async () => {
    const condition = { kind: 'change_found', period: 'last seven days' }
    const added = await api.call('POST', ALERTS, { as: admin, body: { name: 'x', condition } })
    expect([added.status, added.json.details]).toEqual([
      422,
      [{ path: 'condition.period', message: expect.stringMatching(/^Is not a period; it is one of: /) }],
    ])
    const valid = { name: 'x', condition: { ...condition, period: 'last 7 days' } }
    const { alert_id: id } = (await api.call('POST', ALERTS, { as: admin, body: valid })).json
    const changed = await api.call('PATCH', `${ALERTS}/${id}`, { as: admin, body: { condition } })
    expect(changed.status).toBe(422)
    expect((await api.call('DELETE', `${ALERTS}/${id}`, { as: admin })).status).toBe(204)
  })

  test.each([
    { kind: 'score_below', threshold: 0 },
    { kind: 'score_below' },
    { kind: 'signal_present' },
    { kind: 'moon_full' },
    { kind: 'change_found', category: 'weather' },
  ])('%j is no condition', async condition => {
    const answer = await api.call('POST', ALERTS, { as: admin, body: { name: 'x', condition } })
    expect([answer.status, answer.json.code]).toEqual([422, 'invalid_input'])
  })
})

describe('feedback', () => {
  const FEEDBACK = '/api/v1/interactions/a/feedback'
  const CALL = { session_id: 'a', agent_name: 'Ana', created_dt: '2026-03-01T10:00:00.000Z' }

  test('is given and read by whoever may see the call', async () => {
    const [all, ana, bo] = [
      await api.mint(),
      await api.mint({ allowed_agents: ['Ana'], roles: [] }),
      await api.mint({ allowed_agents: ['Bo'] }),
    ]
    await api.call('POST', '/api/v1/interactions', { as: all, body: [CALL] })
    const given = await api.call('POST', FEEDBACK, { as: ana, body: { rating: 2, text: ' Too \u202elong ' } })
    expect(given.status).toBe(201)
    expect(given.json).toMatchObject({ session_id: 'a', rating: 2, text: 'Too long', created_by: 'k' })
    expect((await api.call('GET', FEEDBACK, { as: all })).json).toEqual({ feedback: [given.json], count: 1 })
    const hidden = await api.call('POST', FEEDBACK, { as: bo, body: { rating: 2 } })
    const missing = await api.call('POST', '/api/v1/interactions/b/feedback', { as: bo, body: { rating: 2 } })
    expect([hidden.status, missing.status]).toEqual([404, 404])
    expect(hidden.json.error).toBe(missing.json.error.replace(': b', ': a'))
    expect((await api.call('GET', FEEDBACK, { as: bo })).status).toBe(404)
  })

  test('is masked where the project masks personal data, like the call it is about', async () => {
    const as = await api.mint()
    await api.projects.patch('p1', { redact: true })
    onTestFinished(() => void api.projects.patch('p1', { redact: false }))
    const text = 'My card is 4111 1111 1111 1111'
    const transcript = [{ turn: 0, actor: 'customer', text }]
    await api.call('POST', '/api/v1/interactions', { as, body: [{ ...CALL, transcript }] })
    const given = await api.call('POST', FEEDBACK, { as, body: { rating: 2, text } })
    const stored = await api.call('GET', '/api/v1/interactions/a', { as })
    expect(given.json.text).toBe('My card is [card]')
    expect(stored.json.transcript[0].text).toBe(given.json.text)
    expect((await api.call('GET', FEEDBACK, { as })).text).not.toContain('4111')
  })

  test('is one of each key: the next takes the place of the last, whatever others gave', async () => {
    const [agent, supervisor] = [await api.mint({ allowed_agents: ['Ana'], roles: [] }), await api.mint()]
    await api.call('POST', '/api/v1/interactions', { as: supervisor, body: [{ ...CALL, session_id: 'rated' }] })
    const RATED = '/api/v1/interactions/rated/feedback'
    // As older versions kept it, several of one key and as many as a call could have.
    const kept = Array.from({ length: 100 }, (_, n) => {
      const feedback_id = `fb_${String(n).padStart(24, '0')}`
      return {
        session_id: 'rated',
        feedback_id,
        about: 'call' as const,
        rating: 3,
        created_at: '2026-03-01T00:00:00.000Z',
        created_by: 'k',
      }
    })
    await api.store.events.feedback.restore('p1', kept)
    const give = (as: string, body: object) => api.call('POST', RATED, { as, body })
    const stuffed = await Promise.all(Array.from({ length: 5 }, () => give(agent, { rating: 5 })))
    expect(new Set(stuffed.map(({ status }) => status))).toEqual(new Set([201]))
    const said = await give(supervisor, { rating: 1, text: 'Rude' })
    const last = await give(agent, { rating: 4, text: 'Sorry' })
    const { feedback, count } = (await api.call('GET', RATED, { as: supervisor })).json
    expect(count).toBe(102)
    expect(feedback.slice(-2)).toEqual([said.json, last.json])
  })

  test('is deleted by who may erase the call, on record', async () => {
    const [agent, overseer] = [await api.mint({ allowed_agents: ['Ana'], roles: [] }), await api.mint()]
    await api.call('POST', '/api/v1/interactions', { as: overseer, body: [CALL] })
    const { feedback_id: id } = (await api.call('POST', FEEDBACK, { as: agent, body: { rating: 5 } })).json
    const remove = (as: string, of = id) => api.call('DELETE', `${FEEDBACK}/${of}`, { as })
    expect((await remove(agent)).status).toBe(403)
    expect((await remove(overseer)).status).toBe(204)
    const again = await remove(overseer)
    expect([again.status, again.json.error]).toEqual([404, `Feedback not found: "${id}"`])
    expect((await api.call('DELETE', `/api/v1/interactions/none/feedback/${id}`, { as: overseer })).status).toBe(404)
    const ids = (await api.call('GET', FEEDBACK, { as: overseer })).json.feedback as { feedback_id: string }[]
    expect(ids.map(one => one.feedback_id)).not.toContain(id)
    const lines = api.record.filter(({ page }) => page?.endsWith('/feedback/:feedback_id'))
    expect(lines).toMatchObject([
      { outcome: 'refused', code: 'forbidden' },
      { outcome: 'ok', status: 204 },
      { outcome: 'refused', code: 'not_found' },
      { outcome: 'refused', code: 'not_found' },
    ])
  })

  test.each([
    {},
    { rating: 0 },
    { rating: 6 },
    { rating: 2.5 },
    { rating: '3' },
    { rating: 3, text: 'x'.repeat(4_001) },
  ])('%j is refused', async body => {
    const as = await api.mint()
    await api.call('POST', '/api/v1/interactions', { as, body: [CALL] })
    expect((await api.call('POST', FEEDBACK, { as, body })).status).toBe(422)
  })
})
