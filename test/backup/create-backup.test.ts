import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ChainKey } from '../../src/activity/chain-key.js'
import { createBackup } from '../../src/backup/create-backup.js'
import { readManifest } from '../../src/backup/manifest.js'
import { runChild } from '../../src/backup/run-child.js'
import type { DuckDbStore } from '../../src/store/duckdb/duckdb-store.js'
import { openDuckDbStore } from '../../src/store/duckdb/open-duckdb-store.js'
import type { PreparedCall } from '../../src/store/store.js'
import { beginStore } from '../support/begun-store.js'
import { spawnEarshot } from '../support/run-earshot.js'
import { tempDir } from '../support/temp-dir.js'
import { isWhole } from '../support/whole.js'

const options = (dataDir: string) => ({ dataDir, memoryLimit: '256MB', threads: 1 })

/** A data directory with a store that holds nothing yet. */
async function begunDirectory(): Promise<string> {
  const dataDir = tempDir()
  await beginStore(dataDir)
  return dataDir
}

const call = (id: string, more: object = {}): PreparedCall => ({
  session_id: id,
  agent_id: 'ana',
  agent_name: 'Ana',
  json: JSON.stringify({
    session_id: id,
    agent_id: 'ana',
    agent_name: 'Ana',
    created_dt: '2026-03-01T00:00:00.000Z',
    ...more,
  }),
})

/** What a second process hears that wants the store: refused after its patience. */
const another = (dataDir: string) => spawnEarshot(['project', 'list', '--data-dir', dataDir])

const running = { signal: new AbortController().signal, onBytes: () => undefined }

test.runIf(isWhole)(
  'the copy is of one instant, while calls are written, and a second process stays locked out, then and after',
  async () => {
    const dataDir = await begunDirectory()
    // So small that each write would fold the log into the file.
    const store = await openDuckDbStore({ ...options(dataDir), checkpointFrom: '1KB' })
    try {
      await store.calls.upsert('p', [call('a'), call('b')])
      const copy = join(tempDir(), 'copy.duckdb')
      let erasing: Promise<boolean> | undefined
      let isErased = false
      await store.hold(async ({ file, record, counts }) => {
        expect(file.name).toBe('earshot.duckdb')
        expect(JSON.parse(record.text.split('\n')[0]!)).toMatchObject({ writes: 1 })
        expect(counts).toMatchObject({ calls: 2 })
        const many = Array.from({ length: 5_000 }, (_, i) => call(`new-${i}`))
        expect(await store.calls.upsert('p', [call('a'), ...many])).toMatchObject({ stored: 5_001, replaced: 1 })
        expect(await store.calls.upsert('p', [call('c')])).toMatchObject({ stored: 1 })
        erasing = store.calls.erase('p', 'b').finally(() => (isErased = true))
        expect(await store.calls.agentIds('p')).toEqual(new Map([['ana', 'Ana']]))
        const order = { copies: [{ from: join(dataDir, file.name), to: copy, limit: file.bytes }], count: copy }
        expect((await runChild(order, running)).counts).toEqual(counts)
        expect((await another(dataDir)).stderr).toContain('in use')
        // Gone at once, but still in the log.
        await expect.poll(() => store.calls.preview('p', [call('b')])).toMatchObject({ erased: ['b'] })
        expect(isErased).toBe(false)
      })
      expect(await erasing).toBe(true)
      expect((await another(dataDir)).stderr).toContain('in use')
    } finally {
      await store.close()
    }
    const again = await openDuckDbStore(options(dataDir))
    const found = await again.calls.preview('p', [call('a'), call('b'), call('c'), call('new-4999')])
    expect(found.erased).toEqual(['b'])
    expect(found.replaced.toSorted()).toEqual(['a', 'c', 'new-4999'])
    await again.close()
  },
)

test('a failed copy is no fault of the store: it goes on', async () => {
  const dataDir = await begunDirectory()
  const store = await openDuckDbStore(options(dataDir))
  try {
    const failing = store.hold(() =>
      Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC', syscall: 'write' })),
    )
    await expect(failing).rejects.toThrow('full')
    expect(store.notReady()).toBeUndefined()
    expect(await store.calls.upsert('p', [call('a')])).toMatchObject({ stored: 1 })
  } finally {
    await store.close()
  }
})

/** Parts of a service whose audit trail is empty. */
function partsOf(dataDir: string, store: DuckDbStore): Parameters<typeof createBackup>[0] {
  const files = { segments: () => Promise.resolve([]) }
  const trail = {
    files,
    end: { segment: '', bytes: 0 },
    headText: '{}\n',
    signer: new ChainKey('x'),
  } as unknown as Parameters<typeof createBackup>[0]['trail']
  return { dataDir, store, embedded: store, trail, version: '0' }
}

const given = { maxCopyMs: 60_000, signal: new AbortController().signal, onProgress: () => undefined }

test('a backup is of the instant that it says: what was taken since is not in it', async () => {
  const dataDir = await begunDirectory()
  const store = await openDuckDbStore(options(dataDir))
  try {
    await store.calls.upsert('p', [call('a')])
    const before = Date.now()
    let held = 0
    const embedded: DuckDbStore = Object.assign(Object.create(store) as DuckDbStore, {
      hold: <T>(work: Parameters<typeof store.hold<T>>[0]) =>
        store.hold<T>(async one => {
          held = Date.now()
          await store.calls.upsert('p', [call('b')])
          return await work(one)
        }),
    })
    const directory = join(tempDir(), 'b')
    const { created_at: at, calls } = await createBackup(
      { ...partsOf(dataDir, store), embedded },
      { ...given, directory },
    )
    expect(calls).toBe(1)
    expect(Date.parse(at)).toBeGreaterThanOrEqual(before)
    expect(Date.parse(at)).toBeLessThanOrEqual(held)
    expect(await readManifest(directory)).toMatchObject({ created_at: at })
  } finally {
    await store.close()
  }
})

test('of a store whose file is damaged where nobody looked no backup is made', async () => {
  const dataDir = await begunDirectory()
  const first = await openDuckDbStore(options(dataDir))
  // Texts of which none is like another, so that they fill blocks of their own.
  const many = Array.from({ length: 2_000 }, (_, i) =>
    call(`c${i}`, { coaching_summary: randomBytes(600).toString('base64') }),
  )
  await first.calls.upsert('p', many)
  await first.close()
  const path = join(dataDir, 'earshot.duckdb')
  const bytes = readFileSync(path)
  bytes.write('not what was written', Math.floor(bytes.length / 2))
  writeFileSync(path, bytes)
  const store = await openDuckDbStore(options(dataDir))
  try {
    const directory = join(tempDir(), 'b')
    const making = createBackup(partsOf(dataDir, store), { ...given, directory })
    await expect(making).rejects.toThrow("The store's file is damaged")
    expect(() => readFileSync(directory)).toThrow('ENOENT')
  } finally {
    await store.close()
  }
})

test('a backup that takes too long, or that nobody waits for, is given up and leaves nothing', async () => {
  const dataDir = await begunDirectory()
  const store = await openDuckDbStore(options(dataDir))
  const parts = partsOf(dataDir, store)
  try {
    await store.calls.upsert('p', [call('a')])
    const directory = join(tempDir(), 'b')
    await expect(createBackup(parts, { ...given, directory, maxCopyMs: 1 })).rejects.toThrow('given up')
    expect(() => readFileSync(directory)).toThrow('ENOENT')
    mkdirSync(directory)
    const left = { ...given, directory, signal: AbortSignal.abort(new Error('left')) }
    await expect(createBackup(parts, left)).rejects.toThrow('left')
    expect(await createBackup(parts, { ...given, directory })).toMatchObject({ calls: 1 })
  } finally {
    await store.close()
  }
})
