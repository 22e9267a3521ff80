import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startCallsApi } from '../support/calls-api.js'

const VTT = `WEBVTT

00:00:01.000 --> 00:00:03.000
<v Ann>Thank you for calling Harbor Bank, this is Ann. How can I help you?

00:00:04.000 --> 00:00:06.500
<v Customer>I lost my card yesterday.
`
const SRT = `1
00:00:01,000 --> 00:00:03,000
Agent: Thank you for calling Harbor Bank, this is Ann. How can I help you?

2
00:00:04,000 --> 00:00:06,500
Customer: I lost my card yesterday.
`
const WHISPERX = JSON.stringify({
  segments: [
    { start: 1, end: 3, text: 'Thank you for calling Harbor Bank, how can I help you?', speaker: 'SPEAKER_00' },
    { start: 4, end: 6, text: 'I lost my card.', speaker: 'SPEAKER_01' },
  ],
  language: 'en',
})
const SAID = 'session_id=c1&agent_name=Ann&created_dt=2026-03-01T10:00:00Z'

let api: Awaited<ReturnType<typeof startCallsApi>>
let key: string
beforeAll(async () => {
  api = await startCallsApi({ maxImportBytes: 200_000 })
  key = await api.mint()
})
afterAll(() => api.close())

async function post(query: string, body: string | Buffer, type = 'text/vtt', as = key, headers = {}) {
  const response = await fetch(`${api.url}/api/v1/transcripts?${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${as}`, 'content-type': type, ...headers },
    body,
  })
  return { status: response.status, json: (await response.json()) as Record<string, unknown> }
}
const get = async (id: string) =>
  (await api.call('GET', `/api/v1/interactions/${encodeURIComponent(id)}`, { as: key })).json

describe('POST /api/v1/transcripts', () => {
  test.each([
    ['genesys.json', 'application/json', '0a000000-0000-4000-8000-000000000003', 'ann.lee'],
    ['intercom.json', 'application/json', '147', 'Ann Lee'],
    ['vcon.json', 'application/octet-stream', '018c8a7e-5f3d-8000-9a2b-000000000001', 'Ann Lee'],
    ['email.mbox', 'application/mbox', 'm1@example.com', 'Ann Lee'],
    ['email.eml', 'message/rfc822', 'm3@acme.example', 'Ann Lee'],
  ])('takes %s as it is', async (name, type, id, agent) => {
    const sample = readFileSync(`examples/formats/${name}`)
    expect(await post('', sample, type)).toMatchObject({ status: 200, json: { stored: 1, rejected: 0 } })
    expect(await get(id)).toMatchObject({ session_id: id, agent_name: agent, created_dt: '2026-03-02T09:30:00.000Z' })
  })

  test.each([
    ['text/vtt', VTT],
    ['application/x-subrip', SRT],
    ['application/json', WHISPERX],
    ['text/plain; charset=utf-8', VTT],
    ['application/octet-stream', gzipSync(VTT)],
  ])('takes %s, with the id, agent and start of its parameters, and answers as import does', async (type, body) => {
    const query = SAID.replace('c1', encodeURIComponent(`of ${type}`))
    expect(await post(query, body, type)).toMatchObject({ status: 200, json: { received: 1, stored: 1, rejected: 0 } })
    expect(await get(`of ${type}`)).toMatchObject({
      agent_name: 'Ann',
      created_dt: '2026-03-01T10:00:00.000Z',
      transcript: [{ actor: 'agent', start_s: 1 }, { actor: 'customer' }],
      evaluation: { evaluator: 'rules' },
    })
  })

  test('reads what its file name says, as import does, and lets a mapping name the rest', async () => {
    const query = new URLSearchParams({ name: 'Bob/2026-03-02-101500-call.vtt', time_zone: 'Europe/Berlin' })
    for (const map of ['agent_name=@folder', 'created_dt=@file_time', 'session_metadata.shop="7"'])
      query.append('map', map)
    expect((await post(query.toString(), VTT)).json).toMatchObject({ stored: 1 })
    expect(await get('Bob/2026-03-02-101500-call')).toMatchObject({
      agent_name: 'Bob',
      created_dt: '2026-03-02T09:15:00.000Z',
      session_metadata: { shop: '7' },
    })
  })

  test('takes times of call records that say no zone in the one that is given, and refuses them without', async () => {
    const call = JSON.stringify({ session_id: 'z1', agent_name: 'Ana', created_dt: '2026-11-20T10:00:00' })
    const refused = await post('', call, 'application/x-ndjson')
    expect(refused).toMatchObject({ status: 422, json: { error: expect.stringContaining('date-time with an offset') } })
    expect((await post('time_zone=Europe/Berlin', call, 'application/x-ndjson')).json).toMatchObject({ stored: 1 })
    expect(await get('z1')).toMatchObject({ created_dt: '2026-11-20T09:00:00.000Z' })
  })

  test('takes what a mapping has with "?" only where the source says nothing', async () => {
    const rows = 'session_id,agent_name,created_dt\nk3,Zed,2026-03-01T09:30:00Z\nk4,,2026-03-01T09:30:00Z\n'
    const query = new URLSearchParams({ map: 'agent_name?="Ann"' }).toString()
    expect((await post(query, rows, 'text/csv')).json).toMatchObject({ stored: 2, rejected: 0 })
    expect(await get('k3')).toMatchObject({ agent_name: 'Zed' })
    expect(await get('k4')).toMatchObject({ agent_name: 'Ann' })
  })

  test('the same call again replaces itself; another one of its id is refused, and the first stays', async () => {
    expect((await post(SAID, VTT)).json).toMatchObject({ stored: 1 })
    expect((await post(`${SAID}&agent_id=ann-1`, VTT)).json).toMatchObject({ stored: 1 })
    const other = SAID.replace('T10', 'T11')
    const refused = await post(other, VTT.replace('I lost my card yesterday.', 'Where is my parcel?'))
    expect(refused).toMatchObject({ status: 422, json: { code: 'invalid_input' } })
    expect(refused.json['error']).toContain('stored under it is another call')
    expect((await get('c1')).transcript[1].text).toContain('lost my card')
    const named = (hour: string, text: string) =>
      post(`name=call-1.vtt&agent_name=Ann&created_dt=2026-03-01T${hour}:00:00Z`, VTT.replace('lost my card', text))
    expect((await named('10', 'lost my keys')).status).toBe(200)
    expect((await named('12', 'want a loan')).status).toBe(422)
  })

  test('a dry run writes nothing; without an id the content names the call', async () => {
    const unnamed = 'agent_name=Ann&created_dt=2026-03-01T10:00:00Z'
    expect((await post(`${unnamed}&dry_run=true`, SRT, 'application/x-subrip')).json).toMatchObject({ dry_run: true })
    expect((await post(unnamed, SRT, 'application/x-subrip')).json).toMatchObject({ stored: 1 })
    expect((await post(unnamed, SRT, 'application/x-subrip')).json).toMatchObject({ stored: 1 })
    const { json } = await api.call('GET', '/api/v1/interactions?limit=100', { as: key })
    const ids = json.interactions.map((one: { session_id: string }) => one.session_id)
    expect(ids.filter((id: string) => id.startsWith('content-'))).toHaveLength(1)
  })

  test.each([
    ['agent_name=Ann', VTT, 'text/vtt', 422, 'the parameter map=created_dt=… says where it is'],
    [SAID, 'nothing of the kind', 'text/plain', 422, 'is of no format import knows'],
    [SAID, 'no cues', 'text/vtt', 422, 'could not be taken'],
    [`${SAID}&format=mp3`, VTT, 'text/vtt', 422, 'Parameter "format" must be one of'],
    [`${SAID}&map=agent_name=x`, VTT, 'text/vtt', 422, 'is mapped twice'],
    [`${SAID}&map=x`, VTT, 'text/vtt', 422, 'it has no "="'],
    [`${SAID}&agent_speaker=Zoe`, VTT, 'text/vtt', 422, 'the parameter agent_speaker'],
    [`${SAID}&time_zone=Mars/Base`, VTT, 'text/vtt', 422, 'IANA name of a time zone'],
    [`${SAID}&project_id=p2`, VTT, 'text/vtt', 422, 'Unknown parameter "project_id"'],
    [SAID, VTT, 'audio/wav', 415, 'Send the body as one of these Content-Types'],
    [SAID, `${VTT}${'x'.repeat(200_000)}`, 'text/vtt', 413, 'larger than the limit'],
    [SAID, gzipSync(`${VTT}${'x'.repeat(400_000)}`), 'text/vtt', 413, 'larger than the limit'],
    // The second file of a pair is looked for in no folder of the server.
    [`${SAID}&name=/etc/metadata/1.json&format=harper-valley`, '{"agent":{}}', 'application/json', 422, ''],
  ] as const)('refuses %# with its reason', async (query, body, type, status, message) => {
    const answer = await post(query, body, type)
    expect([answer.status, answer.json['error']]).toEqual([status, expect.stringContaining(message)])
  })

  test('is for who may import', async () => {
    const ben = await api.mint({ allowed_agents: ['Ben'], roles: ['Admin'] })
    expect((await post(SAID, VTT, 'text/vtt', ben)).status).toBe(403)
    expect((await post(SAID, VTT, 'text/vtt', 'esk_no')).status).toBe(401)
    expect((await post(SAID, VTT, 'text/vtt', key, { accept: 'text/csv' })).status).toBe(406)
    expect(api.admission.shares()['uploads']).toBe(0)
  })
})

describe('explaining', () => {
  const explain = (body: unknown, query = '', as = key) =>
    api.call('POST', `/api/v1/transcripts/explain${query}`, { as, body })

  test('says what a file is taken for and how its agent is found, and writes nothing', async () => {
    const call = { session_id: 'explained', agent_name: 'Ann', created_dt: '2026-01-01T10:00:00Z' }
    expect((await explain([call, { ...call, agent_name: undefined }])).json).toMatchObject({
      files: 1,
      unknown_files: 0,
      formats: [
        {
          format: 'call-records',
          calls: 1,
          rejected: 1,
          facts: expect.arrayContaining([{ fact: 'have no transcript', calls: 1 }]),
          reasons: [{ reason: expect.stringContaining('agent_name'), records: 1 }],
        },
      ],
    })
    expect((await api.call('GET', '/api/v1/interactions/explained', { as: key })).status).toBe(404)
  })

  test('makes mappings of the fields of what is of no known format, and tries those that are said', async () => {
    const body = { who: 'Ann', began: '2026-03-01T10:00:00Z', id: 'x', lines: [{ speaker: 'agent', words: 'Hello' }] }
    const { unknown } = (await explain(body, '?name=calls/x.json')).json as { unknown: { maps: string[] }[] }
    expect(unknown).toMatchObject([{ file: 'calls/x.json', fields: expect.arrayContaining(['who', 'began']) }])
    expect(unknown[0]?.maps).toContain('created_dt=began')
    const maps = [
      'session_id=id',
      'agent_name=who',
      'created_dt=began',
      'turns=lines',
      'turn.text=words',
      'turn.speaker=speaker',
    ]
    const said = await explain(body, `?${maps.map(map => `map=${encodeURIComponent(map)}`).join('&')}`)
    expect(said.json).toMatchObject({ unknown_files: 0, formats: [{ calls: 1, rejected: 0 }] })
  })

  test('is for who may import, and has a bound', async () => {
    const agents = await api.mint({ is_supervisor: false, roles: [], allowed_agents: ['Ann'], require_mapping: true })
    expect((await explain({}, '', agents)).status).toBe(403)
    expect((await explain('x'.repeat(1_100_000))).status).toBe(413)
    expect((await explain('')).json).toMatchObject({ unknown: [{ why: 'is empty' }] })
    expect((await explain({}, '?mapping=none')).status).toBe(404)
  })
})
