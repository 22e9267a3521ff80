import type { FastifyReply, FastifyRequest } from 'fastify'
import type { MeasuredRequest, RequestMeter } from '../metrics/request-meter.js'

/** How each request ended, for the metrics: by its route, never by its path. */
export class Outcomes {
  readonly #meter: RequestMeter
  readonly #transport: MeasuredRequest['transport']
  readonly #failures = new WeakMap<FastifyRequest, { readonly status: number; readonly code: string }>()

  constructor(meter: RequestMeter, transport: MeasuredRequest['transport']) {
    this.#meter = meter
    this.#transport = transport
  }

  /** Notes why a request failed. */
  failed(request: FastifyRequest, status: number, code: string): void {
    this.#failures.set(request, { status, code })
  }

  /** Counts a request that was answered. */
  note(request: FastifyRequest, reply: FastifyReply): void {
    if (request.routeOptions.config.endless === true && reply.statusCode < 400) return
    const { status, code } = this.#failures.get(request) ?? { status: reply.statusCode, code: undefined }
    this.#meter.answered({
      transport: this.#transport,
      page: pageOf(request),
      outcome: outcomeOf(status),
      ...(code === undefined ? {} : { code }),
      seconds: reply.elapsedTime / 1000,
    })
  }
}

/** A path that is none of ours, and a method that a path does not have, are one page each. */
function pageOf({ method, routeOptions: { url } }: FastifyRequest): string {
  return url === undefined ? 'none' : `${method} ${url}`
}

function outcomeOf(status: number): MeasuredRequest['outcome'] {
  if (status < 400) return 'ok'
  return status < 500 ? 'refused' : 'error'
}
