import { expect, test } from 'vitest'
import { formats } from '../../../src/ingest/formats/formats.js'
import { importCalls } from '../../../src/ingest/import-calls.js'
import { parseMaps } from '../../../src/ingest/mapping/parse-map.js'
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

test('a time that counts from the start of the call is none, not one of 1970', async () => {
  const call = (start_timestamp: number) => ({
    call_id: 'r',
    agent_name: 'A',
    start_timestamp,
    transcript_object: turns,
  })
  expect((await told('retell', call(1_500))).errors).toEqual([expect.stringContaining('is no Unix time')])
  // As some write that they do not know it.
  expect((await told('retell', call(0))).errors).toEqual([expect.stringContaining('does not say when the call was')])
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

const actorsOf = async (format: string, document: object) => {
  const { calls, errors } = await told(format, document)
  expect(errors).toEqual([])
  return calls[0]?.transcript?.map(({ actor, text }) => `${actor}: ${text}`)
}

test('two people of one name stay two people', async () => {
  const sentences = [
    { media_channel: 1, start_time: '0', end_time: '1', transcript: 'Acme, hello.' },
    { media_channel: 2, start_time: '1', end_time: '2', transcript: 'My router is broken.' },
  ]
  const people = (one: string, two: string) => ({
    sid: `GT${'0'.repeat(32)}`,
    media_start_time: '2026-03-01T10:00:00Z',
    channel: {
      participants: [
        { channel_participant: 1, full_name: 'Alex Kim', role: one },
        { channel_participant: 2, full_name: 'Alex Kim', role: two },
      ],
    },
    sentences,
  })
  expect(await actorsOf('twilio', people('agent', 'customer'))).toEqual([
    'agent: Acme, hello.',
    'customer: My router is broken.',
  ])
  expect(await actorsOf('twilio', people('customer', 'agent'))).toEqual([
    'customer: Acme, hello.',
    'agent: My router is broken.',
  ])
  const { calls } = await told('twilio', people('agent', 'customer'))
  expect(calls[0]).toMatchObject({ agent_name: 'Alex Kim', customer_display_name: 'Alex Kim' })
})

test('a bot of Contact Lens is no customer, and a supervisor no customer either', async () => {
  const roles = ['CUSTOMER', 'CUSTOM_BOT', 'AGENT', 'SUPERVISOR', 'SYSTEM']
  const contact = {
    CustomerMetadata: { ContactId: 'c' },
    Channel: 'CHAT',
    Participants: roles.map(role => ({ ParticipantId: role.slice(0, 9), ParticipantRole: role })),
    Transcript: roles.map((role, n) => ({
      ParticipantId: role.slice(0, 9),
      Content: role,
      AbsoluteTime: `2026-03-01T10:00:0${n}Z`,
    })),
  }
  const store = new CallShelf()
  const stream = bytesSource('body', Buffer.from(JSON.stringify(contact))).open()
  await importCalls({
    inputs: [{ name: 'body', stream }],
    projectId: 'p',
    store,
    redact: false,
    evaluate: undefined,
    workers: 0,
    mapping: parseMaps(['agent_name="Ann"']),
  })
  expect(store.record('c').transcript?.map(({ actor, text }) => `${actor}: ${text}`)).toEqual([
    'customer: CUSTOMER',
    'system: CUSTOM_BOT',
    'agent: AGENT',
    'agent: SUPERVISOR',
    'system: SYSTEM',
  ])
})

test('no note of Intercom’s team is taken for what was said, however it is kept', async () => {
  const part = (part_type: string, type: string, body: string) => ({ part_type, body, author: { type, name: type } })
  const kinds = ['note', 'note_and_reopen', 'note_and_unsnooze']
  const parts = [
    ...kinds.map(kind => part(kind, 'admin', `Between us: ${kind}`)),
    part('close', 'admin', 'I close this now.'),
  ]
  const conversation = {
    type: 'conversation',
    id: 'i',
    created_at: 1_772_359_200,
    source: { type: 'conversation', body: 'It is broken.', author: { type: 'user', name: 'Bo' } },
    conversation_parts: { conversation_parts: parts },
  }
  expect(await actorsOf('intercom', conversation)).toEqual(['customer: It is broken.', 'agent: I close this now.'])
})

test('a number that a vCon gives for a speaker is no place in its list of parties', async () => {
  const container = (turn: (n: number) => object) => ({
    vcon: '0.4.0',
    uuid: 'u',
    created_at: '2026-03-01T10:00:00Z',
    parties: [
      { name: 'Bo', role: 'customer' },
      { name: 'Ann', role: 'agent' },
    ],
    dialog: [{ type: 'recording', start: '2026-03-01T10:00:00Z', parties: [0, 1] }],
    analysis: [
      {
        type: 'transcript',
        dialog: 0,
        body: {
          segments: [
            { ...turn(0), text: 'Thank you for calling Acme, how can I help you?', start: 0, end: 2 },
            { ...turn(1), text: 'My router is broken.', start: 2, end: 4 },
          ],
        },
      },
    ],
  })
  // A diarization counts speakers as it meets them; a party is an index of the draft's own.
  const inWords = ['agent: Thank you for calling Acme, how can I help you?', 'customer: My router is broken.']
  const counted = container(speaker => ({ speaker }))
  expect(await actorsOf('vcon', counted)).toEqual(inWords)
  expect((await told('vcon', counted)).calls[0]).toMatchObject({ agent_name: 'Ann', customer_display_name: 'Bo' })
  const placed = container(n => ({ party: 1 - n }))
  expect(await actorsOf('vcon', placed)).toEqual(inWords)
})

test('a call that an agent passes on to another is whose the source says, else who says most', async () => {
  const chat = {
    id: 'c',
    messages: [
      { role: 'user', name: 'Bo', content: 'My router is broken.', timestamp: '2026-03-01T10:00:00Z' },
      { role: 'agent', name: 'Ann', content: 'I ask Carl.', timestamp: '2026-03-01T10:01:00Z' },
      { role: 'agent', name: 'Carl', content: 'I will send you a new one today.', timestamp: '2026-03-01T10:02:00Z' },
    ],
  }
  const { calls, errors } = await told('chat-log', chat)
  expect(errors).toEqual([])
  expect(calls[0]).toMatchObject({
    agent_name: 'Carl',
    customer_display_name: 'Bo',
    trust: { level: 'medium', reasons: ['2 agents speak: their turns count as those of one'] },
  })
  expect(calls[0]?.transcript?.map(({ actor }) => actor)).toEqual(['customer', 'agent', 'agent'])

  const part = (id: string, name: string, body: string) => ({
    part_type: 'comment',
    body,
    author: { type: 'admin', id, name },
  })
  const conversation = (assignee?: string) => ({
    type: 'conversation',
    id: 'i',
    created_at: 1_772_359_200,
    admin_assignee_id: assignee,
    source: { type: 'conversation', body: 'It is broken.', author: { type: 'user', name: 'Bo' } },
    conversation_parts: {
      conversation_parts: [part('1', 'Ann', 'I ask Carl.'), part('2', 'Carl', 'I will send you a new one today.')],
    },
  })
  const agentOf = async (format: string, document: object) => {
    const [call] = (await told(format, document)).calls
    return [call?.agent_id, call?.agent_name]
  }
  expect(await agentOf('intercom', conversation())).toEqual(['2', 'Carl'])
  expect(await agentOf('intercom', conversation('1'))).toEqual(['1', 'Ann'])
  expect(await agentOf('intercom', conversation('3'))).toEqual(['2', 'Carl'])

  const sentence = (start: number, words: string) => [{ start, end: start + 1_000, text: words }]
  const gong = (primaryUserId?: string) => ({
    callTranscripts: [
      {
        callId: 'g',
        transcript: [
          { speakerId: 's1', sentences: sentence(0, 'Hello from Acme.') },
          { speakerId: 's2', sentences: sentence(2_000, 'Hello.') },
          { speakerId: 's3', sentences: sentence(4_000, 'And I am here to answer what is technical.') },
        ],
      },
    ],
    calls: [
      {
        metaData: { id: 'g', started: '2026-03-01T10:00:00Z', primaryUserId },
        parties: [
          { speakerId: 's1', userId: 'u1', name: 'Ann', affiliation: 'Internal' },
          { speakerId: 's2', name: 'Bo', affiliation: 'External' },
          { speakerId: 's3', userId: 'u3', name: 'Carl', affiliation: 'Internal' },
          { userId: 'u4', name: 'Dee', affiliation: 'Internal' },
        ],
      },
    ],
  })
  expect(await agentOf('gong', gong())).toEqual(['u3', 'Carl'])
  expect(await agentOf('gong', gong('u1'))).toEqual(['u1', 'Ann'])
  expect(await agentOf('gong', gong('u4'))).toEqual(['u3', 'Carl'])
})

test('a chat transcript of Amazon Connect says of each message who wrote it', async () => {
  const item = (second: number, of: object) => ({
    Id: `${second}`,
    AbsoluteTime: `2026-03-01T10:00:0${second}.000Z`,
    ...of,
  })
  const of = (ParticipantId: string, ParticipantRole: string, DisplayName: string) => ({
    ParticipantId,
    ParticipantRole,
    DisplayName,
  })
  const bo = of('p1', 'CUSTOMER', 'Bo Chen')
  const { calls, errors } = await told('contact-lens', {
    Version: '2019-08-26',
    InitialContactId: 'first',
    ContactId: 'second',
    Participants: [{ ParticipantId: 'p1' }, { ParticipantId: 'p2' }],
    Transcript: [
      item(0, { ...bo, Type: 'EVENT', ContentType: 'application/vnd.amazonaws.connect.event.participant.joined' }),
      item(1, { ...bo, Type: 'MESSAGE', ContentType: 'text/plain', Content: 'My router is broken.' }),
      item(2, {
        ...of('p2', 'SYSTEM', 'BOT'),
        Type: 'MESSAGE',
        ContentType: 'application/vnd.amazonaws.connect.message.interactive',
        Content: '{"templateType":"ListPicker"}',
      }),
      item(3, {
        ...of('p3', 'AGENT', 'Ann Lee'),
        Type: 'MESSAGE',
        ContentType: 'text/markdown',
        Content: 'I will send you a new one today.',
      }),
      item(4, { Type: 'EVENT', ContentType: 'application/vnd.amazonaws.connect.event.chat.ended' }),
    ],
  })
  expect(errors).toEqual([])
  expect(calls[0]).toMatchObject({
    session_id: 'second',
    created_dt: '2026-03-01T10:00:00.000Z',
    channel: 'chat',
    agent_name: 'Ann Lee',
    customer_display_name: 'Bo Chen',
  })
  expect(calls[0]?.transcript?.map(({ actor, text, start_s }) => [actor, text, start_s])).toEqual([
    ['customer', 'My router is broken.', 1],
    ['agent', 'I will send you a new one today.', 3],
  ])
})
