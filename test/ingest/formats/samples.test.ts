import { createReadStream, readdirSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { formats } from '../../../src/ingest/formats/formats.js'
import { importCalls } from '../../../src/ingest/import-calls.js'
import type { ImportReport } from '../../../src/ingest/import-report.js'
import { openInput } from '../../../src/ingest/input-file.js'
import { parseMaps } from '../../../src/ingest/mapping/parse-map.js'
import { recordWarnings } from '../../../src/ingest/record-warnings.js'
import { CallShelf } from '../../support/call-shelf.js'

const place = 'examples/formats'
const files = readdirSync(place)
const NAMED = '2026-03-02T09-30-00Z-'

/** What every sample is about, as it was said. */
const said = [
  ['agent', 'Thank you for calling Acme, my name is Ann and I am happy to help.', 0.5, 4],
  ['customer', 'My router is broken.', 5, 7.5],
  ['agent', 'I will send you a new one today.', 8, 10],
]
/** The same where the source writes down when somebody began, and no more. */
const begun = [
  [...said[0]!.slice(0, 2), 0, undefined],
  [...said[1]!.slice(0, 2), 5, undefined],
  [...said[2]!.slice(0, 2), 8, undefined],
]
const asked = ['customer', 'My router is broken.', 0, undefined]
const answered = ['agent', 'I will send you a new one today.', 120, undefined]
const phone = { channel: 'phone' }
const chat = { channel: 'chat' }
const inbound = { interaction_direction: 'inbound' }
const bo = { customer_display_name: 'Bo Chen' }
const lasting = { talk_patterns: { total_duration_s: 10 } }
const en = { language_primary: 'en' }
const enUs = { language_primary: 'en-US' }
const enus = { language_primary: 'en-us' }

interface Expected {
  readonly format: string
  readonly id: string
  readonly agent?: string
  /** Fields beside id, agent, start and transcript; session_metadata holds these too. */
  readonly fields: Readonly<Record<string, unknown>>
  readonly metadata?: Readonly<Record<string, unknown>>
  readonly turns?: readonly (readonly unknown[])[] | undefined
}

/** The id of a call that goes by its file. */
const placed = (name: string) => `${NAMED}${name}`

/** Written by hand. The agent is Ann Lee, the start half past nine, and what is said that above, where nothing else stands. */
const expected: Readonly<Record<string, Expected>> = {
  'genesys.json': {
    format: 'genesys',
    id: '0a000000-0000-4000-8000-000000000003',
    agent: 'ann.lee',
    fields: { ...phone, ...inbound, ...enus, ...lasting, agent_id: 'ann.lee' },
    metadata: {
      conversation_id: '0a000000-0000-4000-8000-000000000002',
      queue_id: 'queue-billing',
      ani: 'tel:+15550100',
    },
  },
  [`${NAMED}twilio-sentences.json`]: { format: 'twilio', id: `GT${'0'.repeat(31)}1`, fields: phone },
  'twilio-transcript.json': {
    format: 'twilio',
    id: `GT${'0'.repeat(31)}2`,
    fields: { ...phone, ...enUs, ...lasting, ...bo, agent_id: 'ann' },
    metadata: { customer_key: 'order-7' },
  },
  'ccai-insights.json': {
    format: 'ccai-insights',
    id: 'ccai-1',
    fields: { ...phone, ...enUs, ...lasting, agent_id: 'ann' },
    metadata: { team: 'Billing', disposition_code: 'solved', customer_satisfaction_rating: 5 },
  },
  'ccai-upload.json': { format: 'ccai-insights', id: 'ccai-2', fields: { ...chat, agent_id: 'ann' }, turns: begun },
  [`${NAMED}google-speech.json`]: {
    format: 'google-speech',
    id: 'google-1',
    fields: { ...phone, ...enus, ...lasting },
  },
  'dialogflow-cx.json': {
    format: 'dialogflow-cx',
    id: 'df-1',
    agent: 'acme-bot',
    fields: { ...phone, ...en, ...lasting },
    metadata: { flows: ['Routers'] },
    turns: [
      ['agent', 'Welcome to Acme. What can I do for you?', 0, undefined],
      ['customer', 'My router is broken.', 5, undefined],
      ['agent', 'I will send you a new one today.', 5, undefined],
    ],
  },
  [`${NAMED}azure-batch.json`]: {
    format: 'azure-speech',
    id: placed('azure-batch'),
    fields: { ...phone, ...enUs, ...lasting },
  },
  [`${NAMED}azure-fast.json`]: {
    format: 'azure-speech',
    id: placed('azure-fast'),
    fields: { ...phone, ...enUs, ...lasting },
  },
  [`${NAMED}amazon-transcribe.json`]: {
    format: 'amazon-transcribe',
    id: 'transcribe-1',
    fields: { ...phone, ...enUs },
  },
  [`${NAMED}call-analytics.json`]: {
    format: 'call-analytics',
    id: 'analytics-1',
    fields: {
      ...phone,
      ...enUs,
      talk_patterns: { total_duration_s: 10, interruption_count: 1, talk_time_ratio: 0.6875, silence_ratio: 0.2 },
    },
    metadata: { categories: ['Replacement'] },
  },
  [`${NAMED}contact-lens.json`]: { format: 'contact-lens', id: 'contact-1', fields: { ...phone, ...enUs } },
  'gong.json': {
    format: 'gong',
    id: '7782342274025937895',
    fields: {
      ...phone,
      ...inbound,
      ...bo,
      ...lasting,
      title: 'Router',
      language_primary: 'eng',
      agent_id: '234599484848423',
    },
  },
  [`${NAMED}teams.json`]: { format: 'teams', id: placed('teams'), fields: { ...phone, ...enus } },
  'teams-metadata.vtt': { format: 'teams-metadata', id: 'teams-metadata', fields: { ...phone, ...enus } },
  [`${NAMED}teams-captions.vtt`]: { format: 'webvtt', id: placed('teams-captions'), fields: phone },
  [`${NAMED}zoom.vtt`]: { format: 'webvtt', id: placed('zoom'), fields: phone },
  [`${NAMED}subtitles.srt`]: { format: 'srt', id: placed('subtitles'), fields: phone },
  [`${NAMED}rev.json`]: { format: 'rev', id: placed('rev'), fields: phone },
  [`${NAMED}speechmatics.json`]: {
    format: 'speechmatics',
    id: 'speechmatics-1',
    fields: { ...phone, ...en, ...lasting },
    metadata: { recording: 'call-7.wav' },
  },
  [`${NAMED}otter.txt`]: { format: 'otter', id: placed('otter'), fields: phone, turns: begun },
  'vapi.json': {
    format: 'vapi',
    id: 'vapi-1',
    agent: 'Acme Assistant',
    fields: { ...phone, ...inbound, ...bo, ...lasting, agent_id: 'asst-1' },
    metadata: { ended_reason: 'customer-ended-call', customer_number: '+15550100' },
  },
  'retell.json': {
    format: 'retell',
    id: 'retell-1',
    agent: 'Acme Voice',
    fields: { ...phone, ...inbound, ...lasting, agent_id: 'agent_7' },
    metadata: { call_summary: 'A router is sent.', call_successful: true, from_number: '+15550100' },
  },
  [`${NAMED}openai-diarized.json`]: {
    format: 'openai-diarized',
    id: placed('openai-diarized'),
    fields: { ...phone, ...lasting },
  },
  'vcon.json': {
    format: 'vcon',
    id: '018c8a7e-5f3d-8000-9a2b-000000000001',
    fields: { ...phone, ...bo, ...lasting, title: 'Router', recording_url: 'https://example.com/a.wav' },
  },
  'vcon-chat.json': {
    format: 'vcon',
    id: '018c8a7e-5f3d-8000-9a2b-000000000002',
    fields: { ...chat, ...bo },
    turns: begun,
  },
  'chat-log.json': {
    format: 'chat-log',
    id: 'chat-1',
    agent: 'Acme Chat',
    fields: chat,
    metadata: { model: 'gpt-4o' },
    turns: [['system', 'You are helpful.', 0, undefined], ...begun],
  },
  [`${NAMED}chat-messages.jsonl`]: {
    format: 'chat-log',
    id: placed('chat-messages'),
    fields: { ...chat, ...bo },
    turns: said.map(([actor, text]) => [actor, text, undefined, undefined]),
  },
  'zendesk.json': {
    format: 'zendesk',
    id: '35436',
    fields: { ...chat, ...bo, title: 'Router', agent_id: '235323' },
    metadata: { group_id: '98738', satisfaction: 'good', tags: ['router'] },
    turns: [asked, answered],
  },
  'intercom.json': {
    format: 'intercom',
    id: '147',
    fields: { ...chat, ...bo, ...inbound, title: 'Router', agent_id: '25' },
    metadata: { rating: 5, tags: ['router'] },
    turns: [asked, answered],
  },
  [`${NAMED}dialogue.txt`]: { format: 'dialogue', id: placed('dialogue'), fields: phone, turns: begun },
  'email.mbox': {
    format: 'email',
    id: 'm1@example.com',
    fields: { channel: 'email', ...bo, ...inbound, title: 'Router' },
    metadata: { messages: 2, mailbox: 'support@acme.example' },
    turns: [asked, ['agent', 'I will send you a new one today, Café Acme.', 120, undefined]],
  },
  'email.eml': {
    format: 'email',
    id: 'm3@acme.example',
    fields: { channel: 'email', interaction_direction: 'outbound', title: 'Re: Router' },
    turns: [['agent', 'I will send you a new one today, Café Acme.', 0, undefined]],
  },
  'csv-turns.csv': { format: 'csv-turns', id: 'csv-1', fields: {} },
  'csv-calls.csv': {
    format: 'csv-calls',
    id: 'csv-2',
    fields: { ...inbound, ...lasting },
    metadata: { Queue: 'Billing' },
    turns: undefined,
  },
  'call-records.ndjson': { format: 'call-records', id: 'record-1', fields: phone },
  [`${NAMED}deepgram.json`]: { format: 'deepgram', id: 'deepgram-1', fields: { ...phone, ...lasting } },
  [`${NAMED}assemblyai.json`]: { format: 'assemblyai', id: 'assemblyai-1', fields: { ...phone, ...enus, ...lasting } },
  [`${NAMED}whisperx.json`]: { format: 'whisperx', id: placed('whisperx'), fields: { ...phone, ...en } },
}

describe('samples of every format', () => {
  it('are all told of here', () => {
    expect(files.toSorted()).toEqual(Object.keys(expected).toSorted())
    const met = new Set(Object.values(expected).map(({ format }) => format))
    // A corpus of two folders, and JSON of which a mapping says where its turns are.
    expect(formats.map(({ name }) => name).filter(name => !met.has(name))).toEqual(['harper-valley', 'json-turns'])
  })

  it.each(files)('%s is recognised by one format alone', async name => {
    const path = join(place, name)
    const input = await openInput(
      { name, path, openFile: file => open(file), stream: createReadStream(path) },
      () => undefined,
    )
    try {
      const by = formats.filter(format => format.recognises(input)).map(format => format.name)
      expect(by).toEqual([expected[name]?.format])
    } finally {
      await input.close()
    }
  })

  describe('come in by one import', () => {
    const store = new CallShelf()
    let report: ImportReport
    beforeAll(async () => {
      report = await importCalls({
        inputs: Object.keys(expected).map(name => ({
          name,
          path: join(place, name),
          size: 1,
          writtenMs: 0,
          openFile: file => open(file),
        })),
        projectId: 'p',
        store,
        workers: 0,
        redact: false,
        evaluate: undefined,
        mapping: parseMaps(['agent_name?="Ann Lee"']),
      })
    })

    it('without a reject', () => {
      expect(report.errors).toEqual([])
      expect(report.stored).toBe(Object.keys(expected).length)
      const named = Object.keys(expected).filter(name => name.startsWith(NAMED)).length
      expect(report.warnings).toEqual([{ warning: recordWarnings.fileNamed, calls: named }])
    })

    it.each(Object.entries(expected))('%s', (_, { id, agent = 'Ann Lee', fields, metadata = {}, ...more }) => {
      const { session_id, agent_name, agent_id, created_dt, transcript, session_metadata, trust, ...rest } =
        store.record(id)
      expect({ session_id, agent_name, created_dt }).toEqual({
        session_id: id,
        agent_name: agent,
        created_dt: '2026-03-02T09:30:00.000Z',
      })
      // One that the source does not give is made of the name.
      const { agent_id: given = agent_id, ...others } = fields
      expect(agent_id).toBe(given)
      expect(rest).toEqual(others)
      expect(session_metadata ?? {}).toMatchObject(metadata)
      const turns = 'turns' in more ? more.turns : said
      expect(transcript?.map(({ actor, text, start_s, end_s }) => [actor, text, start_s, end_s])).toEqual(turns)
      expect(trust?.level).not.toBe('low')
    })
  })
})
