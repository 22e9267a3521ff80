import { once } from 'node:events'
import { Readable } from 'node:stream'
import { setImmediate as otherWork } from 'node:timers/promises'
import type { Caller } from '../../access/caller.js'
import { scopeOf } from '../../access/scope-of.js'
import { type Document, callSchema, narrow, parsePipeline, toPlain } from '../../pipeline/index.js'
import type { Store } from '../../store/store.js'
import { WHOLE_RECORD } from '../whole-record.js'

/** All calls of a project on their way out. */
export interface CallExport {
  /** How many there were when it began. */
  readonly total: number
  /** The calls in the order of their ids, a line of JSON each, as text in pieces of whole lines. */
  readonly lines: Readable
}

export interface ExportRequest {
  readonly caller: Caller
  /** Ends the export when its reader goes away. */
  readonly signal?: AbortSignal
}

const COUNT_MS = 30_000

/** Lines made before others are answered. */
const TURN = 32

/**
 * The calls of the caller's scope, whole, as import takes them again: all of one instant, in the order of session_id,
 * fields in the schema's order. The same calls are the same bytes at every export. Resolves when the first line is
 * ready; calls are read as fast as the lines are taken.
 */
export async function exportCalls(
  store: Pick<Store, 'run' | 'stream'>,
  { caller, signal }: ExportRequest,
): Promise<CallExport> {
  const scoped = (stages: readonly object[]) =>
    narrow(parsePipeline(stages, { shape: callSchema, now: new Date() }), scopeOf(caller))
  const ending = signal === undefined ? {} : { signal }
  const counted = await store.run(scoped([{ $count: 'calls' }]), {
    lane: 'heavy',
    deadlineMs: COUNT_MS,
    maxDocuments: 1,
    ...ending,
  })
  const total = Number(toPlain(counted.documents[0]?.['calls'] ?? 0))
  const documents = store.stream(scoped([{ $project: WHOLE_RECORD }, { $sort: { session_id: 1 } }]), signal)
  const lines = Readable.from(linesOf(documents), { objectMode: true, highWaterMark: 1 })
  // What is refused is refused before anything is answered.
  await once(lines, 'readable')
  return { total, lines }
}

async function* linesOf(pages: Readable): AsyncGenerator<string> {
  for await (const documents of pages as AsyncIterable<readonly Document[]>) {
    for (let start = 0; start < documents.length; start += TURN) {
      yield documents
        .slice(start, start + TURN)
        .map(lineOf)
        .join('')
      await otherWork()
    }
  }
}

const lineOf = (document: Document) => `${JSON.stringify(toPlain(document))}\n`
