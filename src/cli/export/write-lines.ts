import { Transform, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Problem } from '../../base/problem.js'
import type { Lines } from '../../control/door.js'
import { startProgress } from '../progress.js'

const NEWLINE = 0x0a

/** What was written. */
interface Written {
  readonly calls: number
  /** Bytes of the lines, before they are compressed. */
  readonly bytes: number
}

/** Writes lines as fast as the output takes them. @throws Problem when they break off, or somebody stops it */
export async function writeLines({ total, stream }: Lines, output: Writable, signal: AbortSignal): Promise<Written> {
  const bar = startProgress('Exporting', 'calls', total)
  let calls = 0
  let bytes = 0
  const count = new Transform({
    writableObjectMode: true,
    transform: (piece: string | Buffer, _encoding, done) => {
      const chunk = typeof piece === 'string' ? Buffer.from(piece) : piece
      bytes += chunk.length
      for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) calls += 1
      bar.update(calls)
      done(null, chunk)
    },
  })
  try {
    await pipeline(stream, count, output, { signal })
    return { calls, bytes }
  } catch (error) {
    throw endOf(error, signal, calls)
  } finally {
    bar.stop()
  }
}

function endOf(error: unknown, signal: AbortSignal, calls: number): unknown {
  if (signal.aborted) return new Problem('cancelled', 'The export was interrupted; nothing was kept of it')
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOSPC') return new Problem('store_unavailable', 'The disk is full; nothing was kept of the export')
  if (code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE') {
    const problem = new Problem('store_unavailable', `The export broke off after ${calls} calls; the log says why`)
    problem.cause = error
    return problem
  }
  return error
}
