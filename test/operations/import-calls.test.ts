import { connect } from 'node:net'
import { noMasks } from '../../src/redact/mask.js'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { adminToken, overseeing, superToken } from '../support/api.js'
import type { Requester } from '../../src/admission/requester.js'
import type { Threads } from '../../src/admission/threads.js'
import type { PrepareTask } from '../../src/ingest/prepare-pieces.js'
import { startCallsApi } from '../support/calls-api.js'
import { threadsHere } from '../support/threads-here.js'

type Api = Awaited<ReturnType<typeof startCallsApi>>

const INTERACTIONS = '/api/v1/interactions'
const NDJSON = { 'content-type': 'application/x-ndjson' }

const record = (id: string, more: object = {}) => ({
  session_id: id,
  agent_name: 'Ana',
  created_dt: '2026-03-01T10:00:00Z',
  ...more,
})
const LONG_TITLE = 'x'.repeat(900)
const lines = (...records: object[]) => records.map(one => `${JSON.stringify(one)}\n`).join('')

/** What all tests share that want nothing set otherwise. */
let shared: Api
beforeAll(async () => {
  shared = await startCallsApi()
})
afterAll(() => shared.close())

/** An API that one test set otherwise. */
let own: Api | undefined
afterEach(async () => {
  await own?.close()
  own = undefined
})

let projects = 0

/** A project without calls, in the API that all share or in one with these options. */
async function start(options?: Parameters<typeof startCallsApi>[0]) {
  if (options !== undefined) own = await startCallsApi(options)
  const api = own ?? shared
  projects += 1
  const project = `project-${projects}`
  await api.projects.create({ project_id: project, timezone: 'UTC', verticals: [] })
  const author = { name: 'root', role: 'SuperAdmin' as const }
  const mint = async (fields: object = {}) => (await api.keys.mint(project, { ...overseeing, ...fields }, author)).key
  const key = await mint()
  const send = async (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = NDJSON, as = key) => {
    const authorization = `Bearer ${as}`
    const response = await fetch(`${api.url}${INTERACTIONS}`, {
      method: 'POST',
      headers: { authorization, ...headers },
      body,
    })
    return { status: response.status, json: await response.json() }
  }
  const total = async () => (await api.call('GET', INTERACTIONS, { as: key })).json.total as number
  return { ...api, project, mint, key, send, total }
}

/** All of so many records without a transcript, by which there is nothing to evaluate. */
const taken = (count: number) => {
  const reasons = count === 0 ? [] : [{ reason: 'The call has no transcript', calls: count }]
  const evaluation = { evaluated: 0, not_evaluated: count, reasons }
  return { received: count, stored: count, duplicates: 0, rejected: 0, errors: [], evaluation }
}

describe('POST /api/v1/interactions', () => {
  test('masks personal data in a project that is set to, before anything is stored', async () => {
    const { send, call, key, project } = await start()
    const body = lines(record('a', { title: 'card 4111 1111 1111 1111', customer_display_name: 'kim@example.com' }))
    expect(await send(body)).toEqual({ status: 200, json: taken(1) })
    await call('PATCH', `/api/v1/projects/${project}`, { as: await superToken(), body: { redact: true } })
    expect(await send(body)).toEqual({
      status: 200,
      json: { ...taken(1), redacted: { ...noMasks(), card: 1, email: 1 } },
    })
    const { json } = await call('GET', `${INTERACTIONS}/a`, { as: key })
    expect(json).toMatchObject({ title: 'card [card]', customer_display_name: '[email]' })
    await call('PATCH', `/api/v1/projects/${project}`, { as: await superToken(), body: { redact_kinds: ['card'] } })
    expect((await send(body)).json).toMatchObject({ redacted: { ...noMasks(), card: 1 } })
    const { json: again } = await call('GET', `${INTERACTIONS}/a`, { as: key })
    expect(again).toMatchObject({ title: 'card [card]', customer_display_name: 'kim@example.com' })
  })

  test('counts the characters nobody sees that it took out', async () => {
    const { send } = await start()
    const body = lines(record('a', { title: 'a\u202eb\u0007c\u{e0041}' }))
    expect(await send(body)).toEqual({ status: 200, json: { ...taken(1), characters_removed: 3 } })
  })

  test('evaluates what brings no evaluation, unless the project is set not to', async () => {
    const { send, call, key, project } = await start()
    const spoken = { transcript: [{ turn: 0, actor: 'agent', text: 'Thank you for calling, how can I help you?' }] }
    const { json } = await send(lines(record('a', spoken), record('b', { ...spoken, score: 2 }), record('c')))
    expect(json).toMatchObject({ stored: 3, evaluation: { evaluated: 1, not_evaluated: 1 } })
    const shown = async (id: string) => (await call('GET', `${INTERACTIONS}/${id}`, { as: key })).json as object
    expect(await shown('a')).toMatchObject({ evaluation: { evaluator: 'rules', rubric: 'support-calls' } })
    expect(await shown('b')).toMatchObject({ score: 2, evaluation: { evaluator: 'imported' } })
    for (const evaluation of ['imported', 'model']) {
      await call('PATCH', `/api/v1/projects/${project}`, { as: await superToken(), body: { evaluation } })
      expect((await send(lines(record('a', spoken)))).json).not.toHaveProperty('evaluation')
      expect(await shown('a')).not.toHaveProperty('evaluation')
    }
  })

  test('tells the metrics what came in', async () => {
    const { send, imported } = await start()
    const before = imported.length
    await send(lines(record('a'), record('b'), record('a'), { session_id: 'c' }))
    expect(imported.slice(before)).toEqual([expect.objectContaining({ stored: 2, duplicates: 1, rejected: 1 })])
  })

  test('takes lines, an array, or one record, compressed or not', async () => {
    const { send, total } = await start()
    const two = lines(record('a'), record('b'))
    expect(await send(two)).toEqual({ status: 200, json: taken(2) })
    expect(await send(JSON.stringify([record('c')]), { 'content-type': 'application/json' })).toMatchObject({
      json: taken(1),
    })
    expect(await send(JSON.stringify(record('d')), { 'content-type': 'application/json' })).toMatchObject({
      json: taken(1),
    })
    expect(await send(gzipSync(lines(record('e'))), { ...NDJSON, 'content-encoding': 'gzip' })).toMatchObject({
      json: taken(1),
    })
    expect(await send('')).toMatchObject({ status: 200, json: taken(0) })
    expect(await total()).toBe(5)
  })

  test('sent again changes nothing; of equal ids the last one wins', async () => {
    const { send, total, call, key } = await start()
    const body = lines(record('a', { title: 'first' }), record('b'), record('a', { title: 'last' }))
    const report = { received: 3, stored: 2, duplicates: 1, rejected: 0, errors: [] }
    expect(await send(body)).toMatchObject({ json: report })
    expect(await send(body)).toMatchObject({ json: report })
    expect(await total()).toBe(2)
    expect((await call('GET', `${INTERACTIONS}/a`, { as: key })).json.title).toBe('last')
  })

  test('a faulty line is told with its place, without its values, and costs the others nothing', async () => {
    const { send, total } = await start()
    const answer = await send(
      `${lines(record('a'), record('b', { score: 77 }))}{"session_id": broken\n${lines(record('c'))}`,
    )
    expect(answer).toMatchObject({
      status: 200,
      json: {
        received: 4,
        stored: 2,
        rejected: 2,
        errors: [
          { line: 2, path: 'score', message: expect.any(String) },
          { line: 3, path: '', message: expect.stringContaining('is not JSON') },
        ],
      },
    })
    expect(JSON.stringify(answer)).not.toMatch(/77|broken/)
    expect(await total()).toBe(2)
  })

  test('says all that is wrong with a record', async () => {
    const { send } = await start()
    const wrong = record('b', { score: 77, agent_name: undefined, direction: 'in' })
    const missing = { path: 'agent_name', message: 'is missing' }
    const others = [
      { path: 'score', message: 'must be between 1 and 5' },
      { path: 'direction', message: expect.stringContaining('is not a field of a call record') },
    ]
    const { json } = await send(lines(record('a'), wrong))
    expect(json).toMatchObject({ stored: 1, errors: [{ line: 2, ...missing, also: others }] })
    const alone = await send(lines(wrong))
    expect(alone.status).toBe(422)
    expect((alone.json as { details: unknown }).details).toEqual(
      [missing, ...others].map(({ path, message }) => ({ path: `line 1: ${path}`, message })),
    )
  })

  test('422 when nothing of it can be taken', async () => {
    const { send } = await start()
    expect(await send(lines(record('a', { score: 77 })))).toMatchObject({
      status: 422,
      json: { code: 'invalid_input', details: [{ path: 'line 1: score' }] },
    })
    expect((await send('hello')).status).toBe(422)
  })

  test('415 for another type or encoding, with those that are taken', async () => {
    const { send } = await start()
    const body = lines(record('a'))
    expect(await send(body, { 'content-type': 'text/csv' })).toMatchObject({
      status: 415,
      json: { error: expect.stringContaining('application/x-ndjson') },
    })
    expect(await send(body, { ...NDJSON, 'content-encoding': 'br' })).toMatchObject({
      status: 415,
      json: { error: 'Content-Encoding must be one of identity, gzip, x-gzip' },
    })
  })

  test('413 for more than the limit, as sent or unpacked', async () => {
    const { send } = await start({ maxImportBytes: 100_000 })
    const long = lines(...Array.from({ length: 2_000 }, (_, i) => record(`s${i}`)))
    expect(await send(long)).toMatchObject({ status: 413, json: { code: 'too_large' } })
    const twice = gzipSync(gzipSync(long))
    expect(await send(gzipSync(long), { ...NDJSON, 'content-encoding': 'gzip' })).toMatchObject({ status: 413 })
    expect((await send(twice, { ...NDJSON, 'content-encoding': 'gzip' })).status).toBe(422)
  })

  test('large bodies go through the workers and arrive whole', async () => {
    const { send, total } = await start()
    const body = lines(...Array.from({ length: 1_000 }, (_, i) => record(`s${i}`, { title: LONG_TITLE })))
    expect(body.length).toBeGreaterThan(2 * 256 * 1024)
    expect(await send(body)).toEqual({ status: 200, json: taken(1_000) })
    expect(await total()).toBe(1_000)
  })

  test('a client that breaks off leaves whole lines only', async () => {
    const { key, port, total, call, project, record: onRecord } = await start()
    const whole = lines(...Array.from({ length: 25_000 }, (_, i) => record(`s${i}`)))
    const socket = connect(port, '127.0.0.1')
    socket.write(
      `POST ${INTERACTIONS} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/x-ndjson\r\nContent-Length: 10000000\r\n\r\n${whole}{"session_id":"half`,
    )
    await expect.poll(total).toBeGreaterThan(0)
    socket.destroy()
    const imported = () =>
      onRecord.find(({ page, project_id: of }) => page === `POST ${INTERACTIONS}` && of === project)
    await expect.poll(imported).toMatchObject({ outcome: 'refused', code: 'cancelled' })
    expect(await total()).toBeLessThanOrEqual(25_000)
    expect((await call('GET', `${INTERACTIONS}/half`, { as: key })).status).toBe(404)
  })
})

describe('?dry_run=true', () => {
  test('says what would be, also when nothing could be taken, and writes nothing', async () => {
    const { url, key, send, total } = await start()
    await send(lines(record('a')))
    const ask = async (body: string, query = '?dry_run=true') => {
      const headers = { ...NDJSON, authorization: `Bearer ${key}` }
      const response = await fetch(`${url}${INTERACTIONS}${query}`, { method: 'POST', headers, body })
      return { status: response.status, json: (await response.json()) as object }
    }
    const errors = [{ line: 3, path: 'score', message: 'must be between 1 and 5' }]
    expect(await ask(lines(record('a'), record('b'), record('c', { score: 9 })))).toEqual({
      status: 200,
      json: { dry_run: true, received: 3, stored: 2, replaced: 1, duplicates: 0, rejected: 1, errors },
    })
    expect(await ask('{}')).toMatchObject({ status: 200, json: { dry_run: true, stored: 0, rejected: 1 } })
    expect(await total()).toBe(1)
    expect(await ask('{}', '?dry_run=yes')).toMatchObject({ status: 422 })
  })
})

describe('who may import and erase', () => {
  test.each([
    ['a role other than Admin', { roles: ['Supervisor'] }],
    ['some agents only', { allowed_agents: ['Ana'] }],
    ['no agents', { require_mapping: true }],
  ])('not a key with %s: 403 before the body is read, and on record', async (_, fields) => {
    const { mint, raw, record: onRecord, call } = await start()
    const weak = await mint(fields)
    // A body is announced and never sent.
    const answer = await raw(
      `POST ${INTERACTIONS} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${weak}\r\nContent-Type: text/plain\r\nContent-Length: 1000\r\nConnection: close\r\n\r\n`,
    )
    expect(answer).toMatch(/^HTTP\/1.1 403 /)
    expect(answer).toContain('Role Admin and the full project required')
    expect(onRecord.at(-1)).toMatchObject({ page: `POST ${INTERACTIONS}`, outcome: 'refused', status: 403 })
    expect((await call('DELETE', `${INTERACTIONS}/a`, { as: weak })).status).toBe(403)
  })

  test('an administrator may, in the project of the token', async () => {
    const { send, total, project } = await start()
    expect((await send(lines(record('a')), NDJSON, await adminToken('p2'))).status).toBe(200)
    expect(await total()).toBe(0)
    expect((await send(lines(record('a')), NDJSON, await adminToken(project))).status).toBe(200)
    expect(await total()).toBe(1)
  })
})

/** Threads whose work waits at a gate, and what of it came there. */
function gatedThreads() {
  const tasks: { readonly records: number; readonly requester: Requester }[] = []
  let open = () => undefined as void
  const opened = new Promise<void>(resolve => (open = resolve))
  const threads: Threads = {
    ...threadsHere,
    run: async (work, given, turn) => {
      const { task } = given as { readonly task: PrepareTask }
      tasks.push({
        records: task.pieces.reduce((sum, { records = 1 }) => sum + records, 0),
        requester: turn.requester,
      })
      await opened
      return await threadsHere.run(work, given, turn)
    },
  }
  return { threads, tasks, open: () => open() }
}

describe('an import that is much work in few bytes', () => {
  test.each([
    ['lines', '{}\n'.repeat(10_000), 'application/x-ndjson'],
    ['elements of an array', `[${'{},'.repeat(9_999)}{}]`, 'application/json'],
  ])('is done in threads, in small pieces, while others are answered: 10,000 %s', async (_, body, type) => {
    const { threads, tasks, open } = gatedThreads()
    const { send, port } = await start({ threads })
    const sent = send(gzipSync(body), { 'content-type': type, 'content-encoding': 'gzip' })
    await expect.poll(() => tasks.length).toBeGreaterThan(0)
    // Nothing of it is done, and the service answers.
    expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200)
    open()
    expect(await sent).toMatchObject({
      status: 422,
      json: { error: expect.stringContaining('None of the 10000 records') },
    })
    expect(tasks.reduce((sum, { records }) => sum + records, 0)).toBe(10_000)
    expect(Math.max(...tasks.map(({ records }) => records))).toBeLessThanOrEqual(2_560)
  })
})

describe('an import that takes its time', () => {
  test('holds no place while it waits for bytes: its project and others import meanwhile', async () => {
    const { send, port, key, keys } = await start()
    const head = ['Host: localhost', `Authorization: Bearer ${key}`, 'Content-Type: application/x-ndjson']
    const slow = Array.from({ length: 3 }, () => {
      const socket = connect(port, '127.0.0.1')
      const begun = `${JSON.stringify(record('slow'))}\n`
      const chunk = `${begun.length.toString(16)}\r\n${begun}\r\n`
      socket.write(
        `POST ${INTERACTIONS} HTTP/1.1\r\n${head.join('\r\n')}\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}`,
      )
      return socket
    })
    const large = lines(...Array.from({ length: 300 }, (_, i) => record(`l${i}`, { title: LONG_TITLE })))
    const root = { name: 'root', role: 'SuperAdmin' as const }
    const other = (await keys.mint('p2', overseeing, root)).key
    expect(await send(large)).toMatchObject({ status: 200, json: { stored: 300 } })
    expect(await send(large, NDJSON, other)).toMatchObject({ status: 200, json: { stored: 300 } })
    for (const socket of slow) socket.destroy()
  })

  test('is refused where its project has too many under way, and another project is not', async () => {
    const { send, port, key, keys, admission } = await start()
    const head = ['Host: localhost', `Authorization: Bearer ${key}`, 'Content-Type: application/x-ndjson']
    const slow = Array.from({ length: 6 }, () => {
      const socket = connect(port, '127.0.0.1')
      socket.write(
        `POST ${INTERACTIONS} HTTP/1.1\r\n${head.join('\r\n')}\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n \r\n`,
      )
      return socket
    })
    await expect.poll(() => admission.shares()['uploads']).toBe(6)
    expect(await send(lines(record('a')))).toMatchObject({
      status: 429,
      json: { error: 'Too many uploads of calls at once: the limit is 6 per key', code: 'too_many_requests' },
    })
    const root = { name: 'root', role: 'SuperAdmin' as const }
    const other = (await keys.mint('p2', overseeing, root)).key
    expect((await send(lines(record('a')), NDJSON, other)).status).toBe(200)
    for (const socket of slow) socket.destroy()
    await expect.poll(() => admission.shares()['uploads']).toBe(0)
  })

  test('holds no more of unfinished records than its project may: what comes on top is refused', async () => {
    const { port, key, keys, admission, send } = await start()
    const head = (as: string) => [
      'Host: localhost',
      `Authorization: Bearer ${as}`,
      'Content-Type: application/x-ndjson',
    ]
    const begun = '{"title":"'.padEnd(900_000, 'x')
    /** Sends most of a record, and resolves to the answer, if there is one. */
    const begin = (as: string) => {
      const socket = connect(port, '127.0.0.1')
      let answer = ''
      socket.setEncoding('utf8').on('data', (text: string) => (answer += text))
      const chunk = `${begun.length.toString(16)}\r\n${begun}\r\n`
      socket.write(
        `POST ${INTERACTIONS} HTTP/1.1\r\n${head(as).join('\r\n')}\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}`,
      )
      return { socket, answer: () => answer }
    }
    const held = [begin(key), begin(key), begin(key)]
    await expect.poll(() => admission.unfinishedRecords.taken).toBe(3 * begun.length)
    const refused = begin(key)
    await expect
      .poll(refused.answer)
      .toContain('Too many bytes of unfinished records in uploads: the limit is 3145728 per key')
    const root = { name: 'root', role: 'SuperAdmin' as const }
    const other = begin((await keys.mint('p2', overseeing, root)).key)
    await expect.poll(() => admission.unfinishedRecords.taken).toBe(4 * begun.length)
    expect((await send(lines(record('a')))).status).toBe(200)
    for (const { socket } of [...held, refused, other]) socket.destroy()
    await expect.poll(() => admission.unfinishedRecords.taken).toBe(0)
  })
})

describe('DELETE /api/v1/interactions/{interaction_id}', () => {
  test('erases for good: the id is not there and not taken back', async () => {
    const { send, call, key, total } = await start()
    await send(lines(record('a'), record('b')))
    expect(await call('DELETE', `${INTERACTIONS}/a`, { as: key })).toMatchObject({ status: 204, text: '' })
    expect((await call('GET', `${INTERACTIONS}/a`, { as: key })).status).toBe(404)
    const second = await call('DELETE', `${INTERACTIONS}/a`, { as: key })
    expect(second).toMatchObject({ status: 404, json: { error: 'Call not found: a' } })
    expect(await send(lines(record('a'), record('b')))).toMatchObject({
      json: { received: 2, stored: 1, rejected: 1, errors: [{ line: 1, path: 'session_id' }] },
    })
    expect(await total()).toBe(1)
  })

  test('reaches no other project', async () => {
    const { send, call, total } = await start()
    const other = await start()
    await send(lines(record('a')))
    expect((await call('DELETE', `${INTERACTIONS}/a`, { as: await adminToken(other.project) })).status).toBe(404)
    expect(await total()).toBe(1)
  })
})
