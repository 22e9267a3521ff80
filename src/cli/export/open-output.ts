import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream, existsSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { Writable, pipeline } from 'node:stream'
import { finished } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { Problem } from '../../base/problem.js'

/** Where an export goes. */
interface Output {
  readonly stream: Writable
  /** Gives what was written its name; durable when it resolves. */
  finish(): Promise<void>
  /** Removes what was written, unless it is finished. */
  discard(): Promise<void>
}

/**
 * A file of its owner's only that gets its name when it is whole, compressed when that ends in .gz; standard output
 * without a name. @throws Problem `conflict` when the file is there, `not_found` when it can't be made
 */
export async function openOutput(file: string | undefined, replace: boolean): Promise<Output> {
  if (file === undefined) {
    return { stream: standardOutput(), finish: () => Promise.resolve(), discard: () => Promise.resolve() }
  }
  if (!replace && existsSync(file)) {
    throw new Problem('conflict', `The file ${file} is there already; --force replaces it`)
  }
  const draft = `${file}.${randomBytes(6).toString('hex')}.part`
  const sink = createWriteStream(draft, { mode: 0o600, flags: 'wx' })
  try {
    await once(sink, 'open')
  } catch (error) {
    const problem = new Problem('not_found', `The file ${file} can't be written`)
    problem.cause = error
    throw problem
  }
  const stream = file.endsWith('.gz') ? gzipped(sink) : sink
  let isWhole = false
  return {
    stream,
    finish: async () => {
      await finished(sink)
      await sync(draft)
      await rename(draft, file)
      isWhole = true
    },
    discard: async () => {
      if (isWhole) return
      sink.destroy()
      await rm(draft, { force: true })
    },
  }
}

function gzipped(sink: Writable): Writable {
  const gzip = createGzip()
  // A failure of the file is one of whoever writes.
  pipeline(gzip, sink, error => {
    if (error instanceof Error) gzip.destroy(error)
  })
  return gzip
}

/** Standard output stays open when the export ends. */
function standardOutput(): Writable {
  return new Writable({ write: (chunk: Buffer, _encoding, done) => void process.stdout.write(chunk, done) })
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
