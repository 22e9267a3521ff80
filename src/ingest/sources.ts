import { createReadStream } from 'node:fs'
import { lstat, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { Problem } from '../base/problem.js'
import { echo } from '../base/text.js'

/** Bytes read from a file at a time. */
const READ_BYTES = 256 * 1024

/** What to import: a file, a folder, `-` for standard input, or a stream under a name. */
export type ImportInput = string | { readonly name: string; readonly stream: Readable }

/** One thing to read, not yet opened. */
export interface Source {
  readonly name: string
  readonly path: string | undefined
  /** Bytes as stored; unknown for streams. */
  readonly size: number | undefined
  /** Found by walking a folder, so that being of no known format is no fault. */
  readonly walked: boolean
  open(): Readable
}

function fileSource(path: string, size: number, walked: boolean): Source {
  return { name: path, path, size, walked, open: () => createReadStream(path, { highWaterMark: READ_BYTES }) }
}

/** The files of a folder and those below it, sorted by name; hidden ones and links are left out. */
async function* walk(folder: string): AsyncGenerator<Source> {
  const entries = await readdir(folder, { withFileTypes: true })
  entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  for (const entry of entries) {
    if (entry.name.startsWith('.')) continue
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* walk(path)
    else if (entry.isFile()) yield fileSource(path, (await lstat(path)).size, true)
  }
}

/**
 * Everything there is to read, in order: what was named first comes first.
 *
 * @throws Problem `not_found` for a path that does not exist, before anything is read
 */
export async function findSources(inputs: readonly ImportInput[]): Promise<readonly Source[]> {
  const sources: Source[] = []
  for (const input of inputs) {
    if (typeof input !== 'string') {
      const { name, stream } = input
      sources.push({ name, path: undefined, size: undefined, walked: false, open: () => stream })
    } else if (input === '-') {
      const open = () => process.stdin
      sources.push({ name: 'standard input', path: undefined, size: undefined, walked: false, open })
    } else {
      const found = await statOf(input)
      if (found.isDirectory()) for await (const source of walk(input)) sources.push(source)
      else sources.push(fileSource(input, found.size, false))
    }
  }
  return sources
}

async function statOf(path: string) {
  try {
    return await stat(path)
  } catch {
    throw new Problem('not_found', `There is no file or folder ${echo(path)}, or it can't be looked at`)
  }
}
