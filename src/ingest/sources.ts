import { createReadStream, readFileSync, type Stats } from 'node:fs'
import { type FileHandle, lstat, open, readdir, stat } from 'node:fs/promises'
import { basename, join, relative, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { Problem } from '../base/problem.js'
import { echo } from '../base/text.js'
import { type PlaceIds, placeIds } from './place-id.js'

/** Bytes read from a file at a time. */
const READ_BYTES = 256 * 1024
/**
 * Files of up to this many bytes are read at once, in this thread: opening a stream for each of 100,000 transcripts, with a buffer of
 * its own, takes several times as long as reading them.
 */
const SMALL_FILE_BYTES = 64 * 1024
/** Files that are looked at together. */
const LOOKED_AT = 256

/** Opens a file for reading. */
export type OpenFile = (path: string) => Promise<FileHandle>

/** A file that only its guard opens, and the files that belong to it too. Its name is its path below the folder it was found in. */
export interface GuardedInput {
  readonly name: string
  readonly path: string
  readonly size: number
  /** When it was last written, milliseconds since 1970. */
  readonly writtenMs: number
  readonly openFile: OpenFile
}

/** A stream under a name. */
export interface StreamInput {
  readonly name: string
  readonly stream: Readable
  /** What the one call in it is called when nothing in it says so; its content names it when absent. */
  readonly ids?: PlaceIds | undefined
}

/** What lies elsewhere than in a file, and is opened when it is its turn, and again where that is needed. */
export interface RemoteInput {
  /** Its path below what was imported. */
  readonly name: string
  readonly size: number
  /** When it was last written, milliseconds since 1970. */
  readonly writtenMs: number
  /** Whether being of no known format is no fault. */
  readonly walked?: boolean
  readonly open: () => Readable
}

/** What to import: a file, a folder, `-` for standard input, a stream, a guarded file, or what lies elsewhere. */
export type ImportInput = string | StreamInput | GuardedInput | RemoteInput

/** One thing to read, not yet opened. */
export interface Source {
  readonly name: string
  readonly path: string | undefined
  /** Bytes as stored; unknown for streams. */
  readonly size: number | undefined
  /** When it was last written, milliseconds since 1970; unknown for streams. */
  readonly writtenMs: number | undefined
  /** Found by walking a folder, so that being of no known format is no fault. */
  readonly walked: boolean
  /** What the one call in it is called when nothing in it says so; undefined where its content names it. */
  readonly ids: PlaceIds | undefined
  open(): Readable
  /** How other files that belong to it are opened. */
  readonly openFile: OpenFile
}

const openAny: OpenFile = path => open(path)

function fileSource(
  path: string,
  { size, mtimeMs: writtenMs }: Pick<Stats, 'size' | 'mtimeMs'>,
  below: string | undefined,
): Source {
  const read = () =>
    size <= SMALL_FILE_BYTES ? Readable.from(smallFile(path)) : createReadStream(path, { highWaterMark: READ_BYTES })
  const ids = placeIds(below ?? basename(path))
  return { name: path, path, size, writtenMs, walked: below !== undefined, ids, open: read, openFile: openAny }
}

function* smallFile(path: string): Generator<Buffer> {
  const bytes = readFileSync(path)
  if (bytes.length > 0) yield bytes
}

/** What is there and can't be looked at, such as a folder of somebody else's: reading it says why, and ends nothing else. */
function unreadableSource(path: string, error: unknown): Source {
  const open = () =>
    new Readable({
      read() {
        this.destroy(error as Error)
      },
    })
  return { name: path, path, size: 0, writtenMs: undefined, walked: true, ids: undefined, open, openFile: openAny }
}

/** Bytes under a name, which may be read as often as it takes. */
export function bytesSource(name: string, bytes: Buffer): Source {
  return {
    name,
    path: undefined,
    size: bytes.length,
    writtenMs: undefined,
    walked: false,
    ids: placeIds(name),
    open: () => Readable.from(bytes.length === 0 ? [] : [bytes]),
    openFile: openAny,
  }
}

function guardedSource(input: GuardedInput): Source {
  const { path, openFile } = input
  async function* read(): AsyncGenerator<Buffer> {
    const file = await openFile(path)
    yield* file.createReadStream({ highWaterMark: READ_BYTES }) as AsyncIterable<Buffer>
  }
  return {
    ...input,
    walked: false,
    ids: placeIds(input.name),
    open: () => Readable.from(read(), { objectMode: false }),
  }
}

/** The files of a folder and those below it, sorted by name; hidden ones and links are left out. */
async function* walk(folder: string, root: string): AsyncGenerator<Source> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    return unreadableSource(folder, error)
  })
  if ('open' in entries) {
    yield entries
    return
  }
  const shown = entries.filter(({ name }) => !name.startsWith('.')).toSorted((a, b) => (a.name < b.name ? -1 : 1))
  for (let from = 0; from < shown.length; from += LOOKED_AT) {
    const looked = shown.slice(from, from + LOOKED_AT).map(async entry => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return path
      if (!entry.isFile()) return undefined
      const found = await lstat(path).catch((error: unknown) => unreadableSource(path, error))
      return 'open' in found ? found : fileSource(path, found, relative(root, path))
    })
    for (const found of await Promise.all(looked)) {
      if (typeof found === 'string') yield* walk(found, root)
      else if (found !== undefined) yield found
    }
  }
}

/**
 * Everything there is to read, in order: what was named first comes first. A file that is met twice, in a folder and by
 * itself, is read where it is met first: it would be two calls under two ids.
 *
 * @throws Problem `not_found` for a path that does not exist, before anything is read
 */
export async function findSources(inputs: readonly ImportInput[]): Promise<readonly Source[]> {
  const sources: Source[] = []
  const met = new Set<string>()
  const add = (source: Source, path: string): void => {
    const place = resolve(path)
    if (!met.has(place)) sources.push(source)
    met.add(place)
  }
  for (const input of inputs) {
    if (typeof input !== 'string' && 'openFile' in input) {
      sources.push(guardedSource(input))
    } else if (typeof input !== 'string' && 'open' in input) {
      sources.push({ walked: false, ...input, path: undefined, ids: placeIds(input.name), openFile: openAny })
    } else if (typeof input !== 'string') {
      const { name, stream, ids } = input
      // Without a path no format looks for another file beside it.
      sources.push({
        name,
        path: undefined,
        size: undefined,
        writtenMs: undefined,
        walked: false,
        ids,
        open: () => stream,
        openFile: openAny,
      })
    } else if (input === '-') {
      const open = () => process.stdin
      const unplaced = {
        path: undefined,
        size: undefined,
        writtenMs: undefined,
        walked: false,
        ids: undefined,
        openFile: openAny,
      }
      sources.push({ name: 'standard input', ...unplaced, open })
    } else {
      const found = await statOf(input)
      if (found.isDirectory()) for await (const source of walk(input, input)) add(source, source.name)
      else add(fileSource(input, found, undefined), input)
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
