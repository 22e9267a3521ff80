import type { KeyPatch } from '../../src/access/key-fields.js'
import { existsSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eraseCalls, eraseSpeech } from '../../src/ingest/erase-calls.js'
import { Recordings } from '../../src/ingest/recordings.js'
import { adminToken, overseeing, superToken } from '../support/api.js'
import { startCallsApi } from '../support/calls-api.js'
import { noReports } from '../support/no-reports.js'

/** Recordings of calls: who hears them, by what ranges, and that they go with their call. */

const root = { name: 'root', role: 'SuperAdmin' } as const

let api: Awaited<ReturnType<typeof startCallsApi>>
let admin: string
let key: string
let folder: string

const WAV = Buffer.concat([Buffer.from('RIFF____WAVEfmt '), Buffer.alloc(100, 7)])

const call = (id: string, recording_url: string | undefined, more: object = {}) => ({
  session_id: id,
  agent_name: 'Ana',
  created_dt: '2026-01-01T10:00:00Z',
  ...(recording_url !== undefined && { recording_url }),
  transcript: [{ turn: 0, actor: 'customer', text: 'Hello there' }],
  ...more,
})
const post = (calls: readonly object[]) =>
  api.call('POST', '/api/v1/interactions', {
    as: key,
    body: calls.map(one => JSON.stringify(one)).join('\n'),
    headers: { 'content-type': 'application/x-ndjson' },
  })
const pathOf = (id: string) => `/api/v1/interactions/${encodeURIComponent(id)}/recording`
const hear = (id: string, as = key, headers: Record<string, string> = {}) =>
  api.call('GET', pathOf(id), { as, headers })
/** A recording of project p1 by its name. */
function put(name: string, bytes: string | Buffer = WAV): string {
  const path = join(folder, name)
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, bytes)
  return path
}
/** Erases as retention and requests do. */
const parts = () => ({
  calls: api.store.calls,
  privacy: api.store.privacy,
  events: api.events,
  reports: noReports,
  recordings: new Recordings(api.recordingsDir),
})

beforeAll(async () => {
  api = await startCallsApi()
  admin = await adminToken()
  key = await api.mint()
  folder = join(api.recordingsDir, 'p1')
  mkdirSync(folder, { recursive: true })
})
afterAll(() => api.close())

describe('a recording', () => {
  test('is heard by who hears the call, as what it is, whole or by a range, and kept by nobody', async () => {
    put('2026/Ann Lee.wav')
    expect((await post([call('a', '2026/Ann Lee.wav')])).json).toMatchObject({ stored: 1 })
    const whole = await hear('a')
    expect([whole.status, whole.text.length]).toEqual([200, WAV.length])
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      'content-type': 'audio/wav',
      'content-length': String(WAV.length),
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
      'accept-ranges': 'bytes',
    })
    const part = await hear('a', admin, { range: 'bytes=8-11' })
    expect([part.status, part.text, part.headers.get('content-range')]).toEqual([
      206,
      'WAVE',
      `bytes 8-11/${WAV.length}`,
    ])
    const last = await hear('a', key, { range: 'bytes=-3', 'if-range': part.headers.get('etag') ?? '' })
    expect([last.status, last.text]).toEqual([206, '\u0007\u0007\u0007'])
    expect((await hear('a', key, { range: 'bytes=8-11', 'if-range': '"another"' })).status).toBe(200)
    expect((await hear('a', key, { range: 'bytes=5000-' })).status).toBe(416)
    expect((await api.call('HEAD', pathOf('a'), { as: key })).headers.get('content-length')).toBe(String(WAV.length))
    const detail = await api.call('GET', '/api/v1/calls/a', { as: key })
    expect(detail.json).toMatchObject({ metadata: { recording_url: '2026/Ann Lee.wav' } })
  })

  test('is not there for who does not hear the call, as the call is not, and not for keys without text', async () => {
    put('bob.wav')
    await post([call('bobs', 'bob.wav', { agent_name: 'Bob' }), call('silent', undefined)])
    const anas = await api.mint({ is_supervisor: false, roles: [], allowed_agents: ['Ana'], require_mapping: true })
    const [outside, nowhere] = [await hear('bobs', anas), await hear('nowhere', anas)]
    expect([outside.status, nowhere.status]).toEqual([404, 404])
    expect(outside.json).toEqual({ error: 'Call not found: bobs', code: 'not_found' })
    expect(nowhere.json).toEqual({ error: 'Call not found: nowhere', code: 'not_found' })
    for (const text of ['none', 'masked']) {
      const limited = await api.mint({ text })
      expect((await hear('bobs', limited)).status).toBe(403)
      expect((await hear('nowhere', limited)).status).toBe(403)
      for (const path of ['/api/v1/interactions/bobs', '/api/v1/calls/bobs']) {
        const { status, text: shown } = await api.call('GET', path, { as: limited })
        expect([status, shown.includes('bob.wav')]).toEqual([200, false])
      }
    }
    expect((await hear('silent')).json).toMatchObject({ error: 'This call has no recording here' })
    const elsewhere = await adminToken('p2')
    expect((await hear('bobs', elsewhere)).status).toBe(404)
    expect((await api.call('GET', pathOf('bobs'), {})).status).toBe(401)
  })

  test('is nothing outside the project’s folder, nothing by a link, and nothing that is no recording', async () => {
    mkdirSync(join(api.recordingsDir, 'p2'), { recursive: true })
    writeFileSync(join(api.recordingsDir, 'p2', 'theirs.wav'), WAV)
    symlinkSync(join(api.recordingsDir, 'p2', 'theirs.wav'), join(folder, 'link.wav'))
    symlinkSync(join(api.recordingsDir, 'p2'), join(folder, 'out'))
    put('page.wav', '<script>alert(1)</script>')
    put('short.wav', 'RIF')
    mkdirSync(join(folder, 'dir.wav'))
    const names = [
      'link.wav',
      'out/theirs.wav',
      'page.wav',
      'short.wav',
      'dir.wav',
      'gone.wav',
      'page.wav/x',
      'p2/theirs.wav',
    ]
    await post(names.map((name, i) => call(`odd ${i}`, name)))
    for (const [i] of names.entries()) expect([i, (await hear(`odd ${i}`)).status]).toEqual([i, 404])
    // Erasing them touches nobody else's either.
    const ids = names.map((_, i) => `odd ${i}`)
    expect(await eraseCalls(parts(), 'p1', ids, { by: 'test', how: 'call' })).toBe(ids.length)
    expect(existsSync(join(api.recordingsDir, 'p2', 'theirs.wav'))).toBe(true)
  })

  test('is named by what can’t lead out, or by an address, which is never asked', async () => {
    const wrong = [
      '../p2/theirs.wav',
      '/etc/passwd',
      'a/../../b',
      'c:\\x.wav',
      '.hidden.wav',
      'a//b',
      '',
      'http://',
      'https://ana:secret@example.com/a.wav',
    ]
    const refused = await post(wrong.map((place, i) => call(`wrong ${i}`, place)))
    const places = new Set((refused.json.details as { path: string }[]).map(({ path }) => path))
    expect([refused.status, places.size]).toEqual([422, wrong.length])
    expect(refused.text).not.toContain('secret')
    await post([call('far', 'https://media.example.com/a.wav?x=1')])
    const far = await hear('far')
    expect([far.status, far.json.error]).toEqual([404, expect.stringContaining('kept elsewhere')])
  })
})

const CHANGES: readonly (readonly [string, KeyPatch])[] = [
  ['revoked', { active: false }],
  ['narrowed to others', { allowed_agents: ['Somebody else'] }],
  ['shown no text any more', { text: 'none' }],
]
test.each(CHANGES)('a recording is sent no further when its key is %s', async (_, patch) => {
  // More than waits on the way: the rest of it is read, and sent, as it is taken.
  const bytes = 64 * 1024 * 1024
  truncateSync(put('long.wav'), bytes)
  await post([call('long', 'long.wav')])
  const { key: as, key_id: id } = await api.keys.mint('p1', { ...overseeing, name: 'revoked' }, root)
  const taken = await new Promise<number>((resolve, reject) => {
    const request = get(api.url + pathOf('long'), { headers: { authorization: `Bearer ${as}` } }, answer => {
      let sum = 0
      answer.on('data', (piece: Buffer) => (sum += piece.length)).pause()
      answer.once('error', () => undefined)
      answer.once('close', () => resolve(sum))
      api.keys.patch('p1', id, patch, root).then(() => answer.resume(), reject)
    })
    request.once('error', reject)
  })
  expect(taken).toBeLessThan(bytes)
})

describe('erasing', () => {
  const erase = (...ids: string[]) => eraseCalls(parts(), 'p1', ids, { by: 'test', how: 'call' })

  test('takes the recording with the call, by a request, and with the last of the calls that share it', async () => {
    const [own, shared] = [put('own.wav'), put('shared.wav')]
    await post([call('e1', 'own.wav'), call('e2', 'shared.wav'), call('e3', 'shared.wav')])
    expect((await api.call('DELETE', '/api/v1/interactions/e1', { as: admin })).status).toBe(204)
    expect(existsSync(own)).toBe(false)
    await erase('e2')
    expect(existsSync(shared)).toBe(true)
    await erase('e3')
    expect(existsSync(shared)).toBe(false)
    put('both.wav')
    await post([call('e4', 'both.wav'), call('e5', 'both.wav')])
    expect(await erase('e4', 'e5')).toBe(2)
    expect(existsSync(join(folder, 'both.wav'))).toBe(false)
  })

  test('takes it by the customer, and with what was said where the call stays', async () => {
    const [customers, old] = [put('customers.wav'), put('old.wav')]
    await post([call('f1', 'customers.wav', { customer_display_name: 'Arden' }), call('f2', 'old.wav', { score: 4 })])
    const found = await api.call('POST', '/api/v1/customers/find', { as: admin, body: { customer: 'arden' } })
    const body = { customer: 'arden', confirm: found.json.confirm as string }
    expect((await api.call('POST', '/api/v1/customers/erase', { as: admin, body })).json).toMatchObject({ erased: 1 })
    expect(existsSync(customers)).toBe(false)
    expect(await eraseSpeech(parts(), 'p1', ['f2'])).toBe(1)
    expect(existsSync(old)).toBe(false)
    const left = (await api.call('GET', '/api/v1/interactions/f2', { as: key })).json
    expect([left.score, left.recording_url, left.transcript]).toEqual([4, undefined, undefined])
    // A recording alone is something said, too.
    await post([{ ...call('f3', 'f3.wav'), transcript: undefined }])
    const older = await api.store.calls.olderThan('p1', Date.parse('2027-01-01'), { limit: 100, withTranscript: true })
    expect(older).toContain('f3')
  })

  test('leaves it where a hold keeps the call, and the call where its recording can’t be removed', async () => {
    const held = put('held.wav')
    await post([call('g1', 'held.wav')])
    const hold = await api.call('POST', '/api/v1/holds', { as: admin, body: { name: 'case', session_ids: ['g1'] } })
    expect([await erase('g1'), await eraseSpeech(parts(), 'p1', ['g1'])]).toEqual([0, 0])
    expect(existsSync(held)).toBe(true)
    expect((await hear('g1')).status).toBe(200)
    await api.call('DELETE', `/api/v1/holds/${String(hold.json.hold_id)}`, { as: admin })

    const failing = { erase: () => Promise.reject(new Error('no disk')) }
    await expect(
      eraseCalls({ ...parts(), recordings: failing }, 'p1', ['g1'], { by: 'test', how: 'call' }),
    ).rejects.toThrow('no disk')
    expect((await hear('g1')).status).toBe(200)
  })

  test('does without a directory', async () => {
    await expect(new Recordings(undefined).erase('p1', ['a.wav'])).resolves.toBeUndefined()
    await expect(new Recordings(join(folder, 'no')).open('p1', 'a.wav')).resolves.toBeUndefined()
  })
})

test('an administrator of all hears a project’s by its name', async () => {
  put('named.wav')
  await post([call('h1', 'named.wav')])
  const as = await superToken()
  const answer = await api.call('GET', pathOf('h1'), { as, headers: { 'x-project-id': 'p1' } })
  expect(answer.status).toBe(200)
})
