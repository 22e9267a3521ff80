import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { z } from 'zod'
import { parseInput } from '../base/parse-input.js'
import type { LineStream } from './line-stream.js'
import { queryParameters } from './query-parameters.js'
import { readJson } from './read-json.js'
import type { Received, Operation } from '../operations/operation.js'
import { uploadOf } from './upload-of.js'

const noQuery = z.strictObject({})

interface ReceivedParts {
  readonly signal: AbortSignal
  readonly lines: LineStream
  readonly log: Logger
}

/** A request as its route's handler sees it. */
export function received(route: Operation, request: FastifyRequest, { signal, lines, log }: ReceivedParts): Received {
  const query = () => parseInput(queryParameters(route.query ?? noQuery), { ...(request.query as object) }, 'parameter')
  return {
    param: (name: string) => {
      const value = (request.params as Readonly<Record<string, string>>)[name]
      if (value === undefined) throw new Error(`Operation ${route.url} has no parameter ${name}`)
      return value
    },
    body: () => {
      if (route.query === undefined) query()
      return route.body === undefined ? undefined : parseInput(route.body, readJson(request.body), 'field')
    },
    query,
    signal,
    requestId: request.id,
    log,
    get stream() {
      if (route.streams === true && request.body instanceof Readable) return request.body
      throw new Error(`Operation ${route.url} does not stream`)
    },
    upload: () => uploadOf(request.raw),
    say: (line: object) => lines.say(line),
  }
}
