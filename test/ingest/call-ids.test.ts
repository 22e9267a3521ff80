import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { importCalls, type ImportOptions } from '../../src/ingest/import-calls.js'
import { parseMaps } from '../../src/ingest/mapping/parse-map.js'
import { CallShelf } from '../support/call-shelf.js'
import { importingFiles } from '../support/importing-files.js'
import { tempDir } from '../support/temp-dir.js'

const map = ['agent_name=@folder', 'created_dt="2026-03-01T09:30:00Z"']
const vtt = (words: string) => `WEBVTT

00:00.000 --> 00:02.000
<v Agent>Thank you for calling. ${words}

00:02.500 --> 00:03.000
<v Customer>Hello.
`
const srt = (words: string) => `1
00:00:00,000 --> 00:00:02,000
Agent: Thank you for calling. ${words}
`
const whisperx = (words: string) => ({
  language: 'en',
  segments: [{ start: 0, end: 2, text: `Thank you for calling. ${words}`, speaker: 'agent' }],
})
const deepgram = (words: string, id?: string) => ({
  metadata: { duration: 3, channels: 1, ...(id !== undefined && { request_id: id }) },
  results: {
    channels: [{ alternatives: [{ words: [] }] }],
    utterances: [{ start: 0, end: 2, transcript: `Thank you for calling. ${words}`, speaker: 0 }],
  },
})

async function importing(inputs: ImportOptions['inputs'], store = new CallShelf(), maps = map) {
  const mapping = parseMaps(maps)
  const report = await importCalls({
    inputs,
    projectId: 'p',
    store,
    workers: 0,
    redact: false,
    evaluate: undefined,
    mapping,
  })
  return { report, store }
}

/** A folder with the files, by path. */
function folderOf(files: Readonly<Record<string, string>>, folder = join(tempDir(), 'calls')): string {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  return folder
}

describe('ids of calls that their sources give none', () => {
  it.each([
    ['vtt', vtt],
    ['srt', srt],
    ['json', whisperx],
    ['json', deepgram],
  ] as const)('are paths below the folder given: %s files of one name are all kept', async (ending, content) => {
    const files = { [`Ann/call-1.${ending}`]: content('One.'), [`Bob/call-1.${ending}`]: content('Two.') }
    const { store, report } = await importingFiles(files, { map })
    expect(report).toMatchObject({ received: 2, stored: 2, duplicates: 0, rejected: 0 })
    expect(store.ids).toEqual(['Ann/call-1', 'Bob/call-1'])
    expect(store.record('Ann/call-1').agent_name).toBe('Ann')
  })

  it('are the bare name of a file that lies in the folder itself, as ever', async () => {
    const { store } = await importingFiles({ 'call-1.vtt.gz': vtt('One.'), 'call.2.srt': srt('Two.') }, { map })
    expect(store.ids).toEqual(['call-1', 'call.2'])
  })

  it('stay the same when the folder is moved, and however it is named', async () => {
    const folder = folderOf({ 'Ann/call-1.vtt': vtt('One.'), 'Bob/call-1.vtt': vtt('Two.') })
    const moved = join(tempDir(), 'elsewhere')
    const store = new CallShelf()
    expect((await importing([folder], store)).report).toMatchObject({ stored: 2, replaced: 0 })
    expect((await importing([`${folder}/`], store)).report).toMatchObject({ stored: 2, replaced: 2 })
    expect((await importing([`${join(folder, '..')}/./calls`], store)).report).toMatchObject({ replaced: 2 })
    renameSync(folder, moved)
    expect((await importing([moved], store)).report).toMatchObject({ stored: 2, replaced: 2 })
    expect(store.ids).toEqual(['Ann/call-1', 'Bob/call-1'])
  })

  it('are composed alike, whatever the file system does to letters', async () => {
    const { store } = await importingFiles({ 'Rene\u0301/Gespra\u0308ch.vtt': vtt('One.') }, { map })
    expect(store.ids).toEqual(['René/Gespräch'])
  })

  it('are a hash and the end of a path that is longer than an id', async () => {
    const deep = `${'a'.repeat(120)}/${'b'.repeat(120)}`
    const { store, report } = await importingFiles(
      { [`${deep}/call-1.vtt`]: vtt('One.'), [`c${deep}/call-1.vtt`]: vtt('Two.') },
      { map: ['agent_name="Ann"', map[1]!] },
    )
    expect(report).toMatchObject({ stored: 2, rejected: 0 })
    for (const id of store.ids) expect(id).toMatch(/^[0-9a-f]{32}-a{0,22}\/?b{120}\/call-1$/)
  })

  it('are a hash of a path with a line feed in it', async () => {
    const { store } = await importingFiles({ 'a\nb/call-1.vtt': vtt('One.') }, { map: ['agent_name="Ann"', map[1]!] })
    expect(store.ids[0]).toMatch(/^[0-9a-f]{32}$/)
  })

  it('are of the content where there is no path', async () => {
    const stream = (content: string) => ({ name: 'body', stream: Readable.from([Buffer.from(content)]) })
    const store = new CallShelf()
    const maps = ['agent_name="Ann"', map[1]!]
    const { report } = await importing([stream(vtt('One.')), stream(vtt('Two.')), stream(vtt('One.'))], store, maps)
    expect(report).toMatchObject({ received: 3, stored: 2, duplicates: 1, rejected: 0 })
    for (const id of store.ids) expect(id).toMatch(/^content-[0-9a-f]{32}$/)
  })

  it('are not needed where the source has one, or the mapping says where', async () => {
    const { store } = await importingFiles({ 'Ann/call-1.json': deepgram('One.', 'r-1') }, { map })
    expect(store.ids).toEqual(['r-1'])
    const mapped = await importingFiles({ 'Ann/call-1.vtt': vtt('One.') }, { map: [...map, 'session_id=@file'] })
    expect(mapped.store.ids).toEqual(['call-1'])
  })

  it('are the paths by which files of a drop folder are named', async () => {
    const folder = folderOf({ 'Ann/call-1.vtt': vtt('One.') })
    const path = join(folder, 'Ann/call-1.vtt')
    const dropped = { name: 'Ann/call-1.vtt', path, size: 100, writtenMs: 0, openFile: (file: string) => open(file) }
    const { store } = await importing([dropped], new CallShelf(), ['agent_name="Ann"', map[1]!])
    expect(store.ids).toEqual(['Ann/call-1'])
  })

  it('reads a file once that is met in a folder and by itself', async () => {
    const folder = folderOf({ 'Ann/call-1.vtt': vtt('One.') })
    const { report, store } = await importing([folder, join(folder, 'Ann'), join(folder, 'Ann/call-1.vtt')])
    expect(report).toMatchObject({ files: 1, received: 1, stored: 1, duplicates: 0 })
    expect(store.ids).toEqual(['Ann/call-1'])
  })
})

describe('different calls of one id', () => {
  it('are both named and neither is taken', async () => {
    const folder = folderOf({
      'Ann/call-1.vtt': vtt('One.'),
      'Bob/call-1.vtt': vtt('Two.'),
      'Bob/2.vtt': vtt('Three.'),
    })
    const [ann, bob] = [join(folder, 'Ann/call-1.vtt'), join(folder, 'Bob/call-1.vtt')]
    const { report, store } = await importing([ann, bob, join(folder, 'Bob/2.vtt')])
    expect(report).toMatchObject({ received: 3, stored: 1, duplicates: 0, rejected: 2 })
    expect(report.errors.map(({ file, path }) => [file, path])).toEqual([
      [ann, 'session_id'],
      [bob, 'session_id'],
    ])
    for (const { message } of report.errors) {
      expect(message).toContain(JSON.stringify(ann))
      expect(message).toContain(JSON.stringify(bob))
    }
    expect(store.ids).toEqual(['2'])
  })

  it('are told too where a mapping takes the id from the file', async () => {
    const { report, store } = await importingFiles(
      { 'Ann/call-1.vtt': vtt('One.'), 'Bob/call-1.vtt': vtt('Two.') },
      { map: [...map, 'session_id=@file'] },
    )
    expect(report).toMatchObject({ stored: 0, rejected: 2 })
    expect(store.ids).toEqual([])
  })

  it('are told of two formats of one name', async () => {
    const { report } = await importingFiles({ 'call-1.srt': srt('One.'), 'call-1.vtt': vtt('One.') }, { map })
    expect(report).toMatchObject({ stored: 0, rejected: 2 })
  })

  it('are one where they are the same, byte for byte', async () => {
    const [one, other] = [folderOf({ 'call-1.vtt': vtt('One.') }), folderOf({ 'call-1.vtt': vtt('One.') })]
    const { report } = await importing([one, other], new CallShelf(), ['agent_name="Ann"', map[1]!])
    expect(report).toMatchObject({ received: 2, stored: 1, duplicates: 1, rejected: 0 })
  })

  it('costs files nothing that only share the name', async () => {
    const { report, store } = await importingFiles(
      { 'call-1.json': deepgram('One.', 'r-1'), 'call-1.vtt': vtt('Two.') },
      { map },
    )
    expect(report).toMatchObject({ stored: 2, rejected: 0 })
    expect(store.ids).toEqual(['r-1', 'call-1'])
  })
})
