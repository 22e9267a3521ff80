import { exportProject } from '../../operations/export-calls.js'
import { errorCode } from '../../base/error-code.js'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Problem } from '../../base/problem.js'
import type { Client, InputOf } from '../../control/client.js'
import { startProgress } from '../progress.js'
import { type ProjectEntry, entryLine } from './project-entry.js'
import type { UnreadableVersion } from './unreadable-version.js'
import { actingEntries, entriesBeforeCalls, feedbackEntries } from './read-project.js'

const NEWLINE = 0x0a

/** The parts of an export that can be had alone: the calls, or all but calls and what was said about them. */
export const EXPORT_PARTS = ['calls', 'settings'] as const
export type ExportPart = (typeof EXPORT_PARTS)[number]

/** What was written. */
export interface Written {
  readonly calls: number
  /** Lines that are no calls. */
  readonly entries: number
  /** Bytes of the lines, before they are compressed. */
  readonly bytes: number
  /** Versions of the rubric that are in it as they were set, and can't be read any more. */
  readonly unreadable: readonly UnreadableVersion[]
}

interface ExportOrder {
  readonly client: Client
  readonly project: string
  /** Absent: everything. */
  readonly only: ExportPart | undefined
  /** Of calls. */
  readonly query: NonNullable<InputOf<typeof exportProject>['query']>
  /** Stops it. */
  readonly signal: AbortSignal
}

/** Writes a project as lines, as fast as the output takes them. @throws Problem when it breaks off, or somebody stops it */
export async function writeExport(order: ExportOrder, output: Writable): Promise<Written> {
  const unreadable: UnreadableVersion[] = []
  const written = { calls: 0, entries: 0, bytes: 0, unreadable }
  try {
    await pipeline(() => linesOf(order, written), output, { signal: order.signal })
    return written
  } catch (error) {
    throw endOf(error, order.signal, written.calls)
  }
}

type Counts = { calls: number; entries: number; bytes: number; readonly unreadable: UnreadableVersion[] }

async function* linesOf(order: ExportOrder, written: Counts): AsyncGenerator<string | Buffer> {
  const { client, project, only } = order
  const counted = (entry: ProjectEntry): string => {
    const line = `${entryLine(entry)}\n`
    written.entries += 1
    written.bytes += Buffer.byteLength(line)
    return line
  }
  if (only !== 'calls') {
    const note = (version: UnreadableVersion): void => void written.unreadable.push(version)
    for await (const entry of entriesBeforeCalls(client, project, note)) yield counted(entry)
  }
  if (only !== 'settings') yield* callLines(order, written)
  if (only === undefined) for await (const entry of feedbackEntries(client, project)) yield counted(entry)
  if (only !== 'calls') for (const entry of await actingEntries(client, project)) yield counted(entry)
}

export type CallsOrder = Omit<ExportOrder, 'only'>

/** Lines of calls as they come, counted. */
export async function* callLines(
  { client, project, query, signal }: CallsOrder,
  written: Pick<Counts, 'calls' | 'bytes'>,
): AsyncGenerator<Buffer> {
  const { total, stream } = await client.lines(exportProject, { project, query }, signal)
  const bar = startProgress('Exporting', 'calls', total)
  try {
    for await (const piece of stream as AsyncIterable<string | Buffer>) {
      const chunk = typeof piece === 'string' ? Buffer.from(piece) : piece
      written.bytes += chunk.length
      for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) written.calls += 1
      bar.update(written.calls)
      yield chunk
    }
  } finally {
    bar.stop()
  }
}

/** What an export that ended is told of. */
export function endOf(error: unknown, signal: AbortSignal, calls: number): unknown {
  if (signal.aborted) return new Problem('cancelled', 'The export was interrupted; nothing was kept of it')
  const code = errorCode(error)
  if (code === 'ENOSPC') return new Problem('store_unavailable', 'The disk is full; nothing was kept of the export')
  if (code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE') {
    const problem = new Problem('store_unavailable', `The export broke off after ${calls} calls; the log says why`)
    problem.cause = error
    return problem
  }
  return error
}
