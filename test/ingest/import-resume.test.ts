import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { importCalls } from '../../src/ingest/import-calls.js'
import type { BeginsAnew, GoesOn, ImportMark } from '../../src/ingest/import-mark.js'
import { CallShelf } from '../support/call-shelf.js'
import { tempDir } from '../support/temp-dir.js'
import { isTried } from '../support/whole.js'

const line = (id: string) => `${JSON.stringify({ session_id: id, agent_name: 'Ana', created_dt: '2026-03-10' })}\n`
/** Two batches of calls and a bit, in as many parts. */
const many = (name: string) => Array.from({ length: 5_000 }, (_, n) => line(`${name}-${n}`)).join('')

function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = join(tempDir(), 'in')
  mkdirSync(folder)
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(folder, name), text)
    utimesSync(join(folder, name), 1_700_000_000, 1_700_000_000)
  }
  return folder
}

function copyOf(store: CallShelf): CallShelf {
  const copy = new CallShelf()
  for (const [id, call] of store.prepared) copy.prepared.set(id, call)
  return copy
}

/** Imports a folder until so many batches are written, and on from a mark. */
async function run(
  folder: string,
  {
    from,
    batches = Infinity,
    store = new CallShelf(),
  }: { from?: ImportMark | undefined; batches?: number; store?: CallShelf } = {},
) {
  const marks: ImportMark[] = []
  const heard: (GoesOn | BeginsAnew)[] = []
  const had = store.batches.length
  const abort = new AbortController()
  const upsert = store.upsert.bind(store)
  const limited = Object.assign(Object.create(store) as CallShelf, {
    upsert: async (...given: Parameters<typeof upsert>) => {
      if (store.batches.length - had === batches) {
        abort.abort(new Error('killed'))
        throw new Error('killed')
      }
      return await upsert(...given)
    },
  })
  const ended = importCalls({
    inputs: [folder],
    projectId: 'p',
    store: limited,
    workers: 0,
    redact: false,
    evaluate: undefined,
    signal: abort.signal,
    resume: { from, keep: mark => void marks.push(mark), onBegin: place => void heard.push(place) },
  })
  const report = batches === Infinity ? await ended : await ended.catch(() => undefined)
  return {
    report,
    marks,
    heard,
    store,
    mark: marks.at(-1),
    written: store.batches
      .slice(had)
      .flat()
      .map(({ session_id: id }) => id),
  }
}

const files = {
  'a.ndjson': many('a'),
  'b.ndjson': line('b').concat('nonsense\n'),
  'c.ndjson': many('c'),
  'd.ndjson': line('d'),
}

describe('an import that was interrupted', () => {
  it.each([1, 2, 3, 4].filter(n => isTried(n, 0, 2)))(
    'goes on where it was, after %d batches, and loses nothing',
    async batches => {
      const folder = folderOf(files)
      const first = await run(folder, { batches })
      const { mark, store } = first
      const second = await run(folder, { from: mark, store })
      expect(store.ids).toHaveLength(10_002)
      // What was noted as done is not written again: at most what a batch holds behind the last part that was done.
      const twice = second.written.filter(id => first.written.includes(id))
      expect(twice.length).toBeLessThanOrEqual(2_048)
      expect(second.written.length).toBe(10_002 - first.written.length + twice.length)
      const [file, number, line] =
        [
          ['a', 1, 2_049],
          ['a', 1, 4_097],
          ['c', 3, 1],
          ['c', 3, 2_049],
        ][batches - 1] ?? []
      const at = { file: join(folder, `${file}.ndjson`), number, files: 4, line, stored: mark?.stored }
      expect(second.heard).toEqual([{ ...at, rejected: batches < 3 ? 0 : 1 }])
      expect(mark?.stored).toBeGreaterThan(0)
    },
  )

  it.each<[string, (folder: string) => void]>([
    ['has grown', folder => writeFileSync(join(folder, 'a.ndjson'), many('a') + line('new'))],
    ['is another', folder => utimesSync(join(folder, 'b.ndjson'), 1, 1)],
    ['lies before', folder => writeFileSync(join(folder, '0.ndjson'), line('zero'))],
    ['is gone', folder => rmSync(join(folder, 'a.ndjson'))],
  ])('begins anew where a file that was done %s', async (_, change) => {
    const folder = folderOf(files)
    const { mark, store } = await run(folder, { batches: 4 })
    expect(mark?.files).toBe(2)
    change(folder)
    const { heard, report, written } = await run(folder, { from: mark, store })
    expect(heard).toEqual(['other files'])
    expect(report?.stored).toBe(new Set(written).size)
    expect(store.ids).toContain('d')
  })

  it('begins anew in a store that was put back to an earlier state since, and leaves no call out', async () => {
    const folder = folderOf(files)
    const { mark: before, store: earlier } = await run(folder, { batches: 1 })
    const { mark } = await run(folder, { from: before, store: copyOf(earlier), batches: 1 })
    expect(mark?.last).not.toBe(before?.last)
    const { heard } = await run(folder, { from: mark, store: earlier })
    expect(heard).toEqual(['other store'])
    expect(earlier.ids).toHaveLength(10_002)
  })

  it('goes on where the call that was stored last was erased since', async () => {
    const folder = folderOf(files)
    const { mark, store } = await run(folder, { batches: 4 })
    const last = mark?.last ?? ''
    store.prepared.delete(last)
    store.erased.add(last)
    expect((await run(folder, { from: mark, store })).heard).toMatchObject([{ number: 3 }])
  })

  it('goes on where files came behind it', async () => {
    const folder = folderOf(files)
    const { mark, store } = await run(folder, { batches: 4 })
    writeFileSync(join(folder, 'e.ndjson'), line('e'))
    expect((await run(folder, { from: mark, store })).heard).toMatchObject([{ number: 3, files: 5 }])
    expect(store.ids).toHaveLength(10_003)
  })

  it('has nothing to go on with when it is whole', async () => {
    const { marks, heard } = await run(folderOf(files))
    expect([marks.at(-1)?.files, heard]).toEqual([4, []])
  })
})
