import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { ifThere } from '../base/error-code.js'
import { parsedJson } from '../base/parsed-json.js'
import type { FileAuditTrail } from './file-audit-trail.js'
import { TrailReader } from './trail-reader.js'
import type { TrailSource } from './trail-source.js'

const POSITION_FILE = 'audit-stream.json'
const position = z.strictObject({ target: z.string(), seq: z.int().min(0) })

export interface FileSourceParts {
  readonly dataDir: string
  readonly trail: Pick<FileAuditTrail, 'files' | 'end'>
  /** Names the target: what another one got says nothing of this one. */
  readonly name: string
}

/** The trail in files: it is read like by anyone else. */
export class FileSource implements TrailSource {
  readonly #parts: FileSourceParts
  #reader: TrailReader | undefined
  #sure: number | undefined

  constructor(parts: FileSourceParts) {
    this.#parts = parts
  }

  async next(limit: number): Promise<Awaited<ReturnType<TrailSource['next']>>> {
    const { trail } = this.#parts
    this.#sure ??= await this.#kept()
    this.#reader ??= new TrailReader(trail.files, this.#sure)
    return await this.#reader.next(trail.end, limit)
  }

  async keep(seq: number): Promise<void> {
    if (seq <= (this.#sure ?? 0)) return
    const path = join(this.#parts.dataDir, POSITION_FILE)
    // One that is lost by a power failure costs lines that are sent twice.
    await writeFile(`${path}.new`, JSON.stringify({ target: this.#parts.name, seq }), { mode: 0o600 })
    await rename(`${path}.new`, path)
    this.#sure = seq
  }

  restart(): void {
    this.#reader = undefined
  }

  async close(): Promise<void> {
    await Promise.resolve()
  }

  async #kept(): Promise<number> {
    const text = await ifThere(readFile(join(this.#parts.dataDir, POSITION_FILE), 'utf8'))
    const read = position.safeParse(text === undefined ? undefined : parsedJson(text))
    return read.success && read.data.target === this.#parts.name ? read.data.seq : 0
  }
}
