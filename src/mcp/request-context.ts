import { setMaxListeners } from 'node:events'
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AuthInfo } from '@modelcontextprotocol/server'
import type { Logger } from 'pino'
import type { Caller } from '../access/caller.js'
import { refuseChanged } from '../access/refuse-changed.js'
import type { Entry } from '../access/gate.js'
import { NO_ROUTE, requestTarget } from '../access/request-target.js'
import type { AnswerContext } from '../questions/answering.js'
import type { RequestMeter } from '../metrics/request-meter.js'
import { type HttpAnswer, send } from './http-answer.js'
import { PATHS } from './paths.js'

/** Who came in, as access/'s gate says: the caller as of then and as of now, and the key that was shown. */
export type Entered = Pick<Entry, 'caller' | 'keyId' | 'current'>

interface RequestContextParts {
  readonly log: Logger
  readonly meter: RequestMeter
}

/** Why a signal aborted, made once: a reason of its own for each would capture a stack for every request. */
export const OVER = new Error('The request is over')

/** What a handler answers: the request that asks, and until when an answer is wanted. */
export interface Asked {
  readonly request: RequestContext
  readonly signal: AbortSignal
}

/** What a handler is asked by. Throws when there is nobody: nothing is answered to nobody. */
export function askedOf(context: { readonly http?: { readonly authInfo?: AuthInfo | undefined } | undefined }): Asked {
  const asked = context.http?.authInfo?.extra?.['asked'] as Asked | undefined
  if (asked?.request instanceof RequestContext) return asked
  throw new Error('A request reached a handler without authentication')
}

/** As what its caller's question is asked. */
export function contextOf({ request, signal }: Asked, caller: Caller): AnswerContext {
  return { signal, requestId: request.requestId, check: () => refuseChanged(caller, request.caller) }
}

/**
 * One HTTP request to the tool server, from the door to the end of its answer: made as it comes in, filled in by the gate with who
 * asks, and handed on to whatever answers it. It is over when the client has left or we have ended it; from then on nothing of an
 * answer that is still being made may reach the client.
 */
export class RequestContext {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  /** Names the request in its answer's header, in the log and in the audit trail. */
  readonly requestId = randomUUID()
  /** Logs under that id. */
  readonly log: Logger
  readonly path: string
  readonly #query: string
  readonly #meter: RequestMeter
  #entered: Entered | undefined
  readonly #foundFor: Caller[] = []
  #isStream = false
  readonly #controller = new AbortController()
  /** Resolves when the request is over, or turned out to be a stream, which has no end of its own. */
  readonly answered: Promise<void>
  #resolveAnswered: () => void = () => undefined

  constructor({ log, meter }: RequestContextParts, req: IncomingMessage, res: ServerResponse) {
    this.req = req
    this.res = res
    this.#meter = meter
    this.log = log.child({ request_id: this.requestId })
    const { path, query } = requestTarget(req.url ?? '')
    this.path = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
    this.#query = query
    res.setHeader('x-request-id', this.requestId)
    this.answered = new Promise(resolve => {
      this.#resolveAnswered = resolve
    })
    // On a stream, and in a batch, as many listen as are answered at once.
    setMaxListeners(0, this.signal)
    res.once('close', () => {
      this.#abort()
      this.#resolveAnswered()
    })
  }

  get query(): URLSearchParams {
    return new URLSearchParams(this.#query)
  }

  header(name: string): string | undefined {
    const value = this.req.headers[name]
    return Array.isArray(value) ? value.join(', ') : value
  }

  /** Notes who asks, as the gate says. */
  admit(entered: Entered): void {
    this.#entered = entered
  }

  /**
   * Who asks, as the key says now: it may have been narrowed since the request began.
   * @throws Problem `unauthenticated` when it was revoked; an Error when nobody was let in: nothing is answered to nobody
   */
  get caller(): Caller {
    return this.#whoEntered.current()
  }

  /**
   * Notes that something was found for a caller, and is to be told.
   * @throws Problem where they may hear anything else by now
   */
  found(caller: Caller): void {
    refuseChanged(caller, this.caller)
    this.#foundFor.push(caller)
  }

  /**
   * What was found waits: in a batch for the answers to the others, on a stream for its reader.
   * @throws Problem where a caller it was found for may hear anything else by now
   */
  refuseChanged(): void {
    for (const caller of this.#foundFor) refuseChanged(caller, this.caller)
  }

  get keyId(): string {
    return this.#whoEntered.keyId
  }

  get projectId(): string {
    return this.#whoEntered.caller.project_id
  }

  get #whoEntered(): Entered {
    if (this.#entered === undefined) throw new Error('A request was answered before it was authenticated')
    return this.#entered
  }

  /**
   * The form in which the SDK carries the request to our handlers; the token stays behind.
   * @param signal until when an answer is wanted; unless given, until the request is over
   */
  authInfo(signal = this.signal): AuthInfo {
    const asked: Asked = { request: this, signal }
    return { token: 'redacted', clientId: this.keyId, scopes: [], extra: { asked } }
  }

  /** Aborts when the request is over: answered to the end, left by the client, or ended by us. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  get over(): boolean {
    return this.#controller.signal.aborted
  }

  /** Notes that the response is an event stream. */
  becomeStream(): void {
    this.#isStream = true
    this.#resolveAnswered()
  }

  /** Answers before or in place of the protocol. What is refused is counted and logged: nothing else tells of it. */
  refuse(answer: HttpAnswer): void {
    const { status, body } = answer
    if (status >= 400) {
      const code = 'code' in body && typeof body.code === 'string' ? body.code : 'invalid_input'
      if (!this.res.headersSent) this.#meter.refused('mcp', code)
      const path = Object.hasOwn(PATHS, this.path) ? this.path : NO_ROUTE
      this.log.info({ method: this.req.method, path, status, code }, 'request refused')
    }
    send(this.res, answer)
  }

  /**
   * Ends it in place of its own answer; a stream that has begun says why as its last event, which clients that don't
   * know it pass over. What it was running is aborted.
   */
  end(answer: HttpAnswer): void {
    if (this.over) return
    this.#abort()
    const { headersSent, writableLength, writableEnded } = this.res
    // What was told in part, or waits for a slow reader, is told no further.
    if (headersSent && (writableLength > 0 || !(this.#isStream || writableEnded))) {
      this.res.destroy()
      return
    }
    if (this.#isStream && headersSent && !writableEnded) {
      this.res.write(`event: end\ndata: ${JSON.stringify(answer.body)}\n\n`)
    }
    send(this.res, answer)
    if (!this.res.writableEnded) this.res.end()
  }

  /**
   * Ends it without an answer. A client that cancelled expects none, but would wait for the end of the response; 202
   * without a body is what clients take for "nothing to read".
   */
  abandon(): void {
    if (this.over) return
    this.#abort()
    if (!this.res.headersSent) this.res.writeHead(202)
    if (!this.res.writableEnded) this.res.end()
  }

  #abort(): void {
    this.#controller.abort(OVER)
  }
}
