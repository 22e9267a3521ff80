import { describe, expect, it } from 'vitest'
import { importCalls } from '../../src/ingest/import-calls.js'
import { parseMaps } from '../../src/ingest/mapping/parse-map.js'
import { CallShelf } from '../support/call-shelf.js'
import { importingFiles } from '../support/importing-files.js'

const map = ['agent_name="Ann"', 'created_dt="2026-03-01T09:30:00Z"']
const vtt = 'WEBVTT\n\n00:00.000 --> 00:02.000\n<v Agent>Thank you for calling.\n'
const record = (id: string, more: object = {}) => JSON.stringify({ session_id: id, ...more })

describe('a dry run', () => {
  it('says of every file what would become of it, and as which format, and writes nothing', async () => {
    const store = new CallShelf()
    const files = {
      'a.ndjson': [record('new'), record('there'), record('new', { score: 9 }), record('new')].join('\n'),
      'b.ndjson': `${record('new')}\n${record('erased')}\n`,
      'call-1.vtt': vtt,
      'notes.md': '# Notes',
    }
    store.prepared.set('there', { session_id: 'there', agent_id: 'ann', agent_name: 'Ann', json: '{}' })
    store.erased.add('erased')
    const { report, errors, folder } = await importingFiles(files, { map, store, dryRun: true })
    expect(store.batches).toEqual([])
    expect(report).toMatchObject({ dry_run: true, received: 7, stored: 3, replaced: 1, duplicates: 2, rejected: 2 })
    expect(report.skipped_files).toBe(1)
    const none = { stored: 0, replaced: 0, duplicates: 0, rejected: 0 }
    expect(report.by_file?.map(({ file, ...rest }) => ({ file: file.slice(folder.length + 1), ...rest }))).toEqual([
      { ...none, file: 'a.ndjson', format: 'call-records', stored: 1, replaced: 1, duplicates: 2, rejected: 1 },
      { ...none, file: 'b.ndjson', format: 'call-records', stored: 1, rejected: 1 },
      { ...none, file: 'call-1.vtt', format: 'webvtt', stored: 1 },
    ])
    expect(errors).toEqual([
      'a.ndjson:3 score must be between 1 and 5',
      'b.ndjson:2 session_id is the id of a call that was erased on request; it is not taken back',
    ])
  })

  it('comes to what the import then does', async () => {
    const files = {
      'Ann/call-1.vtt': vtt,
      'a.ndjson': [record('a'), '{', record('b')].join('\n'),
      'call-2.srt': '1\n00:00:00,000 --> 00:00:02,000\nAgent: Thank you for calling.\n',
      'call-2.vtt': vtt,
    }
    const dry = await importingFiles(files, { map, dryRun: true })
    const done = await importCalls({
      inputs: [dry.folder],
      projectId: 'p',
      store: new CallShelf(),
      workers: 0,
      redact: false,
      evaluate: undefined,
      mapping: parseMaps(map),
    })
    const { dry_run: _, by_file: byFile = [], ...counts } = dry.report
    expect(counts).toEqual(done)
    const sum = (of: 'stored' | 'rejected') => byFile.reduce((total, one) => total + one[of], 0)
    expect([sum('stored'), sum('rejected')]).toEqual([done.stored, done.rejected])
    expect(done).not.toHaveProperty('by_file')
  })
})
