import { once } from 'node:events'
import http, { type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { adminToken } from '../support/api.js'
import { startCallsApi } from '../support/calls-api.js'

const CALLS = 5_000
const BULK = '/api/v1/bulk/interactions'

/** Evaluated, since here it matters only that calls are many bytes: more than a socket takes while nobody reads. */
const call = (i: number, more: object = {}) => ({
  session_id: `call-${i}`,
  agent_name: i % 10 === 0 ? 'Ben' : 'Ana',
  created_dt: new Date(Date.UTC(2026, 0, 1) + ((i * 7919) % CALLS) * 60_000).toISOString(),
  title: `Call ${i}`,
  transcript: [{ turn: 0, actor: 'agent', text: `What was said in call ${i}. `.repeat(110) }],
  evaluation: { evaluator: 'imported' },
  ...more,
})
const callsFrom = (first: number, count: number, more: object = {}) =>
  Array.from({ length: count }, (_, i) => call(first + i, more))

interface Line {
  readonly cursor: string
  readonly call: { readonly session_id: string; readonly agent_name: string; readonly title: string }
}

let api: Awaited<ReturnType<typeof startCallsApi>>
let key: string
let ben: string
let admin: string
beforeAll(async () => {
  api = await startCallsApi()
  key = await api.mint()
  ben = await api.mint({ allowed_agents: ['Ben'], roles: [] })
  admin = await adminToken()
  await send(callsFrom(0, CALLS))
})
afterAll(() => api.close())

async function send(calls: readonly object[], as = key) {
  const body = calls.map(one => JSON.stringify(one)).join('\n')
  const headers = { 'content-type': 'application/x-ndjson' }
  const { json } = await api.call('POST', '/api/v1/interactions', { as, body, headers })
  expect(json).toMatchObject({ stored: calls.length })
}

/** Lines as they come; a reader who returns early is gone in the middle of one. */
async function* read(as: string, cursor?: string): AsyncGenerator<Line> {
  const query = cursor === undefined ? '' : `?cursor=${encodeURIComponent(cursor)}`
  const headers = { authorization: `Bearer ${as}` }
  const [response] = (await once(http.get(`${api.url}${BULK}${query}`, { headers }), 'response')) as [IncomingMessage]
  expect(response.statusCode).toBe(200)
  let text = ''
  // Leaving the loop destroys the connection.
  for await (const chunk of response.setEncoding('utf8') as AsyncIterable<string>) {
    const lines = (text + chunk).split('\n')
    text = lines.pop() ?? ''
    for (const line of lines) yield JSON.parse(line) as Line
  }
}

async function all(as: string, cursor?: string): Promise<Line[]> {
  const found: Line[] = []
  for await (const line of read(as, cursor)) found.push(line)
  return found
}

const ids = (lines: readonly Line[]) => lines.map(({ call: { session_id: id } }) => id)
const get = (query: string, as = key, headers: Record<string, string> = {}) =>
  api.call('GET', `${BULK}${query}`, { as, headers })

describe('reading in bulk', () => {
  test('a client that is killed again and again, while calls come in, are replaced and erased, gets each once', async () => {
    const lines: Line[] = []
    const change = [
      () => send(callsFrom(CALLS, 700)),
      // Some that were given already, and some that were not.
      () => send([call(3, { title: 'Replaced' }), call(CALLS - 1, { title: 'Replaced' })]),
      () => api.call('DELETE', `/api/v1/interactions/call-${CALLS - 2}`, { as: key }),
      () => send(callsFrom(CALLS + 700, 300)),
    ]
    for (let ended = false; !ended;) {
      ended = true
      let taken = 0
      for await (const line of read(key, lines.at(-1)?.cursor)) {
        lines.push(line)
        taken += 1
        if (taken === 950) {
          ended = false
          break
        }
      }
      await change.shift()?.()
    }
    expect(change).toEqual([])
    // The last change came when all had been read.
    lines.push(...(await all(key, lines.at(-1)?.cursor)))

    const found = ids(lines)
    const expected = new Set(callsFrom(0, CALLS + 1_000).map(({ session_id: id }) => id))
    expected.delete(`call-${CALLS - 2}`)
    expect(new Set(found)).toEqual(expected)
    // One was replaced after it was given: it comes again, as it is now.
    expect(found.filter((id, i) => found.indexOf(id) !== i)).toEqual(['call-3'])
    const titles = lines.filter(({ call: { title } }) => title === 'Replaced')
    expect(ids(titles).toSorted((a, b) => a.localeCompare(b))).toEqual(['call-3', `call-${CALLS - 1}`])
    expect(await all(key, lines.at(-1)?.cursor)).toEqual([])
  })

  test('gives a key that names agents theirs, as GET of one gives it, and nothing of a project that is not its own', async () => {
    const lines = await all(ben)
    expect(new Set(lines.map(({ call: { agent_name: name } }) => name))).toEqual(new Set(['Ben']))
    expect(lines.length).toBe((CALLS + 1_000) / 10)
    const [first] = lines
    expect((await api.call('GET', `/api/v1/interactions/${first?.call.session_id}`, { as: ben })).json).toEqual(
      first?.call,
    )
    const nobody = await api.mint({ allowed_agents: [], require_mapping: true, roles: [] })
    expect(await all(nobody)).toEqual([])
    const other = await adminToken('p2')
    expect(await all(other)).toEqual([])
  })

  test.each([BULK, '/api/v1/export', '/api/v1/export/tables/turns?format=csv'])(
    'what is read of before (%s) goes no further when a call was erased meanwhile',
    async path => {
      const gone = `gone-${path.length}`
      await send([call(-1, { session_id: gone, created_dt: '2026-12-01T00:00:00Z' })])
      const headers = { authorization: `Bearer ${admin}` }
      const [response] = (await once(http.get(`${api.url}${path}`, { headers }), 'response')) as [IncomingMessage]
      expect(response.statusCode).toBe(200)
      expect((await api.call('DELETE', `/api/v1/interactions/${gone}`, { as: key })).status).toBe(204)
      const isOver = new Promise(resolve => response.once('close', resolve))
      let text = ''
      response.on('error', () => undefined).on('data', (bytes: Buffer) => (text += bytes.toString('latin1')))
      await isOver
      expect([response.complete, text.includes(gone)]).toEqual([false, false])
    },
  )

  test('a cursor of another key, project, or of a key that may hear others since, is none', async () => {
    const own = (await all(ben)).at(-1)?.cursor ?? ''
    const second = await api.mint({ allowed_agents: ['Ben'], roles: [] })
    const list = await api.call('GET', '/api/v1/interactions?limit=1', { as: ben })
    const wrong: readonly [string, string][] = [
      [second, own],
      [key, own],
      [await adminToken('p2'), own],
      [ben, `${own.slice(0, -1)}${own.endsWith('A') ? 'B' : 'A'}`],
      [ben, 'x'],
      [ben, 'x'.repeat(4_096)],
      [ben, list.json.next_cursor as string],
    ]
    for (const [as, cursor] of wrong) {
      const refused = await get(`?cursor=${encodeURIComponent(cursor)}`, as)
      expect([refused.status, refused.json.error]).toEqual([422, 'Cursor belongs to another query'])
    }
    expect((await get(`?cursor=${'x'.repeat(4_097)}`, ben)).status).toBe(422)
    expect((await get('?limit=1', ben)).status).toBe(422)
    expect((await get('', 'esk_wrong')).status).toBe(401)
    expect((await get('', ben, { accept: 'text/csv' })).status).toBe(406)
    expect((await get('', ben, { accept: 'application/jsonl' })).status).toBe(200)
    expect((await api.call('HEAD', BULK, { as: ben })).headers.get('x-total-count')).toBe(String((CALLS + 1_000) / 10))

    const { keys } = (await api.call('GET', '/projects/p1/mcp-keys', { as: admin })).json
    const id = keys.find((one: { key_preview: string }) => one.key_preview.endsWith(ben.slice(-4))).key_id as string
    await api.call('PATCH', `/projects/p1/mcp-keys/${id}`, { as: admin, body: { allowed_agents: ['Ana'] } })
    // The key itself, which may hear others now, and one that never had the cursor.
    for (const as of [ben, second]) expect((await get(`?cursor=${encodeURIComponent(own)}`, as)).status).toBe(422)
    await api.call('PATCH', `/projects/p1/mcp-keys/${id}`, { as: admin, body: { allowed_agents: ['Ben'] } })
    expect((await get(`?cursor=${encodeURIComponent(own)}`, ben)).status).toBe(200)
  })

  test('ends for a key that may hear others, or nobody, may not ask this or is not let in from here, from now on', async () => {
    const elsewhere = { allowed_networks: ['192.0.2.0/24'] }
    for (const change of [{ allowed_agents: ['Ben'] }, { active: false }, { tools: ['get_signals'] }, elsewhere]) {
      const minted = await api.call('POST', '/projects/p1/mcp-keys', { as: admin, body: { name: 'reader' } })
      const response = await fetch(`${api.url}${BULK}`, { headers: { authorization: `Bearer ${minted.json.key}` } })
      const body = response.body!.getReader()
      await body.read()
      await api.call('PATCH', `/projects/p1/mcp-keys/${minted.json.key_id}`, { as: admin, body: change })
      const rest = async () => {
        while (!(await body.read()).done);
      }
      await expect(rest()).rejects.toThrow('terminated')
    }
  })

  test('readers that stop reading keep nobody else from reading and writing, and a key has two', async () => {
    const open = () => fetch(`${api.url}${BULK}`, { headers: { authorization: `Bearer ${key}` } })
    const slow = [await open(), await open()]
    try {
      expect(await get('')).toMatchObject({ status: 429, json: { code: 'too_many_requests' } })
      await send(callsFrom(50_000, 10))
      expect(await all(ben)).toHaveLength((CALLS + 1_000) / 10 + 1)
      expect((await api.call('GET', '/api/v1/export', { as: admin })).status).toBe(200)
    } finally {
      for (const { body } of slow) await body?.cancel()
    }
    await expect.poll(() => api.admission.bulkReads.taken).toBe(0)
  })
})
