import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { parsedJson } from '../../base/parsed-json.js'
import type { Config } from '../../config.js'
import { type ImportMark, importMark } from '../../ingest/import-mark.js'

/** In the data directory. */
const FOLDER = 'imports'
/** A mark is written no more often, and once more at the end. */
const LEAST_PAUSE_MS = 500

const kept = z.object({ at: z.iso.datetime(), mark: importMark })

/** What is imported, and how: only the same goes on where another was interrupted. */
interface ImportName {
  readonly files: readonly string[]
  readonly [more: string]: unknown
}

/** Where an import was when it was interrupted, in a file that is gone when it is done. */
export class KeptMark {
  readonly #path: string
  #latest: ImportMark | undefined
  #written = 0

  constructor({ dataDir, storeUrl }: Pick<Config, 'dataDir' | 'storeUrl'>, { files, ...more }: ImportName) {
    const name = JSON.stringify([files.map(file => resolve(file)), placeOf(storeUrl), more])
    this.#path = join(dataDir, FOLDER, `${createHash('sha256').update(name).digest('hex').slice(0, 32)}.json`)
  }

  /** What was kept, and when; undefined where there is nothing, or nothing that can be read. */
  read(): z.output<typeof kept> | undefined {
    try {
      return kept.safeParse(parsedJson(readFileSync(this.#path, 'utf8'))).data
    } catch {
      return undefined
    }
  }

  keep(mark: ImportMark): void {
    this.#latest = mark
    if (performance.now() - this.#written > LEAST_PAUSE_MS) this.flush()
  }

  /** Writes the latest mark. That it can't be written costs a later import its place, and this one nothing. */
  flush(): boolean {
    if (this.#latest === undefined) return false
    try {
      mkdirSync(join(this.#path, '..'), { recursive: true, mode: 0o700 })
      writeFileSync(`${this.#path}.tmp`, JSON.stringify({ at: new Date().toISOString(), mark: this.#latest }), {
        mode: 0o600,
      })
      renameSync(`${this.#path}.tmp`, this.#path)
      this.#written = performance.now()
      return true
    } catch {
      return false
    }
  }

  /** The import is done: there is nothing to go on with, whatever fails after it. */
  remove(): void {
    this.#latest = undefined
    rmSync(this.#path, { force: true })
  }
}

/** Which store it is, whoever it is opened as: a copy of it has the project too, and not what was stored since. */
function placeOf(storeUrl: string): string {
  return storeUrl.replace(/\?.*$/, '').replace(/(?<=\/\/)[^/]*@/, '')
}
