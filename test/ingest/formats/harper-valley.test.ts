import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { importCalls } from '../../../src/ingest/import-calls.js'
import { CallShelf } from '../../support/call-shelf.js'
import { tempDir } from '../../support/temp-dir.js'

const metadata = {
  sid: '00aa11bb22cc33dd',
  session: 'A Session',
  start_time_ms: Date.parse('2020-06-02T10:00:00.500Z'),
  end_time_ms: Date.parse('2020-06-02T10:00:51.500Z'),
  agent: {
    metadata: { agent_name: 'Robin' },
    speaker_id: 46,
    hangup_time_ms: Date.parse('2020-06-02T10:00:52.000Z'),
    responses: [{ data: { task_type: 'order checks' } }],
    survey_response: { data: { partner_rating: '9' } },
  },
  caller: { metadata: { 'first and last name': 'Kim Doe' }, speaker_id: 44, hangup_time_ms: null },
  labels: { caller_mos: 3.5 },
  tasks: [{ task_type: 'order checks' }],
}

const segment = (role: string, offset: number, human: string, machine: string, start: number) => ({
  speaker_role: role,
  channel_index: role === 'agent' ? 2 : 1,
  offset_ms: offset,
  duration_ms: 1_500,
  start_ms: start,
  index: 1,
  emotion: { negative: 0.9, neutral: 0.1, positive: 0 },
  dialog_acts: ['gridspace_greeting'],
  human_transcript: human,
  transcript: machine,
})

// As in the corpus: start_ms runs differently on each channel, and the file is not in the order of offset_ms.
const transcript = [
  segment('caller', 4_000, 'hi i need some checks', 'hi i need some chucks', 4_000),
  segment('agent', 1_250, 'hello this is the bank', 'hello this is a bank', 900),
  segment('agent', 7_000, '', 'which kind', 5_000),
  segment('caller', 8_600, '[noise]', '', 8_600),
]

/** Writes a corpus of calls into a folder of its own and imports the folder. */
async function importing(files: Readonly<Record<string, unknown>>) {
  const folder = tempDir()
  mkdirSync(join(folder, 'metadata'))
  mkdirSync(join(folder, 'transcript'))
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
  }
  const store = new CallShelf()
  const report = await importCalls({
    inputs: [folder],
    redact: false,
    evaluate: undefined,
    projectId: 'demo',
    store,
    workers: 0,
  })
  const errors = report.errors.map(({ file, path, message }) => ({
    file: file.slice(folder.length + 1),
    path,
    message,
  }))
  return { store, report, errors, folder }
}

describe('the Harper Valley layout', () => {
  it('makes one call of a pair of files', async () => {
    const { store, report } = await importing({ 'metadata/a.json': metadata, 'transcript/a.json': transcript })
    expect(report).toMatchObject({ received: 1, stored: 1, rejected: 0, skipped_files: 0 })
    expect(store.record('00aa11bb22cc33dd')).toEqual({
      session_id: '00aa11bb22cc33dd',
      agent_id: 'robin',
      agent_name: 'Robin',
      created_dt: '2020-06-02T10:00:00.500Z',
      interaction_direction: 'inbound',
      channel: 'phone',
      language_primary: 'en-US',
      customer_display_name: 'Kim Doe',
      session_metadata: {
        company_name: 'Harper Valley National Bank',
        audio_length_seconds: 51,
        session: 'A Session',
        end_time: '2020-06-02T10:00:51.500Z',
        agent_hangup_time: '2020-06-02T10:00:52.000Z',
        agent_speaker_id: 46,
        caller_speaker_id: 44,
      },
      talk_patterns: { total_duration_s: 51 },
      transcript: [
        { turn: 0, actor: 'agent', text: 'hello this is the bank', start_s: 1.25, end_s: 2.75 },
        { turn: 1, actor: 'customer', text: 'hi i need some checks', start_s: 4, end_s: 5.5 },
        { turn: 2, actor: 'agent', text: 'which kind', start_s: 7, end_s: 8.5 },
        { turn: 3, actor: 'customer', text: '[noise]', start_s: 8.6, end_s: 10.1 },
      ],
    })
  })

  it('lets nothing through that an evaluation is measured against', async () => {
    const { store } = await importing({ 'metadata/a.json': metadata, 'transcript/a.json': transcript })
    expect(store.prepared.get('00aa11bb22cc33dd')?.json).not.toMatch(/order checks|rating|mos|emotion|gridspace/)
  })

  it('names a file whose other half is missing', async () => {
    const { errors, report } = await importing({
      'metadata/a.json': metadata,
      'transcript/a.json': transcript,
      'metadata/b.json': { ...metadata, sid: 'b' },
      'transcript/c.json': transcript,
    })
    expect(report).toMatchObject({ received: 3, stored: 1, rejected: 2 })
    expect(errors).toEqual([
      { file: 'metadata/b.json', path: '', message: 'has no transcript/b.json beside it: a call needs both files' },
      { file: 'transcript/c.json', path: '', message: 'has no metadata/c.json beside it: a call needs both files' },
    ])
  })

  it.each([
    [
      'metadata cut off',
      { 'metadata/a.json': '{"sid": "x"' },
      '',
      'is not whole JSON: it ends too early; the file was cut off here',
    ],
    ['metadata without an agent', { 'metadata/a.json': { ...metadata, agent: {} } }, 'agent.metadata', 'is missing'],
    [
      'a transcript that is none',
      { 'transcript/a.json': [{ ...transcript[0], offset_ms: 'soon' }] },
      'transcript[0].offset_ms',
      'must be a number',
    ],
    ['an id no record may have', { 'metadata/a.json': { ...metadata, sid: '' } }, 'session_id', 'is empty'],
  ])('reports %s', async (_what, change, path, message) => {
    const good = { 'metadata/z.json': { ...metadata, sid: 'z' }, 'transcript/z.json': transcript }
    const files = { 'metadata/a.json': metadata, 'transcript/a.json': transcript, ...good, ...change }
    const { errors, report } = await importing(files)
    expect(errors).toEqual([{ file: 'metadata/a.json', path, message }])
    expect(report).toMatchObject({ stored: 1, rejected: 1 })
  })

  it('asks for the folder when a file comes without its place', async () => {
    const { folder } = await importing({ 'metadata/a.json': metadata, 'transcript/a.json': transcript })
    const moved = join(folder, 'call.json')
    writeFileSync(moved, JSON.stringify(metadata))
    rmSync(join(folder, 'metadata'), { recursive: true })
    const report = await importCalls({
      inputs: [moved],
      redact: false,
      evaluate: undefined,
      projectId: 'demo',
      store: new CallShelf(),
      workers: 0,
    })
    expect(report.errors[0]?.message).toBe(
      'is one of two files of a call, in the folders metadata/ and transcript/: give the folder above them',
    )
  })
})
