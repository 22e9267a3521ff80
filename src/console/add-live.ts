import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Caller } from '../access/caller.js'
import { clientAddress, type IsTrusted } from '../access/client-address.js'
import { consoleSessionOf, refuseForeignPage } from '../access/console-cookie.js'
import type { Gate } from '../access/gate.js'
import { refuseChanged } from '../access/refuse-changed.js'
import { requesterOf } from '../access/requester-of.js'
import type { Trail } from '../activity/audited.js'
import type { Shares } from '../admission/shares.js'
import { parseInput } from '../base/parse-input.js'
import { Problem } from '../base/problem.js'
import type { Answering } from '../questions/answering.js'
import { searchCalls } from '../questions/search-calls.js'
import { queryParameters } from '../rest/query-parameters.js'
import type { CountStore } from '../store/store.js'
import { onRecord } from './on-record.js'

/** What pages are told of new calls with. */
export interface LiveParts {
  readonly gate: Pick<Gate, 'enterApi' | 'stillIn'>
  readonly trail: Trail
  readonly isTrustedProxy: IsTrusted
  readonly answering: Pick<Answering, 'answer'>
  /** Tells that calls of a project changed, not which. */
  readonly counts: Pick<CountStore, 'changes'>
  /** How many pages may be told at once, and whose. */
  readonly pages: Pick<Shares, 'take'>
  readonly log: Pick<Logger, 'error'>
}

const LIVE = '/console/live'

/** How often it is looked whether calls changed, and whether the session still stands for anybody. */
const LOOK_MS = 1_000
/** A stream that says nothing for longer is cut by proxies. */
const HEARTBEAT_MS = 15_000
/** After counting it rests for so many times as long as that took: a page in sight costs a part of somebody who asks all the time. */
const RESTS = 5
const REST_MS = 1_000
const LONGEST_REST_MS = 15_000

/**
 * Tells a page of the console, for as long as it is in sight, how many calls there are by now of those its view is about: the `total`
 * of search_calls with the view's filters, as who is signed in hears it, whenever it is another. Of calls that they do not hear nothing
 * is told, not even that there was something. A server-sent event has no authentication of its own, so the session is looked up
 * before each, and the stream ends with it.
 */
export function addLive(app: FastifyInstance, parts: LiveParts): void {
  const { gate, trail, isTrustedProxy, pages } = parts
  const closing = new AbortController()
  app.addHook('preClose', done => {
    closing.abort()
    done()
  })

  app.get(LIVE, { exposeHeadRoute: false, config: { endless: true } }, async (request, reply) => {
    refuseForeignPage(request.raw)
    const gone = new AbortController()
    reply.raw.once('close', () => gone.abort())
    const signal = AbortSignal.any([closing.signal, gone.signal])
    const address = clientAddress(request.raw, isTrustedProxy)
    const session = consoleSessionOf(request.raw)
    const { caller } = await gate.enterApi(undefined, address, undefined, session)
    const told = await onRecord(trail, request, caller, async () => {
      // Each count would be one of those that the key has in a day.
      if (caller.terms?.budget !== undefined)
        throw new Problem('forbidden', 'A key with a budget of its own is not told of new calls; ask again for them')
      const query = parseInput(queryParameters(searchCalls.input), { ...(request.query as object) }, 'parameter')
      // Whoever has left by now would not be heard to leave.
      if (signal.aborted) throw new Problem('cancelled', 'The client closed the connection')
      const share = pages.take(requesterOf(caller))
      gone.signal.addEventListener('abort', () => share.release(), { once: true })
      const context = { requestId: request.id, signal }
      const count = async (asking: Caller) => {
        const answer = await parts.answering.answer(searchCalls, asking, { ...query, limit: 1 }, context)
        return searchCalls.output.parse(answer).total
      }
      const stillIn = () => gate.stillIn(session ?? '', address)
      return await beginTotals({ ...parts, count, stillIn, signal }, caller)
    })
    reply.headers({ 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' })
    return await reply.send(Readable.from(told))
  })
}

interface TotalsParts extends Pick<LiveParts, 'counts' | 'log'> {
  readonly count: (caller: Caller) => Promise<number>
  readonly stillIn: () => Promise<Caller>
  readonly signal: AbortSignal
}

/** The events of a stream, the first of which is found before it begins: what is refused is an answer like any other. */
async function beginTotals(parts: TotalsParts, caller: Caller): Promise<AsyncGenerator<string>> {
  const seen = parts.counts.changes(caller.project_id)
  const total = await parts.count(caller)
  refuseChanged(caller, await parts.stillIn())
  return totals(parts, { seen, total, restsUntil: performance.now() + REST_MS })
}

interface Told {
  /** Which state of the project's calls was counted. */
  seen: number
  total: number
  restsUntil: number
}

async function* totals({ count, counts, stillIn, signal, log }: TotalsParts, told: Told): AsyncGenerator<string> {
  try {
    yield eventOf(told.total)
    let spokeAt = performance.now()
    // oxlint-disable no-await-in-loop -- one look after the other
    for (;;) {
      await sleep(LOOK_MS, undefined, { signal })
      const caller = await stillIn()
      const now = performance.now()
      const changes = counts.changes(caller.project_id)
      if (changes !== told.seen && now >= told.restsUntil) {
        const total = await count(caller).catch(passing)
        told.restsUntil = restFrom(now)
        if (total === undefined) continue
        // The page asks again, and is told of what is heard by now.
        refuseChanged(caller, await stillIn())
        told.seen = changes
        if (total !== told.total) {
          told.total = total
          spokeAt = now
          yield eventOf(total)
        }
      }
      if (now - spokeAt >= HEARTBEAT_MS) {
        spokeAt = now
        yield ':\n\n'
      }
    }
    // oxlint-enable no-await-in-loop
  } catch (error) {
    // The page is gone, the server stops, or whoever is signed in is it no more: the page asks again, and is told then.
    if (signal.aborted || error instanceof Problem) return
    log.error({ err: error }, 'A page could not be told of new calls any more')
  }
}

function eventOf(total: number): string {
  return `data: ${JSON.stringify({ total })}\n\n`
}

function restFrom(began: number): number {
  const now = performance.now()
  return now + Math.min(Math.max(REST_MS, RESTS * (now - began)), LONGEST_REST_MS)
}

/** What is too much just now is counted later. */
function passing(error: unknown): undefined {
  if (error instanceof Problem && PASSING.has(error.code)) return undefined
  throw error
}

const PASSING: ReadonlySet<Problem['code']> = new Set([
  'busy',
  'too_many_requests',
  'deadline_exceeded',
  'store_unavailable',
])
