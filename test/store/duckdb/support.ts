import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, onTestFinished } from 'vitest'
import type { DuckDbStoreOptions } from '../../../src/store/duckdb/duckdb-store-options.js'
import { beginStore } from '../../support/begun-store.js'
import { openDuckDbStore } from '../../../src/store/duckdb/open-duckdb-store.js'
import type { DuckDbStore } from '../../../src/store/duckdb/duckdb-store.js'
import type { PreparedCall } from '../../../src/store/store.js'

/** A directory that is gone after the test. */
export function tempDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'earshot-store-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

/**
 * A store that is closed after the test; in a directory of its own unless one is given. One thread: two wait busily for each other. What
 * is about work at the same time asks for two.
 */
export async function openStore(options: Partial<DuckDbStoreOptions> = {}): Promise<DuckDbStore> {
  const store = await openIn(options.dataDir ?? tempDir(), options)
  onTestFinished(() => store.close())
  return store
}

async function openIn(dataDir: string, options: Partial<DuckDbStoreOptions>): Promise<DuckDbStore> {
  await beginStore(dataDir)
  return await openDuckDbStore({ memoryLimit: '256MB', threads: 1, ...options, dataDir })
}

/** One store for all tests of a file that only read what is put there first, or write to projects of their own. Opened before them. */
export function openedOnce(
  fill: (store: DuckDbStore) => Promise<unknown> = async () => undefined,
  options: Partial<DuckDbStoreOptions> = {},
): () => DuckDbStore {
  let store: DuckDbStore
  beforeAll(async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'earshot-store-'))
    store = await openIn(dataDir, options)
    await fill(store)
    return async () => {
      await store.close()
      rmSync(dataDir, { recursive: true, force: true })
    }
  })
  return () => store
}

/** A prepared call with the fields that matter to a test. */
export function call(sessionId: string, fields: object = {}): PreparedCall {
  const record = {
    session_id: sessionId,
    agent_id: 'ana',
    agent_name: 'Ana',
    created_dt: '2026-03-01T12:00:00.000Z',
    ...fields,
  }
  return {
    session_id: sessionId,
    agent_id: record.agent_id,
    agent_name: record.agent_name,
    json: JSON.stringify(record),
  }
}

/** The rows of a statement of the test's own, each as an array. */
export async function rows(store: DuckDbStore, sql: string, params: string[] = []): Promise<unknown[]> {
  const decode = (row: readonly unknown[]) => row as never
  const found = await store.query({ sql, params, decode }, { lane: 'light', deadlineMs: 60_000, maxRows: 1_000 })
  return [...found.documents]
}
