import { once } from 'node:events'
import { Readable } from 'node:stream'
import { z } from 'zod'
import type { Caller } from '../../access/caller.js'
import { jsonInTurns } from '../../base/in-turns.js'
import type { CallRecord } from '../../calls/call-record.js'
import { requesterOf } from '../../access/requester-of.js'
import { scopeOf } from '../../access/scope-of.js'
import { type Document, callSchema, narrow, parsePipeline, toPlain } from '../../pipeline/index.js'
import type { Store } from '../../store/store.js'
import { WHOLE_RECORD } from '../whole-record.js'
import { linesInTurns } from './lines-in-turns.js'
import { vconOf } from './vcon-of.js'

/** All calls of a project on their way out. */
export interface CallExport {
  /** How many there were when it began. */
  readonly total: number
  /** The calls in their order, a line of JSON each, as text in pieces of whole lines. */
  readonly lines: Readable
}

/** How calls are written: as import takes them, or a vCon (IETF draft) a line. */
export const CALL_LINES = ['records', 'vcon'] as const

export interface ExportRequest {
  readonly caller: Caller
  readonly format?: (typeof CALL_LINES)[number] | undefined
  /** `none`: without what was said and who customers are, whatever the caller may hear. */
  readonly text?: 'none' | 'full' | undefined
  /** Ends the export when its reader goes away. */
  readonly signal?: AbortSignal
}

const COUNT_MS = 30_000

/**
 * Calls that are sorted as one: whole records of all calls don't fit the memory of any store, and a window of time is
 * found in one place of it, as calls mostly come in the order of their times.
 */
const WINDOW = 1_024

/**
 * The calls of the caller's scope, whole, as import takes them again: all of one instant, in the order of created_dt and
 * session_id, fields in the schema's order. The same calls are the same bytes at every export. Resolves when the first
 * line is ready; calls are read as fast as the lines are taken.
 */
export async function exportCalls(
  store: Pick<Store, 'run' | 'stream'>,
  { caller, format, text, signal }: ExportRequest,
): Promise<CallExport> {
  const heard = text === 'none' ? { ...caller, access_scope: { ...caller.access_scope, text } } : caller
  const scoped = (stages: readonly object[]) =>
    narrow(parsePipeline(stages, { shape: callSchema, now: new Date() }), scopeOf(heard))
  const requester = requesterOf(caller)
  const ending = signal === undefined ? {} : { signal }
  const counted = await store.run(scoped([{ $count: 'calls' }]), {
    lane: 'heavy',
    key: requester.key,
    deadlineMs: COUNT_MS,
    maxDocuments: 1,
    ...ending,
  })
  const total = Number(toPlain(counted.documents[0]?.['calls'] ?? 0))
  const documents = store.stream(read => wholeCalls(stages => read(scoped(stages))), requester, signal)
  const lines = Readable.from(linesOf(documents, format === 'vcon' ? vconLine : recordLine), {
    objectMode: true,
    highWaterMark: 1,
  })
  // What is refused is refused before anything is answered.
  await once(lines, 'readable')
  return { total, lines }
}

/** A place in the order of calls. */
const placeSchema = z.object({ created_dt: z.date(), session_id: z.string() })
type Place = z.infer<typeof placeSchema>

type Read = (stages: readonly object[]) => AsyncIterable<readonly Document[]>

const IN_ORDER = { $sort: { created_dt: 1, session_id: 1 } }

/** Whole records in their order, window after window. */
async function* wholeCalls(read: Read): AsyncGenerator<readonly Document[]> {
  const ends = await windowEnds(read)
  for (const [i, end] of ends.entries()) {
    yield* read([{ $match: { $and: between(ends[i - 1], end) } }, IN_ORDER, { $project: WHOLE_RECORD }])
  }
}

/** The last call of every window. */
async function windowEnds(read: Read): Promise<readonly Place[]> {
  const ends: Place[] = []
  let last: Document | undefined
  let count = 0
  for await (const documents of read([IN_ORDER, { $project: { _id: 0, created_dt: 1, session_id: 1 } }])) {
    for (const document of documents) {
      last = document
      count += 1
      if (count % WINDOW === 0) ends.push(placeSchema.parse(toPlain(document)))
    }
  }
  if (last !== undefined && count % WINDOW !== 0) ends.push(placeSchema.parse(toPlain(last)))
  return ends
}

/** The filter for calls after one and up to another. The first conditions say it roughly, for the engine to skip by. */
function between(after: Place | undefined, upTo: Place): readonly object[] {
  const { created_dt: until, session_id: last } = upTo
  const above =
    after === undefined
      ? []
      : [
          { created_dt: { $gte: after.created_dt } },
          { $or: [{ created_dt: { $gt: after.created_dt } }, { session_id: { $gt: after.session_id } }] },
        ]
  return [
    { created_dt: { $lte: until } },
    { $or: [{ created_dt: { $lt: until } }, { session_id: { $lte: last } }] },
    ...above,
  ]
}

type LineOf = Parameters<typeof linesInTurns>[1]

async function* linesOf(pages: Readable, lineOf: LineOf): AsyncGenerator<string> {
  for await (const documents of pages as AsyncIterable<readonly Document[]>) yield* linesInTurns(documents, lineOf)
}

const recordLine: LineOf = async call => `${await jsonInTurns(call)}\n`
const vconLine: LineOf = async call => {
  const record = JSON.parse(await jsonInTurns(call)) as CallRecord
  return `${await jsonInTurns(vconOf(record))}\n`
}
