import { Readable } from 'node:stream'
import { z } from 'zod'
import type { Caller } from '../../access/caller.js'
import { jsonInTurns } from '../../base/in-turns.js'
import { requesterOf } from '../../access/requester-of.js'
import type { Threads } from '../../admission/threads.js'
import { scopeOf, unmaskedScopeOf } from '../../access/scope-of.js'
import { Problem } from '../../base/problem.js'
import { callFields } from '../../calls/call-fields.js'
import type { FieldType } from '../../calls/field-type.js'
import { type Document, narrow, parsePipeline, toPlain } from '../../pipeline/index.js'
import type { RunOptions, Store } from '../../store/store.js'
import type { Cursors } from '../asker.js'
import { MASK_CALLS } from '../masked/mask-calls.js'
import { plainCalls } from '../masked/show-masked.js'
import { WHOLE_RECORD } from '../whole-record.js'
import { linesInTurns } from './lines-in-turns.js'

export interface BulkRequest {
  readonly caller: Caller
  /** Where an earlier reading came to; absent = from the beginning. */
  readonly cursor?: string | undefined
  readonly cursors: Cursors
  /** Most bytes that a record may come with: every page has room for one. */
  readonly recordBytes: number
  /** Where the texts of a page are masked, for whoever sees them so. */
  readonly threads: Pick<Threads, 'run'>
  readonly signal: AbortSignal
}

export interface BulkReading {
  /** How many calls there were to read when it began. */
  readonly total: number
  /** Lines `{"cursor":…,"call":…}`, as text in pieces of whole lines. */
  readonly lines: Readable
}

/**
 * Calls read at a time. Between two pages nothing of the store is held, no snapshot, no connection and no place in a queue, so
 * a reader may be as slow as its connection allows.
 */
const PAGE_CALLS = 512
const PAGE_BYTES = 8 * 1024 * 1024
const PAGE_DEADLINE_MS = 30_000

/**
 * A place in the order in which calls were written. A call that comes in, is replaced or evaluated anew gets a place behind
 * all others; so whoever reads on from a place misses none, and gets none again that stayed as it was.
 */
const placeSchema = z.object({ write_number: z.int(), session_id: z.string() })
type Place = z.infer<typeof placeSchema>

const IN_ORDER = { $sort: { write_number: 1, session_id: 1 } }

const shape: ReadonlyMap<string, FieldType> = new Map(callFields.map(({ name, type }) => [name, type]))

/**
 * The calls of the caller's scope, whole, in the order in which they were written, from a cursor on and to the last one
 * there is when it is reached. Resolves when the first page is read; others follow as the lines are taken.
 * @throws Problem `invalid_input` for a cursor of another caller or scope
 */
export async function readInBulk(store: Pick<Store, 'run'>, request: BulkRequest): Promise<BulkReading> {
  const { caller, cursor, cursors, signal } = request
  const scope = scopeOf(caller)
  // A caller that may hear other calls than before would not get those that lie behind the cursor.
  const { agents, text } = scope
  const bound = text === 'full' ? { agents } : { agents, text }
  const opened = cursor === undefined ? undefined : placeSchema.safeParse(cursors.open('read_in_bulk', bound, cursor))
  if (opened?.success === false) throw new Problem('invalid_input', 'Cursor belongs to another query')
  const requester = requesterOf(caller)
  const { key } = requester
  const run = async (
    stages: readonly object[],
    options: Pick<RunOptions, 'maxDocuments' | 'maxBytes'>,
    seen = scope,
  ) => {
    const parsed = parsePipeline(stages, { shape, now: new Date(), derivedFields: true })
    const deadline = { lane: 'heavy', key, deadlineMs: PAGE_DEADLINE_MS, signal, once: true } as const
    return await store.run(narrow(parsed, seen), { ...options, ...deadline })
  }
  const whole: Run = async (stages, options) => {
    if (text !== 'masked') return await run(stages, options)
    const page = await run(stages, options, unmaskedScopeOf(caller))
    const calls = await plainCalls(page.documents)
    return { ...page, documents: await request.threads.run(MASK_CALLS, { calls }, { requester, signal }) }
  }
  const lineOf = async ({ write_number, ...call }: Record<string, unknown>) => {
    const place = placeSchema.parse({ write_number, session_id: call['session_id'] })
    const behind = JSON.stringify(cursors.seal('read_in_bulk', bound, place))
    return `{"cursor":${behind},"call":${await jsonInTurns(call)}}\n`
  }
  const pages = pagesFrom(opened?.data, { run, whole }, Math.max(PAGE_BYTES, 2 * request.recordBytes))
  const counted = await run([...after(opened?.data), { $count: 'calls' }], { maxDocuments: 1 })
  // What is refused is refused before anything is answered.
  const first = await pages.next()
  const lines = Readable.from(linesOf(first, pages, lineOf), { objectMode: true, highWaterMark: 1 })
  return { total: Number(toPlain(counted.documents[0]?.['calls'] ?? 0)), lines }
}

type Run = (
  stages: readonly object[],
  options: Pick<RunOptions, 'maxDocuments' | 'maxBytes'>,
) => ReturnType<Store['run']>

/** Reads what says where a page ends, and the calls themselves as the caller sees them. */
interface Reads {
  readonly run: Run
  readonly whole: Run
}

/** The first conditions say it roughly, for the engine to skip blocks by. */
function after(place: Place | undefined): readonly object[] {
  if (place === undefined) return []
  const { write_number: number, session_id: id } = place
  const beyond = [{ write_number: { $gt: number } }, { session_id: { $gt: id } }]
  return [{ $match: { $and: [{ write_number: { $gte: number } }, { $or: beyond }] } }]
}

function upTo({ write_number: number, session_id: id }: Place): object {
  const within = [{ write_number: { $lt: number } }, { session_id: { $lte: id } }]
  return { $match: { $and: [{ write_number: { $lte: number } }, { $or: within }] } }
}

/**
 * Pages of whole records. Where a page ends is found by two columns alone: whole records of all that is left do not fit
 * the memory of any store.
 */
async function* pagesFrom(
  from: Place | undefined,
  { run, whole }: Reads,
  maxBytes: number,
): AsyncGenerator<readonly Document[]> {
  let place = from
  for (;;) {
    const places = [...after(place), { $project: { _id: 0, write_number: 1, session_id: 1 } }, IN_ORDER]
    // oxlint-disable no-await-in-loop -- a page after the other
    const ahead = await run([...places, { $limit: PAGE_CALLS }], { maxDocuments: PAGE_CALLS })
    const end = ahead.documents.at(-1)
    if (end === undefined) return
    const last = placeSchema.parse(toPlain(end))
    const shape = { $project: { ...WHOLE_RECORD, write_number: 1 } }
    const page = await whole([...after(place), upTo(last), shape, IN_ORDER], { maxDocuments: PAGE_CALLS, maxBytes })
    // oxlint-enable no-await-in-loop
    // What was replaced or erased since stands elsewhere, or nowhere.
    yield page.documents
    const reached = page.documents.at(-1)
    place = page.truncated && reached !== undefined ? placeSchema.parse(toPlain(reached)) : last
  }
}

async function* linesOf(
  first: IteratorResult<readonly Document[], unknown>,
  pages: AsyncGenerator<readonly Document[]>,
  lineOf: Parameters<typeof linesInTurns>[1],
): AsyncGenerator<string> {
  for (let page = first; page.done !== true; page = await pages.next()) yield* linesInTurns(page.value, lineOf)
}
