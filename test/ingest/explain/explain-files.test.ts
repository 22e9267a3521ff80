import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { explainFiles } from '../../../src/ingest/explain/explain-files.js'
import { parseMaps } from '../../../src/ingest/mapping/parse-map.js'
import { importingFiles } from '../../support/importing-files.js'
import { tempDir } from '../../support/temp-dir.js'

async function explaining(files: Readonly<Record<string, string | object>>, map: readonly string[] = []) {
  const folder = tempDir()
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
  }
  const reading = { redact: false, mapping: parseMaps(map), agentSpeakers: [], timeZone: undefined }
  return await explainFiles([folder], reading, 1_000_000)
}

/** A product that nobody knows, with everything a call needs. */
const own = {
  recordingId: 'own-1',
  operator: { name: 'Ann Lee', team: 'Billing' },
  startedAt: '2026-03-02T09:30:00Z',
  conversation: {
    lines: [
      { who: 'operator', said: 'Thank you for calling.', startMs: 500, endMs: 4000 },
      { who: 'caller', said: 'My router is broken.', startMs: 5000, endMs: 7500 },
    ],
  },
}

const ours = {
  session_id: 'ours-1',
  agent_name: 'Ann Lee',
  created_dt: '2026-03-02T09:30:00.000Z',
  score: 3,
  transcript: [
    { turn: 0, actor: 'agent', text: 'Thank you for calling.' },
    { turn: 1, actor: 'customer', text: 'My router is broken.' },
  ],
}

describe('a folder is explained', () => {
  it('by format, with how the agent is found and what calls lack', async () => {
    const found = await explainFiles(
      ['examples/formats/genesys.json', 'examples/formats/2026-03-02T09-30-00Z-otter.txt'],
      { redact: false, mapping: parseMaps(['agent_name?="Ann"']), agentSpeakers: [], timeZone: undefined },
      1_000_000,
    )
    expect(found).toMatchObject({ files: 2, unknown_files: 0 })
    const [genesys, otter] = found.formats
    expect(genesys).toMatchObject({ format: 'genesys', files: 1, calls: 1, rejected: 0, facts: [] })
    expect(genesys?.agent_by).toMatch(/^participantPurpose/)
    expect(otter?.facts.map(({ fact }) => fact)).toEqual([
      'are dated by the time in the name of their file',
      'have no end times of turns',
      'have their agent by who greets first',
      'do not say their language',
      'do not say who called whom',
    ])
  })

  it('with the reasons for which records would be rejected', async () => {
    const chat = { messages: [{ role: 'user', content: 'Hello.' }] }
    const { formats } = await explaining({ 'a.json': chat, 'b.json': chat })
    expect(formats).toMatchObject([{ format: 'chat-log', calls: 0, rejected: 2, reasons: [{ records: 2 }] }])
    expect(formats[0]?.reasons[0]?.reason).toMatch(/^agent_name is missing: /)
  })

  it('where a file is broken, without the others', async () => {
    const found = await explaining({ 'a.json': '{"transcript_object": [', 'b.bin': 'PK\u0003\u0004', 'c.json': own })
    expect(found).toMatchObject({ files: 3, unknown_files: 3 })
  })
})

describe('a file of no format is explained', () => {
  it('by its fields and by mappings made of them, which do read it', async () => {
    const { unknown } = await explaining({ 'own.json': own })
    const maps = [
      'session_id=recordingId',
      'agent_name=operator.name',
      'created_dt=startedAt',
      'turns=conversation.lines',
      'turn.text=said',
      'turn.speaker=who',
      'turn.start_ms=startMs',
      'turn.end_ms=endMs',
    ]
    expect(unknown).toMatchObject([{ maps, taken_with_maps: true }])
    const { store, errors } = await importingFiles({ 'own.json': own }, { map: maps })
    expect(errors).toEqual([])
    expect(store.record('own-1')).toMatchObject({
      agent_name: 'Ann Lee',
      created_dt: '2026-03-02T09:30:00.000Z',
      transcript: [
        { actor: 'agent', text: 'Thank you for calling.', start_s: 0.5, end_s: 4 },
        { actor: 'customer', text: 'My router is broken.', start_s: 5, end_s: 7.5 },
      ],
    })
  })

  it('by the nearest format and what it lacks', async () => {
    const { unknown } = await explaining({ 'a.json': { call_id: 'x', call_type: 'web_call', note: 'y' } })
    expect(unknown[0]).toMatchObject({
      why: 'is of no format that import knows',
      fields: ['call_id', 'call_type', 'note'],
      nearest: { format: 'retell', has: ['call_id', 'call_type'], lacks: ['call_status'] },
    })
  })

  it('as what it lacks of a call record, where it has some of one, by mappings that leave the rest as it is', async () => {
    const { agent_name, ...near } = { ...ours, agent: 'Ann Lee' }
    expect(agent_name).toBe('Ann Lee')
    const { formats, unknown } = await explaining({ 'near.ndjson': near })
    const maps = ['agent_name=agent']
    expect(formats).toEqual([])
    expect(unknown).toMatchObject([
      { why: 'looks like call-records, but agent_name is missing', maps, taken_with_maps: true },
    ])
    const { store, errors } = await importingFiles({ 'near.ndjson': near }, { map: maps })
    expect(errors).toEqual([])
    expect(store.record('ours-1')).toMatchObject({ agent_name: 'Ann Lee', score: 3, transcript: ours.transcript })
  })

  it('so too where its turns say who spoke in their own way', async () => {
    const transcript = ours.transcript.map(({ actor, text }) => ({ speaker: actor, text }))
    const { unknown } = await explaining({ 'near.ndjson': { ...ours, score: undefined, transcript } })
    const maps = [
      'session_id=session_id',
      'agent_name=agent_name',
      'created_dt=created_dt',
      'turns=transcript',
      'turn.text=text',
      'turn.speaker=speaker',
    ]
    expect(unknown).toMatchObject([
      { why: 'looks like call-records, but transcript[0].turn is missing', maps, taken_with_maps: true },
    ])
    const { store, errors } = await importingFiles({ 'near.ndjson': { ...ours, transcript } }, { map: maps })
    expect(errors).toEqual([])
    expect(store.record('ours-1')).toMatchObject({ agent_name: 'Ann Lee', transcript: ours.transcript })
  })

  it('as call records with their faults, where no mapping would mend them', async () => {
    const { formats, unknown } = await explaining({
      'a.ndjson': { session_id: 'a' },
      'b.ndjson': { ...ours, score: 9 },
    })
    expect(unknown).toEqual([])
    expect(formats).toMatchObject([
      {
        format: 'call-records',
        files: 2,
        calls: 0,
        rejected: 2,
        reasons: [{ reason: 'agent_name is missing' }, { reason: 'score must be between 1 and 5' }],
      },
    ])
  })

  it('holds whatever its fields are called', async () => {
    const hostile = { __proto__x: 1, 'a"b': 1, 'a\u0000': { '[]': 1 }, '': [], ['x'.repeat(300)]: 1 } as object
    const text = JSON.stringify(hostile).replace('__proto__x', '__proto__')
    const { unknown } = await explaining({ 'a.json': text })
    expect(unknown).toHaveLength(1)
  })

  it('is told so where it is imported too', async () => {
    const { errors } = await importingFiles({ 'a.json': { call_id: 'x', call_type: 'web_call' } })
    expect(errors[0]).toMatch(
      /session_id is missing: the file is of no format that import knows \(the nearest is retell, which has call_status too\); "earshot import --explain FILE" says how to map it/,
    )
  })
})

describe('turns that are mapped', () => {
  it('are refused where there is no list, or nobody speaks', async () => {
    const map = ['session_id="a"', 'agent_name="Ann"', 'created_dt="2026-03-02T09:30:00Z"']
    const wrong = await importingFiles({ 'own.json': own }, { map: [...map, 'turns=operator'] })
    expect(wrong.errors[0]).toMatch(/turns is no list in the source/)
    const nobody = await importingFiles(
      { 'own.json': own },
      { map: [...map, 'turns=conversation.lines', 'turn.text=said'] },
    )
    expect(nobody.errors[0]).toMatch(/names no speakers/)
    const silent = await importingFiles({ 'own.json': own }, { map: [...map, 'turns=conversation.lines'] })
    expect(silent.errors[0]).toMatch(/turn\.text is not mapped: say where the text of a turn is/)
  })
})
