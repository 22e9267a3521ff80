import { existsSync } from 'node:fs'
import { readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeDirectory } from '../../base/make-directory.js'
import { z } from 'zod'
import { Problem } from '../../base/problem.js'

const FILE = 'demo.json'
const SEED = 1

const demoMarker = z.strictObject({
  /** `filling` until the last sample call is stored: a start that was cut short fills again. */
  state: z.enum(['filling', 'filled']),
  calls: z.int().min(1),
  seed: z.int(),
  /** The instant the sample calls end at. */
  end: z.iso.datetime(),
})

/** What a demo's data directory says about itself: that it is one, and how it was filled. */
export type DemoMarker = z.output<typeof demoMarker>

/**
 * The marker of a data directory; a new directory gets one that says it is to be filled with `calls` calls.
 *
 * @throws Problem `conflict` when the directory holds something else: the demo fills it, revokes keys and replaces the
 *   secret of admin tokens, which nobody wants for data of their own
 */
export async function claimDemoDirectory(dataDir: string, calls: number): Promise<DemoMarker> {
  const path = join(dataDir, FILE)
  if (existsSync(path)) return demoMarker.parse(JSON.parse(await readFile(path, 'utf8')))
  const entries = existsSync(dataDir) ? await readdir(dataDir) : []
  if (entries.length > 0) {
    throw new Problem('conflict', `The directory ${dataDir} holds something that is not the demo's. Name another one.`)
  }
  const marker: DemoMarker = { state: 'filling', calls, seed: SEED, end: startOfToday() }
  await writeDemoMarker(dataDir, marker)
  return marker
}

/** Midnight UTC: the sample ends with the last whole day, so that a start at any hour of a day fills the same. */
function startOfToday(): string {
  return new Date(new Date().setUTCHours(0, 0, 0, 0)).toISOString()
}

/** Writes the marker whole or not at all. */
export async function writeDemoMarker(dataDir: string, marker: DemoMarker): Promise<void> {
  await makeDirectory(dataDir)
  const path = join(dataDir, FILE)
  await writeFile(`${path}.new`, `${JSON.stringify(marker)}\n`, { mode: 0o600 })
  await rename(`${path}.new`, path)
}
