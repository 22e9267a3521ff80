import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDuckDbStore } from '../../src/store/duckdb/open-duckdb-store.js'

let begun: Promise<string> | undefined

async function begin(): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'earshot-begun-'))
  process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }))
  const store = await openDuckDbStore({ dataDir, memoryLimit: '256MB', threads: 1 })
  await store.close()
  return dataDir
}

/**
 * Puts a store that has its tables and nothing else into a directory that has none: hundreds of tests want one, and making the tables
 * takes three times as long as opening them. How a store is begun is tried where that is the test.
 */
export async function beginStore(dataDir: string): Promise<void> {
  if (existsSync(join(dataDir, 'earshot.duckdb'))) return
  cpSync(await (begun ??= begin()), dataDir, { recursive: true })
}
