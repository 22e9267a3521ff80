import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { importCalls } from '../../../src/ingest/import-calls.js'
import {
  createTranscriptionClient,
  type TranscriptionEndpoint,
} from '../../../src/ingest/transcribe/transcription-client.js'
import { transcribeRecordings, type TranscribeRun } from '../../../src/ingest/transcribe/transcribe-recordings.js'
import { parseMaps } from '../../../src/ingest/mapping/parse-map.js'
import { CallShelf } from '../../support/call-shelf.js'
import { tempDir } from '../../support/temp-dir.js'
import {
  type Heard,
  LINES,
  type Said,
  TranscriptionServer,
  usual,
  verbose,
} from '../../support/transcription-server.js'

/** Frames of 16-bit PCM at 8 kHz: one sample for each channel. */
function wav(...frames: readonly (readonly number[])[]): Buffer {
  const channels = frames[0]?.length ?? 1
  const data = Buffer.from(Int16Array.from(frames.flat()).buffer)
  const format = Buffer.alloc(16)
  format.writeUInt16LE(1, 0)
  format.writeUInt16LE(channels, 2)
  format.writeUInt32LE(8_000, 4)
  format.writeUInt32LE(16_000 * channels, 8)
  format.writeUInt16LE(2 * channels, 12)
  format.writeUInt16LE(16, 14)
  // A chunk of an odd length stands between, as recorders write them.
  const chunks = [chunk('fmt ', format), chunk('LIST', Buffer.from('odd')), chunk('data', data)]
  const body = Buffer.concat([Buffer.from('WAVE'), ...chunks])
  return chunk('RIFF', body)
}

function chunk(id: string, body: Buffer): Buffer {
  const size = Buffer.alloc(4)
  size.writeUInt32LE(body.length)
  return Buffer.concat([Buffer.from(id), size, body, Buffer.alloc(body.length % 2)])
}

const MP3 = Buffer.concat([Buffer.from('ID3'), Buffer.alloc(40, 1)])
const STEREO = wav([1, -1], [2, -2], [3, -3])

interface Given extends Partial<Omit<TranscribeRun, 'client' | 'inputs' | 'to'>> {
  readonly files?: Readonly<Record<string, Buffer | string>>
  readonly say?: (heard: Heard, count: number) => Said | Promise<Said>
  readonly endpoint?: Partial<TranscriptionEndpoint>
}

async function transcribing({ files = { 'call-1.mp3': MP3 }, say = usual, endpoint, ...options }: Given) {
  const server = await TranscriptionServer.start(say)
  onTestFinished(() => server.stop())
  const folder = join(tempDir(), 'in')
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
    utimesSync(join(folder, name), WRITTEN, WRITTEN)
  }
  const to = join(tempDir(), 'out')
  const again = async (more: Partial<TranscribeRun> = {}, changed: Partial<TranscriptionEndpoint> = {}) => {
    const client = createTranscriptionClient({
      kind: 'openai',
      url: server.url,
      model: 'a-diarize-model',
      apiKey: 'sk-secret',
      timeoutMs: 60_000,
      attempts: 3,
      firstRetryMs: 1,
      pollMs: 1,
      ...endpoint,
      ...changed,
    })
    const signal = new AbortController().signal
    const usually = {
      byChannel: false,
      language: undefined,
      recordingsDir: undefined,
      concurrency: 2,
      mostCalls: undefined,
      signal,
    }
    return await transcribeRecordings({
      inputs: [folder],
      to,
      client,
      onProgress: () => {},
      ...usually,
      ...options,
      ...more,
    })
  }
  return { server, folder, to, report: await again(), again }
}

const WRITTEN = new Date('2026-03-02T09:30:00Z')

async function imported(folder: string) {
  const store = new CallShelf()
  const options = { workers: 0, redact: false, evaluate: undefined, mapping: parseMaps(['agent_name="Ann Lee"']) }
  const report = await importCalls({ inputs: [folder], projectId: 'p', store, ...options })
  return { report, calls: store.ids.map(id => store.record(id)) }
}

describe('each service', () => {
  const cases = [
    ['openai, diarized', { kind: 'openai' }, { files: { 'Ann/call-1.mp3': MP3 } }, 'Ann/call-1'],
    ['openai by channel', { kind: 'openai', model: 'whisper-1' }, { byChannel: true, files: { 'c.wav': STEREO } }, 'c'],
    ['deepgram', { kind: 'deepgram' }, {}, 'r-1'],
    ['deepgram by channel', { kind: 'deepgram' }, { byChannel: true }, 'r-1'],
    ['assemblyai', { kind: 'assemblyai' }, {}, 'tr_1'],
  ] as const
  it.each(cases)('%s: its answer becomes a call', async (name, endpoint, options, id) => {
    const bySide = ({ audio, ...heard }: Heard): Said => {
      if (name !== 'openai by channel') return usual({ audio, ...heard })
      // Which side it is stands in the samples.
      const side = audio.readInt16LE(44) > 0 ? 0 : 1
      return { json: verbose(LINES.filter(({ speaker }) => speaker === side)) }
    }
    const { report, to } = await transcribing({ ...options, endpoint, say: bySide })
    expect(report).toMatchObject({ recordings: 1, transcribed: 1, refused: [] })
    const { calls, report: done } = await imported(to)
    expect(done.errors).toEqual([])
    expect(calls).toMatchObject([{ session_id: id, agent_name: 'Ann Lee', created_dt: '2026-03-02T09:30:00.000Z' }])
    expect(calls[0]?.transcript?.map(({ actor, text }) => [actor, text])).toEqual(
      LINES.map(({ speaker, text }) => [speaker === 0 ? 'agent' : 'customer', text]),
    )
  })

  it('is asked as its documentation says', async () => {
    const { server, again } = await transcribing({ language: 'en' })
    expect(server.heard[0]).toMatchObject({
      path: '/audio/transcriptions',
      form: { model: 'a-diarize-model', response_format: 'diarized_json', chunking_strategy: 'auto', language: 'en' },
      audio: MP3,
    })
    expect(server.heard[0]?.headers.authorization).toBe('Bearer sk-secret')
    const elsewhere = { to: tempDir(), byChannel: true }
    await again(elsewhere, { kind: 'deepgram', model: 'nova-3' })
    const listen = server.heard[1]!
    expect(Object.fromEntries(listen.query)).toEqual({
      model: 'nova-3',
      utterances: 'true',
      smart_format: 'true',
      multichannel: 'true',
      language: 'en',
    })
    expect(listen).toMatchObject({
      headers: { authorization: 'Token sk-secret', 'content-type': 'audio/mpeg' },
      audio: MP3,
    })
    await again({ to: tempDir() }, { kind: 'assemblyai', model: 'universal-2' })
    const [upload, submit, poll] = server.heard.slice(2)
    expect(upload).toMatchObject({ path: '/upload', headers: { authorization: 'sk-secret' }, audio: MP3 })
    expect(JSON.parse(submit!.body.toString())).toEqual({
      audio_url: 'https://cdn.example.com/upload/1',
      speech_models: ['universal-2'],
      speaker_labels: true,
      language_code: 'en',
    })
    expect(poll).toMatchObject({ method: 'GET', path: '/transcript/tr_1' })
  })
})

it('sends the samples of each channel as a WAV file of its own', async () => {
  const { server } = await transcribing({
    files: { 'c.wav': STEREO },
    byChannel: true,
    endpoint: { model: 'whisper-1' },
  })
  const mono = (...samples: readonly number[]) => Buffer.from(Int16Array.from(samples).buffer)
  expect(server.heard.map(({ audio }) => audio.subarray(44))).toEqual([mono(1, 2, 3), mono(-1, -2, -3)])
  expect(server.heard[1]?.audio.readUInt16LE(22)).toBe(1)
  expect(server.heard[1]?.audio.readUInt32LE(24)).toBe(8_000)
})

it('takes the samples of a WAV file that was written as a stream, and no picture for a recording', async () => {
  const streamed = Buffer.from(STEREO)
  streamed.writeUInt32LE(0, streamed.indexOf('data') + 4)
  const picture = Buffer.concat([Buffer.from([0, 0, 0, 0x20]), Buffer.from('ftypheic'), Buffer.alloc(40)])
  const { server, report } = await transcribing({
    files: { 'c.wav': streamed, 'photo.heic': picture },
    byChannel: true,
    endpoint: { model: 'whisper-1' },
  })
  expect(report).toMatchObject({ recordings: 1, transcribed: 1, passed_over: 1 })
  const mono = (...samples: readonly number[]) => Buffer.from(Int16Array.from(samples).buffer)
  expect(server.heard.map(({ audio }) => audio.subarray(44))).toEqual([mono(1, 2, 3), mono(-1, -2, -3)])
})

it('goes on where it was, and pays for the same recording once', async () => {
  const files = { 'a.mp3': MP3, 'b/a.mp3': MP3, 'c.ogg': 'OggS, another', 'note.txt': 'no recording' }
  const { server, report, again, to, folder } = await transcribing({ files, mostCalls: 1, concurrency: 1 })
  expect(report).toEqual({ recordings: 3, transcribed: 2, kept: 0, left: 1, refused: [], passed_over: 1 })
  expect(await again({ mostCalls: undefined })).toMatchObject({ transcribed: 1, kept: 2, left: 0 })
  expect(server.heard).toHaveLength(2)
  expect(readdirSync(to).toSorted()).toEqual(['a.json', 'b', 'c.json'])
  expect(statSync(join(to, 'c.json')).mtime).toEqual(WRITTEN)
  const kept = JSON.parse(readFileSync(join(to, 'b/a.json'), 'utf8')) as object
  expect(kept).toMatchObject({ earshot_recording: { file: 'b/a.mp3', service: 'openai', model: 'a-diarize-model' } })
  writeFileSync(join(folder, 'a.mp3'), 'ID3 recorded anew')
  expect(await again({ mostCalls: undefined })).toMatchObject({ transcribed: 1, kept: 2 })
})

it('asks again where that may help, and no more recordings at a time than it may', async () => {
  const files = Object.fromEntries(Array.from({ length: 6 }, (_, index) => [`${index}.mp3`, `ID3 ${index}`]))
  const failures: readonly Said[] = [
    { breaks: true },
    { status: 503 },
    { text: '{"cut' },
    { status: 429, headers: { 'retry-after': '0' } },
  ]
  let second = () => {}
  const isSecondThere = new Promise<void>(resolve => (second = resolve))
  const { report, server } = await transcribing({
    files,
    endpoint: { attempts: 6 },
    say: async (heard, count) => {
      if (count === 2) second()
      await isSecondThere
      return failures[count - 1] ?? usual(heard)
    },
  })
  expect(report).toMatchObject({ transcribed: 6, refused: [] })
  expect(server.heard).toHaveLength(6 + failures.length)
  expect(server.most).toBe(2)
})

it.each([
  [
    'a refusal in its words, without the key',
    { status: 400, body: '{"error": {"message": "too long for sk-secret"}}' },
    'refuses the request (400): too long for [key]',
  ],
  ['a service that keeps failing', { status: 500 }, 'The transcription service failed (500)'],
  ['an answer of another API', { json: { text: 'hello' } }, 'gave an answer without segments (at "segments")'],
  ['a transcript without speakers', { json: verbose(LINES) }, 'names no speakers'],
  ['silence', { json: verbose([]) }, 'has nothing that the transcription service could hear'],
  ['no end', { never: true }, 'did not answer within 2 s'],
] as const)('refuses a recording for %s, and goes on with the others', async (_, bad, message) => {
  const { report, to } = await transcribing({
    files: { 'bad.mp3': 'ID3 bad', 'good.mp3': MP3 },
    endpoint: 'never' in bad ? { timeoutMs: 2_000, attempts: 1 } : { attempts: 2 },
    say: heard => (heard.audio.includes('bad') ? bad : usual(heard)),
  })
  expect(report).toMatchObject({
    recordings: 2,
    transcribed: 1,
    refused: [{ message: expect.stringContaining(message) }],
  })
  expect(report.refused[0]?.file).toMatch(/bad\.mp3$/)
  expect(readdirSync(to)).toEqual(['good.json'])
})

it.each([
  [{ status: 401 }, 'refuses the key (401): check EARSHOT_TRANSCRIPTION_API_KEY'],
  [{ status: 404 }, 'check EARSHOT_TRANSCRIPTION_URL'],
  [{ status: 302, headers: { location: 'http://elsewhere.example' } }, 'redirects to another address'],
  [{ status: 429, headers: { 'retry-after': '3600' } }, 'asks to be left alone for 3600 s'],
] as const)('stops where no other recording can do better: %o', async (bad, message) => {
  const files = { '1.mp3': 'ID3 1', '2.mp3': 'ID3 2', '3.mp3': 'ID3 3' }
  const { report, server } = await transcribing({ files, concurrency: 1, say: () => bad })
  expect(report).toMatchObject({ transcribed: 0, left: 3, refused: [], stopped: expect.stringContaining(message) })
  expect(server.heard).toHaveLength(1)
})

it('refuses what AssemblyAI could not transcribe, and an id that is none', async () => {
  const failed = { id: 'tr_1', status: 'error', error: 'Audio is too short' }
  const say = (heard: Heard): Said => (heard.path === '/transcript/tr_1' ? { json: failed } : usual(heard))
  const { report } = await transcribing({ endpoint: { kind: 'assemblyai' }, say })
  expect(report.refused[0]?.message).toBe('could not be transcribed: "Audio is too short"')
  const hostile = (heard: Heard): Said =>
    heard.path === '/transcript' ? { json: { id: '../keys?x=', status: 'queued' } } : usual(heard)
  const { report: second, server } = await transcribing({ endpoint: { kind: 'assemblyai' }, say: hostile })
  expect(second.refused[0]?.message).toContain('gave an answer without id and status (at "id")')
  expect(server.heard).toHaveLength(2)
})

it('refuses what can’t be split or would overwrite another file', async () => {
  const files = {
    'cut.wav': STEREO.subarray(0, 14),
    'mono.wav': wav([1], [2]),
    'song.mp3': MP3,
    'two.wav': STEREO,
    'two.ogg': 'OggS',
    'own.wav': STEREO,
  }
  const { again, to } = await transcribing({ files, byChannel: true, mostCalls: 0 })
  mkdirSync(to, { recursive: true })
  writeFileSync(join(to, 'own.json'), '{"mine": true}')
  const { refused } = await again({ mostCalls: undefined })
  expect(refused.map(({ file, message }) => [file.replace(/^.*\//, ''), message.replaceAll(/\/\S+\//g, '')])).toEqual([
    ['cut.wav', 'is a damaged WAV file: it has no samples'],
    ['mono.wav', 'has one channel only: leave out --channels for it'],
    ['own.wav', 'would have its transcript in own.json, which is there and is no transcript of "earshot transcribe"'],
    ['song.mp3', expect.stringMatching(/^is no WAV file, and only those are split by channel/)],
    ['two.ogg', expect.stringMatching(/^is no WAV file/)],
    ['two.wav', 'would have its transcript where that of two.ogg is: rename one of them'],
  ])
  expect(readFileSync(join(to, 'own.json'), 'utf8')).toBe('{"mine": true}')
})

it('ends when it is interrupted, and what is written stays', async () => {
  const abort = new AbortController()
  const say = (heard: Heard, count: number): Said => {
    if (count < 2) return usual(heard)
    abort.abort(new Error('interrupted'))
    return { never: true }
  }
  const files = { '1.mp3': 'ID3 1', '2.mp3': 'ID3 2', '3.mp3': 'ID3 3' }
  await expect(transcribing({ files, say, concurrency: 1, signal: abort.signal })).rejects.toThrow('interrupted')
})

it('ends when it is interrupted while the service is at work', async () => {
  const abort = new AbortController()
  const say = (heard: Heard): Said => {
    if (heard.path !== '/transcript') return usual(heard)
    setTimeout(() => abort.abort(new Error('interrupted')), 20)
    return { json: { id: 'tr_1', status: 'queued' } }
  }
  const endpoint = { kind: 'assemblyai', pollMs: 3_600_000 } as const
  await expect(transcribing({ say, endpoint, signal: abort.signal })).rejects.toThrow('interrupted')
})

it('notes where a recording is that will be served, and import takes it from there', async () => {
  const { folder, again } = await transcribing({ mostCalls: 0 })
  const recordingsDir = tempDir()
  mkdirSync(join(recordingsDir, 'p', 'march'), { recursive: true })
  writeFileSync(join(recordingsDir, 'p', 'march', 'a.mp3'), MP3)
  writeFileSync(join(recordingsDir, 'stray.mp3'), 'ID3 stray')
  const to = tempDir()
  await again({ inputs: [recordingsDir, folder], to, recordingsDir, mostCalls: undefined })
  const { calls } = await imported(to)
  const places = calls.map(one => [one.session_id.replace(/^.*\//, ''), one.recording_url])
  expect(Object.fromEntries(places)).toMatchObject({ a: 'march/a.mp3', stray: undefined })
})

it.each(['song.mp3', 'call.wav', 'call.ogg', 'call.m4a'])('is what import names for a recording: %s', async name => {
  const file = join(tempDir(), name)
  const m4a = Buffer.concat([Buffer.from([0, 0, 0, 0x20]), Buffer.from('ftypM4A '), Buffer.alloc(40)])
  const contents: Readonly<Record<string, Buffer>> = { 'song.mp3': MP3, 'call.wav': STEREO, 'call.m4a': m4a }
  writeFileSync(file, contents[name] ?? 'OggS')
  const { report } = await imported(file)
  expect(report.errors).toMatchObject([{ message: expect.stringContaining('is a recording: "earshot transcribe"') }])
})
