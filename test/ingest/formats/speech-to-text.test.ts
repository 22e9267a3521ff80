import { describe, expect, it } from 'vitest'
import { recordWarnings } from '../../../src/ingest/record-warnings.js'
import { importingFiles } from '../../support/importing-files.js'

const map = ['agent_name="Ann"', 'created_dt="2026-03-01T09:30:00Z"']

// Made by hand after the vendors' documentation; the talk is ours.
const word = (text: string, start: number, speaker: number | undefined) => ({
  word: text.toLowerCase().replaceAll(/\W/g, ''),
  start,
  end: start + 0.4,
  confidence: 0.97,
  ...(speaker === undefined ? {} : { speaker, speaker_confidence: 0.6 }),
  punctuated_word: text,
})
const deepgramWords = (speakers: readonly (number | undefined)[]) => [
  word('Hello,', 0.1, speakers[0]),
  word('Shop.', 0.6, speakers[0]),
  word('Hi,', 2.1, speakers[1]),
  word('Sam.', 2.6, speakers[1]),
]
const deepgram = (words: object[], more: object = {}) => ({
  metadata: {
    transaction_key: 'deprecated',
    request_id: 'd0000000-0000-4000-8000-000000000001',
    sha256: 'ab',
    created: '2026-03-02T00:00:00.000Z',
    duration: 9.5,
    channels: 1,
    models: ['m'],
  },
  results: { channels: [{ alternatives: [{ transcript: 'all', confidence: 0.9, words }] }], ...more },
})

const assembly = {
  id: 'a0000000-0000-4000-8000-000000000001',
  language_model: 'assemblyai_default',
  acoustic_model: 'assemblyai_default',
  language_code: 'en_us',
  status: 'completed',
  audio_url: 'https://example.com/a.mp3',
  text: 'How can I help? My bill is wrong.',
  words: [],
  utterances: [
    { confidence: 0.9, speaker: 'A', start: 250, end: 1500, text: 'How can I help?', words: [] },
    { confidence: 0.9, speaker: 'B', start: 1250, end: 4000, text: 'My bill is wrong.', words: [] },
  ],
  confidence: 0.9,
  audio_duration: 12,
  speaker_labels: true,
}

const whisper = {
  segments: [
    { start: 0.5, end: 1.5, text: ' Thank you for calling.', words: [], speaker: 'SPEAKER_01' },
    { start: 1.7, end: 2.5, text: ' This is the shop.', words: [], speaker: 'SPEAKER_01' },
    {
      start: 3,
      end: 5,
      text: ' My order. Sure.',
      speaker: 'SPEAKER_00',
      words: [
        { word: 'My', start: 3, end: 3.2, score: 0.9, speaker: 'SPEAKER_00' },
        { word: 'order.', start: 3.3, end: 3.8, score: 0.9, speaker: 'SPEAKER_00' },
        { word: '12' },
        { word: 'Sure.', start: 4.2, end: 4.5, score: 0.9, speaker: 'SPEAKER_01' },
      ],
    },
  ],
  word_segments: [],
  language: 'en',
}

describe('Deepgram', () => {
  it('becomes a call of its utterances', async () => {
    const utterances = [
      {
        start: 0.1,
        end: 1,
        confidence: 1,
        channel: 0,
        transcript: 'Thanks for calling the shop.',
        words: [],
        speaker: 0,
        id: 'u',
      },
      { start: 2.1, end: 3, confidence: 1, channel: 0, transcript: 'Hi.', words: [], speaker: 1, id: 'v' },
    ]
    const { store, errors } = await importingFiles({ 'a.json': deepgram([], { utterances }) }, { map })
    expect(errors).toEqual([])
    expect(store.record('d0000000-0000-4000-8000-000000000001')).toEqual({
      session_id: 'd0000000-0000-4000-8000-000000000001',
      agent_id: 'ann',
      agent_name: 'Ann',
      created_dt: '2026-03-01T09:30:00.000Z',
      channel: 'phone',
      talk_patterns: { total_duration_s: 9.5 },
      trust: {
        level: 'medium',
        reasons: ['The transcript does not say who the agent is: taken to be the speaker who greets first'],
      },
      session_metadata: {
        audio_length_seconds: 9.5,
        transcribed_at: '2026-03-02T00:00:00.000Z',
        agent_speaker: '0',
        agent_speaker_by: 'greeting',
      },
      transcript: [
        { turn: 0, actor: 'agent', text: 'Thanks for calling the shop.', start_s: 0.1, end_s: 1 },
        { turn: 1, actor: 'customer', text: 'Hi.', start_s: 2.1, end_s: 3 },
      ],
    })
  })

  it('makes turns of words, of one channel or two', async () => {
    const asked = { map, agentSpeakers: ['1'] }
    const { store } = await importingFiles({ 'a.json': deepgram(deepgramWords([0, 1])) }, asked)
    expect(store.record('d0000000-0000-4000-8000-000000000001').transcript).toEqual([
      { turn: 0, actor: 'customer', text: 'Hello, Shop.', start_s: 0.1, end_s: 1 },
      { turn: 1, actor: 'agent', text: 'Hi, Sam.', start_s: 2.1, end_s: 3 },
    ])
    const words = deepgramWords([undefined, undefined])
    const channels = [words.slice(2), words.slice(0, 2)].map(of => ({ alternatives: [{ words: of }] }))
    const split = deepgram([], { channels })
    const two = await importingFiles({ 'a.json': split }, { map, agentSpeakers: ['channel 1'] })
    expect(two.store.record('d0000000-0000-4000-8000-000000000001').transcript).toMatchObject([
      { actor: 'agent', text: 'Hello, Shop.' },
      { actor: 'customer', text: 'Hi, Sam.' },
    ])
  })

  it('is refused without speakers, or when none of them can be told to be the agent', async () => {
    const none = await importingFiles({ 'a.json': deepgram(deepgramWords([undefined, undefined])) }, { map })
    expect(none.errors).toEqual([
      'a.json:1 names no speakers, so who said what is not known: transcribe it with speaker labels (diarization)',
    ])
    const words = [word('So,', 0.1, 0), word('Well?', 0.9, 1)]
    const quiet = await importingFiles({ 'a.json': deepgram(words) }, { map })
    expect(quiet.errors[0]).toMatch(/none greets as one: name it with --agent-speaker; its speakers are "0", "1"$/)
    const wrong = await importingFiles({ 'a.json': deepgram(words) }, { map, agentSpeakers: ['7'] })
    expect(wrong.errors[0]).toMatch(/has no speaker "7" \(--agent-speaker\); its speakers are "0", "1"$/)
  })

  it('does not take the time of its transcription for the time of the call', async () => {
    const file = { 'a.json': deepgram(deepgramWords([0, 1])) }
    const { store, report } = await importingFiles(file, { map: ['agent_name="Ann"'] })
    const { created_dt: dated } = store.record('d0000000-0000-4000-8000-000000000001')
    expect(dated).not.toBe('2026-03-02T00:00:00.000Z')
    expect(report.warnings).toEqual([{ warning: recordWarnings.fileWritten, calls: 1 }])
    const mapped = await importingFiles(file, { map: ['agent_name="Ann"', 'created_dt=metadata.created'] })
    expect(mapped.store.record('d0000000-0000-4000-8000-000000000001').created_dt).toBe('2026-03-02T00:00:00.000Z')
  })
})

describe('AssemblyAI', () => {
  it('becomes a call, its milliseconds seconds', async () => {
    const { store, errors } = await importingFiles({ 'a.json': assembly }, { map })
    expect(errors).toEqual([])
    expect(store.record(assembly.id)).toMatchObject({
      language_primary: 'en-us',
      talk_patterns: { total_duration_s: 12 },
      session_metadata: { agent_speaker: 'A' },
      transcript: [
        { actor: 'agent', text: 'How can I help?', start_s: 0.25, end_s: 1.5 },
        { actor: 'customer', text: 'My bill is wrong.', start_s: 1.25, end_s: 4 },
      ],
    })
  })

  it('is read many to a file, one a line or in an array', async () => {
    const other = { ...assembly, id: 'second' }
    const lines = `${JSON.stringify(assembly)}\n${JSON.stringify(other)}\n`
    expect((await importingFiles({ 'a.ndjson': lines }, { map })).store.ids).toEqual([assembly.id, 'second'])
    expect((await importingFiles({ 'a.json': [assembly, other] }, { map })).store.ids).toEqual([assembly.id, 'second'])
  })

  it.each([
    [{ ...assembly, status: 'error' }, /transcript that failed/],
    [{ ...assembly, status: 'processing' }, /not done yet/],
    [{ ...assembly, utterances: null }, /holds nothing that was said/],
    [
      { ...assembly, utterances: [{ text: 'x', start: '0' }] },
      /utterances\[0\]\.start must be a number \(read as assemblyai\)/,
    ],
  ])('is refused when it holds no call (%#)', async (content, message) => {
    expect((await importingFiles({ 'a.json': content }, { map })).errors[0]).toMatch(message)
  })
})

describe('WhisperX', () => {
  it('becomes a call named like its file, segments joined and parted by speaker', async () => {
    const { store, errors } = await importingFiles({ 'call-7.json': whisper }, { map })
    expect(errors).toEqual([])
    expect(store.record('call-7')).toMatchObject({
      language_primary: 'en',
      transcript: [
        { actor: 'agent', text: 'Thank you for calling. This is the shop.', start_s: 0.5, end_s: 2.5 },
        { actor: 'customer', text: 'My order. 12', start_s: 3, end_s: 3.8 },
        { actor: 'agent', text: 'Sure.', start_s: 4.2, end_s: 4.5 },
      ],
    })
  })

  it('is refused without speakers: that is Whisper’s own output', async () => {
    const plain = { text: ' Hello.', segments: [{ id: 0, seek: 0, start: 0, end: 2, text: ' Hello.' }], language: 'en' }
    expect((await importingFiles({ 'a.json': plain }, { map })).errors[0]).toMatch(/names no speakers/)
  })

  it('has no name for a call among others in a file', async () => {
    const { errors } = await importingFiles({ 'a.json': [whisper, whisper] }, { map })
    expect(errors).toHaveLength(2)
    expect(errors[0]).toMatch(/session_id is missing: the source has no id/)
  })
})
