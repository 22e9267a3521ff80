import type { DuckDBInstance } from '@duckdb/node-api'
import { readdirSync, readlinkSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { collectGarbage } from '../writing/collect-garbage.js'

/** How often to look whether the engine has closed its file, and the milliseconds between. */
const MOST_LOOKS = 20
const BETWEEN_MS = 50

/**
 * Closes an engine and waits until it has closed its file. An unread result may keep an engine alive until JavaScript
 * collects it; opened a second time meanwhile, the file would lose its lock when the first one goes. Where the system
 * does not list open files (it is not Linux), the engine is taken at its word.
 * @throws Error when the file stays open
 */
export async function closeEngine(instance: DuckDBInstance, file: string): Promise<void> {
  instance.closeSync()
  for (let look = 0; isOpen(file); look += 1) {
    if (look === MOST_LOOKS) throw new Error(`The engine does not close ${file}`)
    collectGarbage()
    // oxlint-disable-next-line no-await-in-loop -- a look at a time
    await sleep(BETWEEN_MS)
  }
}

function isOpen(file: string): boolean {
  return descriptors().some(descriptor => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`) === file
    } catch {
      // Closed since it was listed.
      return false
    }
  })
}

function descriptors(): readonly string[] {
  try {
    return readdirSync('/proc/self/fd')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
