import { type FileHandle, open, readFile } from 'node:fs/promises'
import { z } from 'zod'
import { type ChainKey, sameMac } from './chain-key.js'
import type { TrailFiles } from './trail-files.js'

/** The file of the head, beside the segments. */
export const HEAD_FILE = 'head.json'

/** One sector: it is written in one piece or not at all. */
const HEAD_BYTES = 512

const mac = z.string().regex(/^[0-9a-f]{32}$/)
const segment = z.string().regex(/^\d{16}\.jsonl$/)

/** How far the chain of the trail goes. */
const trailHead = z.strictObject({
  version: z.literal(1),
  /** Number of the first line that has a seal: those before it were written before there was a chain. */
  chained_from: z.int().min(1),
  /** The oldest segment that has to be there: those before it were removed when their time was over. */
  begins: segment,
  /** The segment that is being written, and the seal that its first line follows. */
  segment,
  previous: mac,
  /** The last line that was acknowledged, and its seal. */
  seq: z.int().min(0),
  mac,
  /** There was no head, or a false one, when the trail was opened: nothing is known of what ended before this number. */
  lost_before: z.int().min(1).exactOptional(),
})
export type TrailHead = Readonly<z.output<typeof trailHead>>

const SEAL = /^(.*),"seal":"([0-9a-f]{32})"\}\s*$/

export function headText(head: TrailHead, key: ChainKey): string {
  const text = JSON.stringify(head).slice(0, -1)
  return `${`${text},"seal":"${key.mac('head', text)}"}`.padEnd(HEAD_BYTES - 1)}\n`
}

/** The head as it stands: `missing`, or `false` when it is not what was written. */
export async function readHead(files: TrailFiles, key: ChainKey): Promise<TrailHead | 'missing' | 'false'> {
  let text: string
  try {
    text = await readFile(files.path(HEAD_FILE), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'missing'
    throw error
  }
  const [, sealed = '', seal = ''] = SEAL.exec(text) ?? []
  if (!sameMac(key.mac('head', sealed), seal)) return 'false'
  const head = trailHead.safeParse(JSON.parse(`${sealed}}`))
  return head.success ? head.data : 'false'
}

/**
 * The head, kept beside the segments: without it lines cut from the end of the trail would not be missed. It is written
 * after the lines are durable and before they are acknowledged, and not synced: a process that is killed leaves it as it
 * was written, and a power failure leaves at worst an older one, which says less, and never more than the lines do.
 */
export class HeadFile {
  readonly #handle: FileHandle
  readonly #key: ChainKey

  private constructor(handle: FileHandle, key: ChainKey) {
    this.#handle = handle
    this.#key = key
  }

  static async open(files: TrailFiles, key: ChainKey): Promise<HeadFile> {
    const path = files.path(HEAD_FILE)
    const handle = await open(path, 'r+').catch(() => open(path, 'wx+', 0o600))
    return new HeadFile(handle, key)
  }

  async write(head: TrailHead): Promise<void> {
    await this.#handle.write(headText(head, this.#key), 0)
  }

  /** Whether its name still leads to it. */
  async isLinked(): Promise<boolean> {
    return (await this.#handle.stat()).nlink > 0
  }

  async close(): Promise<void> {
    await this.#handle.datasync().catch(() => undefined)
    await this.#handle.close()
  }
}
