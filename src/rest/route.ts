import type { Readable } from 'node:stream'
import type { Logger } from 'pino'
import type { z } from 'zod'
import type { Admin } from '../access/admin.js'
import type { Caller } from '../access/caller.js'

/** Who may come in by a route, and as what the handler then knows them. */
export interface Who {
  /** Anyone, unauthenticated: health and readiness only. */
  open: undefined
  /** This machine, or whoever shows the token of the metrics. */
  metrics: undefined
  /** An admin token that may act on the `:project_id` of the path. */
  project_admin: Admin
  super_admin: Admin
  /** An application key or an admin token, asking about the calls of one project. */
  caller: Caller
  /** The same, with role Admin and the full project: adds and erases calls, sees the project's tasks. */
  overseer: Caller
  /** An admin token, acting on one project; never an application key. */
  administrator: Caller
}

export type Access = keyof Who

/** A request past authentication. */
export interface Received<B, Q> {
  /** A parameter of the path, percent-decoded once. */
  param(name: string): string
  /**
   * Body and query, checked against the route's schemas when the handler asks for them: what is not there (404) is
   * reported before what is written wrong (422). @throws Problem `invalid_input`
   */
  body(): B
  query(): Q
  /** The body of an upload, not yet read. */
  upload(): Upload
  /** Aborts when the client goes away or its key is revoked; an answer that comes later is dropped. */
  readonly signal: AbortSignal
  readonly requestId: string
  /** Logs under the request's id. */
  readonly log: Logger
  /** The body as it arrives, on a route that streams. */
  readonly stream: Readable
  /** Sends a line of JSON ahead of the answer, on a route that streams; resolves when the client can take more. */
  say(line: object): Promise<void>
}

/** An answer that is no JSON. */
export class TextAnswer {
  readonly type: string
  readonly text: string

  constructor(type: string, text: string) {
    this.type = type
    this.text = text
  }
}

export interface Upload {
  /** Begins to take the body. Whoever opens it destroys it in the end. */
  open(): Readable
  /** Bytes as sent; unknown when the client does not say. */
  readonly length: number | undefined
  /** Its Content-Encoding, in lower case; `identity` when none is said. */
  readonly encoding: string
}

/** A route as its own file declares it. Without `access` it does not compile. */
export interface RouteDefinition<A extends Access, B, Q> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly url: string
  readonly access: A
  /**
   * What it does, in a line and, where that is not all, in more. A route without is no part of the API that is described
   * to its users: metrics, and what only our own commands ask.
   */
  readonly summary?: string
  readonly description?: string
  /** Status of the answer; 200 by default. */
  readonly status?: 201 | 202 | 204
  /** Strict schemas; a route without one takes no body, or no query parameters. */
  readonly body?: z.ZodType<B>
  readonly query?: z.ZodType<Q>
  /** Most bytes of the body, where more than of others may come. */
  readonly bodyBytes?: number
  /**
   * NDJSON in and out: the body is not read ahead, lines can be said before the answer, and the answer is the last line.
   * A failure after the first line is a last line {error, code}.
   */
  readonly streams?: true
  /** When it answers 409, as a sentence; a route without one never does. */
  readonly conflicts?: string
  /** Of an open route: with which failures it answers. Others share theirs. */
  readonly failures?: readonly (500 | 503)[]
  /** How many rows an answer holds, for the audit trail. */
  rows?(answer: object): number
  /** What it answers with, as the API's description says and the tests check; absent for 204. */
  readonly answer?: z.ZodType
  /** The answer is a StreamAnswer: NDJSON, a record of this schema a line. */
  readonly lines?: z.ZodType
  /** The answer carries an ETag, and a client that has it already gets 304. */
  readonly etag?: true
  /** The body is not read but handed on as a stream, of one of these media types. */
  readonly uploads?: readonly string[]
  handle(request: Received<B, Q>, who: Who[A]): object | Promise<object>
}

export type Route = RouteDefinition<Access, unknown, unknown>

/** Keeps the types of body, query and caller bound to what the route declares. */
export function route<A extends Access, B = undefined, Q = object>(definition: RouteDefinition<A, B, Q>): Route {
  return definition
}
