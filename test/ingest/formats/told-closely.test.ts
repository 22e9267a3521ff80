import { expect, test } from 'vitest'
import { formats } from '../../../src/ingest/formats/formats.js'
import { importCalls } from '../../../src/ingest/import-calls.js'
import { bytesSource } from '../../../src/ingest/sources.js'
import { CallShelf } from '../../support/call-shelf.js'

/** What a format tells of documents that its sample does not show. */
async function told(format: string, document: object, timeZone?: string) {
  expect(formats.map(({ name }) => name)).toContain(format)
  const store = new CallShelf()
  const stream = bytesSource('body', Buffer.from(JSON.stringify(document))).open()
  const report = await importCalls({
    inputs: [{ name: 'body', stream }],
    format,
    projectId: 'p',
    store,
    redact: false,
    evaluate: undefined,
    workers: 0,
    ...(timeZone !== undefined && { timeZone }),
  })
  return { calls: store.ids.map(id => store.record(id)), errors: report.errors.map(({ message }) => message) }
}

const turns = [
  { role: 'agent', content: 'Hello' },
  { role: 'user', content: 'Hi' },
]

test('a time without a zone is in the one that is said, never in that of this machine', async () => {
  const machine = process.env['TZ']
  process.env['TZ'] = 'Asia/Tokyo'
  try {
    const call = (start_timestamp: string) => ({
      call_id: 'r',
      agent_name: 'A',
      start_timestamp,
      transcript_object: turns,
    })
    const began = async (at: string, zone?: string) =>
      (await told('retell', call(at), zone)).calls.map(one => one.created_dt)
    expect(await began('2026-03-01T10:00:00', 'Europe/Berlin')).toEqual(['2026-03-01T09:00:00.000Z'])
    expect((await told('retell', call('2026-03-01T10:00:00'))).errors).toEqual([
      expect.stringContaining('says no time zone: say which with --time-zone'),
    ])
    expect((await told('retell', call('March 1 2026 10:00'))).errors).toEqual([
      expect.stringContaining('is not a time'),
    ])
    for (const at of [
      '2026-03-01T10:00:00Z',
      '2026-03-01T12:00:00+02:00',
      'Sun, 01 Mar 2026 10:00:00 +0000',
      '1772359200',
    ]) {
      expect([at, await began(at)]).toEqual([at, ['2026-03-01T10:00:00.000Z']])
    }
  } finally {
    if (machine === undefined) delete process.env['TZ']
    else process.env['TZ'] = machine
  }
})

test('genesys: an offset counts from its own transcript', async () => {
  const began = Date.parse('2026-03-01T10:00:00Z')
  const said = (purpose: string, words: string, offset: number) => ({
    text: words,
    participantPurpose: purpose,
    offset: { milliseconds: offset },
    duration: { milliseconds: 1_000 },
  })
  const { calls } = await told('genesys', {
    conversationId: 'g',
    startTime: began,
    participants: [{ participantPurpose: 'internal', userId: 'ann' }],
    transcripts: [
      { startTime: began, phrases: [said('internal', 'Hello', 0), said('external', 'Hi', 2_000)] },
      { startTime: began + 60_000, phrases: [said('internal', 'I am back', 500)] },
    ],
  })
  expect(calls[0]?.transcript?.map(({ text, start_s, end_s }) => [text, start_s, end_s])).toEqual([
    ['Hello', 0, 1],
    ['Hi', 2, 3],
    ['I am back', 60.5, 61.5],
  ])
})

test('vapi: turns keep to one clock, and the recording is named where its address is one', async () => {
  const began = Date.parse('2026-03-01T10:00:00Z')
  const message = (role: string, words: string, at: number) => ({
    role,
    message: words,
    time: began + at,
    endTime: began + at + 1_000,
    // Counted from the first thing that is heard, 8 s into the call.
    secondsFromStart: (at - 8_000) / 1000,
  })
  const call = (recordingUrl: string) => ({
    id: 'v',
    orgId: 'o',
    assistantId: 'a',
    startedAt: new Date(began).toISOString(),
    endedAt: new Date(began + 30_000).toISOString(),
    artifact: { messages: [message('bot', 'Hello', 8_000), message('user', 'Hi', 10_000)], recordingUrl },
  })
  const { calls } = await told('vapi', call('https://storage.example.com/v.wav'))
  expect(calls[0]?.transcript?.map(({ start_s, end_s }) => [start_s, end_s])).toEqual([
    [8, 9],
    [10, 11],
  ])
  expect(calls[0]?.recording_url).toBe('https://storage.example.com/v.wav')
  for (const place of ['../secret.wav', 'https://ann:pw@example.com/v.wav', '']) {
    expect((await told('vapi', call(place))).calls.map(one => one.recording_url)).toEqual([undefined])
  }
  const retell = { call_id: 'r', agent_name: 'A', start_timestamp: began, recording_url: 'https://x.example/r.wav' }
  expect((await told('retell', { ...retell, transcript_object: turns })).calls[0]?.recording_url).toBe(
    retell.recording_url,
  )
})
