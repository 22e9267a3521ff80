import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ChainKey } from '../../src/activity/chain-key.js'
import { createBackup } from '../../src/backup/create-backup.js'
import { runChild } from '../../src/backup/run-child.js'
import { openDuckDbStore } from '../../src/store/duckdb/open-duckdb-store.js'
import type { PreparedCall } from '../../src/store/store.js'
import { spawnEarshot } from '../support/run-earshot.js'
import { tempDir } from '../support/temp-dir.js'

const options = (dataDir: string) => ({ dataDir, memoryLimit: '256MB', threads: 1 })

const call = (id: string): PreparedCall => ({
  session_id: id,
  agent_id: 'ana',
  agent_name: 'Ana',
  json: JSON.stringify({ session_id: id, agent_id: 'ana', agent_name: 'Ana', created_dt: '2026-03-01T00:00:00.000Z' }),
})

/** What a second process hears that wants the store: refused after its patience. */
const another = (dataDir: string) => spawnEarshot(['project', 'list', '--data-dir', dataDir])

const running = { signal: new AbortController().signal, onBytes: () => undefined }

test('while the store is copied writing waits, reading does not, and a second process stays locked out, then and after', async () => {
  const dataDir = tempDir()
  const store = await openDuckDbStore(options(dataDir))
  try {
    await store.calls.upsert('p', [call('a')])
    let isWritten = false
    let writing: Promise<unknown> | undefined
    const copy = join(tempDir(), 'copy.duckdb')
    await store.hold(async ({ files, counts }) => {
      writing = store.calls.upsert('p', [call('b')]).then(() => (isWritten = true))
      expect(files[0]).toBe('earshot.duckdb')
      expect(counts).toMatchObject({ calls: 1 })
      const order = { copies: [{ from: join(dataDir, files[0]!), to: copy }], count: copy }
      expect((await runChild(order, running)).counts).toEqual(counts)
      expect(await store.calls.agentIds('p')).toEqual(new Map([['ana', 'Ana']]))
      expect((await another(dataDir)).stderr).toContain('in use')
      await sleep(50)
      expect(isWritten).toBe(false)
    })
    await writing
    expect((await another(dataDir)).stderr).toContain('in use')
  } finally {
    await store.close()
  }
})

test('a failed copy is no fault of the store: it goes on', async () => {
  const dataDir = tempDir()
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

test('a backup that takes too long, or that nobody waits for, is given up and leaves nothing', async () => {
  const dataDir = tempDir()
  const store = await openDuckDbStore(options(dataDir))
  const files = { segments: () => Promise.resolve([]) }
  const trail = {
    files,
    end: { segment: '', bytes: 0 },
    headText: '{}\n',
    signer: new ChainKey('x'),
  } as unknown as Parameters<typeof createBackup>[0]['trail']
  const parts = { dataDir, store, trail, version: '0' }
  const given = { maxPauseMs: 60_000, signal: new AbortController().signal, onProgress: () => undefined }
  try {
    await store.calls.upsert('p', [call('a')])
    const directory = join(tempDir(), 'b')
    await expect(createBackup(parts, { ...given, directory, maxPauseMs: 1 })).rejects.toThrow('given up')
    expect(() => readFileSync(directory)).toThrow('ENOENT')
    mkdirSync(directory)
    const left = { ...given, directory, signal: AbortSignal.abort(new Error('left')) }
    await expect(createBackup(parts, left)).rejects.toThrow('left')
    expect(await createBackup(parts, { ...given, directory })).toMatchObject({ calls: 1 })
  } finally {
    await store.close()
  }
})
