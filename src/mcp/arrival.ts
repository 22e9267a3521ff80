import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import { NO_ROUTE, requestTarget } from '../access/request-target.js'
import type { RequestMeter } from '../metrics/request-meter.js'
import { type HttpAnswer, send } from './http-answer.js'
import { PATHS } from './paths.js'

interface ArrivalParts {
  readonly log: Logger
  readonly meter: RequestMeter
}

/** A request as it came in, with the id it has in its answer's header, in the log and in the audit trail. */
export class Arrival {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly requestId = randomUUID()
  readonly log: Logger
  readonly path: string
  readonly #query: string
  readonly #meter: RequestMeter

  constructor({ log, meter }: ArrivalParts, req: IncomingMessage, res: ServerResponse) {
    this.req = req
    this.res = res
    this.#meter = meter
    this.log = log.child({ request_id: this.requestId })
    const { path, query } = requestTarget(req.url ?? '')
    this.path = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
    this.#query = query
    res.setHeader('x-request-id', this.requestId)
  }

  get query(): URLSearchParams {
    return new URLSearchParams(this.#query)
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
}
