import type { ProblemDetail } from '../../src/base/problem.js'
import { type Answer, type Args, PATHS, type QuestionName } from './questions.js'

/** What the service said no with, in its own words, which are written for whoever reads them. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: number
  readonly code: string
  /** Finds the cause in the operator's log. */
  readonly reference: string | undefined
  readonly retryAfterSeconds: number | undefined
  /** What waits for a second administrator, where that is why. */
  readonly approvalId: string | undefined
  readonly details: readonly ProblemDetail[]

  constructor(
    status: number,
    body: { error?: unknown; code?: unknown; reference?: unknown; approval_id?: unknown; details?: unknown },
    retryAfter: string | null,
  ) {
    super(typeof body.error === 'string' ? body.error : `HTTP ${status}`)
    this.status = status
    this.code = typeof body.code === 'string' ? body.code : 'unknown'
    this.reference = typeof body.reference === 'string' ? body.reference : undefined
    this.retryAfterSeconds = retryAfter === null ? undefined : Number(retryAfter)
    this.approvalId = typeof body.approval_id === 'string' ? body.approval_id : undefined
    this.details = Array.isArray(body.details) ? (body.details as readonly ProblemDetail[]) : []
  }
}

/** Nothing came back: the service is down, or the network. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable'
}

interface Sending {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly body?: unknown
  /** Sent as it is, in place of a body of JSON. */
  readonly upload?: Blob
  readonly accept?: string
  readonly signal?: AbortSignal | undefined
}

/** Asks the listener this page came from. @throws Refusal, Unreachable */
export async function send(
  path: string,
  { method = 'GET', body, upload, accept, signal }: Sending = {},
): Promise<Response> {
  const response = await fetch(path, {
    method,
    credentials: 'same-origin',
    headers: {
      accept: accept ?? 'application/json',
      // By it the service tells our own page from any other; see src/access/console-cookie.ts.
      'x-earshot-console': location.protocol,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(upload === undefined ? {} : { 'content-type': 'application/octet-stream' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(upload === undefined ? {} : { body: upload }),
    ...(signal === undefined ? {} : { signal }),
  }).catch((error: unknown) => {
    if (signal?.aborted === true) throw error
    throw new Unreachable()
  })
  if (response.ok) return response
  const text = await response.text()
  throw new Refusal(response.status, objectOf(text), response.headers.get('retry-after'))
}

/** Asks a question of the service: arguments and answer have the types it declares. @throws Refusal, Unreachable */
export async function ask<Name extends QuestionName>(
  name: Name,
  args: Args<Name>,
  signal?: AbortSignal,
): Promise<Answer<Name>> {
  const path = pathOf(name, args)
  const response =
    name === 'query_interactions'
      ? await send(path, { method: 'POST', body: args, signal })
      : await send(path, { signal })
  return (await response.json()) as Answer<Name>
}

/** The address of a question: what its path names is taken from the arguments, the rest is its query. */
export function pathOf<Name extends QuestionName>(name: Name, args: Args<Name>): string {
  const left = new Map(
    Object.entries(args as Readonly<Record<string, unknown>>).filter(([, value]) => value !== undefined),
  )
  const path = PATHS[name].replaceAll(/:(\w+)/g, (_, variable: string) => {
    const value = left.get(variable)
    left.delete(variable)
    return encodeURIComponent(String(value))
  })
  if (name === 'query_interactions' || left.size === 0) return path
  const query = new URLSearchParams([...left].map(([key, value]) => [key, String(value)]))
  return `${path}?${query.toString()}`
}

function objectOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
  } catch {
    return {}
  }
}
