import type { Logger } from 'pino'
import type { Certificate } from '../base/certificate.js'
import type { KeyEvent } from '../access/keys.js'
import type { Admission } from '../admission/admission.js'
import type { Trail } from '../activity/audited.js'
import type { RequestMeter } from '../metrics/request-meter.js'
import type { Answering } from '../questions/answering.js'
import type { Prompt } from '../questions/prompt.js'
import type { Question } from '../questions/question.js'
import type { Resource } from '../questions/resource.js'
import type { Extend } from './build-server.js'
import type { Entered } from './request-context.js'
import type { SessionIds } from './session-ids.js'
import type { OAuthEndpoints } from '../oauth/oauth-endpoints.js'
import type { NotReady } from '../base/not-ready.js'

/** What the tool server needs of access/'s gate: authentication and rate limit of one request. Rejects with a Problem. */
export interface Entrance {
  enter(authorization: string | undefined, address: string, resource?: string): Promise<Entered>
}

/** What the tool server needs of access/'s key registry. */
export interface KeyWatch {
  /** Keys in the in-memory cache: `auth_cache_size` of /health. */
  readonly size: number
  /** Calls back whenever a key's fields change or it is revoked; returns the function that stops that. */
  onChange(listener: (event: KeyEvent) => void): () => void
}

export interface ToolServerSettings {
  /** The server's name and version, as clients and /health see them. */
  readonly name: string
  readonly version: string
  /** What a model reads first: the order in which the tools are meant to be used. */
  readonly instructions: string
  /** Hosts under which the server may be addressed, with or without a port; IPv6 in brackets. */
  readonly allowedHosts: readonly string[]
  /** Origins of web pages that may send requests, besides the allowed hosts themselves. */
  readonly allowedOrigins: readonly string[]
  /** Addresses or networks of proxies whose X-Forwarded-For is believed; none by default. */
  readonly trustedProxies?: readonly string[]
  /** Largest headers of a request, in bytes. */
  readonly maxHeaderBytes: number
  /** Connections open at once. */
  readonly maxConnections: number
  /** Largest request body, in bytes. */
  readonly maxBodyBytes: number
  /** Largest tool result, in bytes of JSON text, counted once. */
  readonly resultBytes: number
  /** Open streams of one key, where its protocol revision knows no sessions. */
  readonly maxSessionsPerKey: number
  /** Milliseconds without a request after which a session with no open call or stream ends. */
  readonly sessionIdleMs: number
  /** Milliseconds between two heartbeats on an open stream. */
  readonly heartbeatMs: number
  /** Milliseconds that running calls get to end when the server stops. */
  readonly graceMs: number
  /** Milliseconds without a byte taken after which a slow reader is dropped. */
  readonly slowReaderMs: number
  /**
   * Whether a session's answers come as event streams, on which something can be said before the answer. None of our
   * tools does, so the standard is one JSON body an answer.
   */
  readonly streamedAnswers: boolean
}

/** The limits of interface.md, section 7, where the operator sets nothing else. */
export const toolServerDefaults = {
  maxHeaderBytes: 16_384,
  maxBodyBytes: 1_048_576,
  maxConnections: 4_000,
  resultBytes: 1_048_576,
  maxSessionsPerKey: 100,
  sessionIdleMs: 30 * 60_000,
  heartbeatMs: 25_000,
  graceMs: 10_000,
  slowReaderMs: 30_000,
  streamedAnswers: false,
} as const

export interface ToolServerParts {
  readonly questions: readonly Question[]
  readonly resources: readonly Resource[]
  readonly prompts: readonly Prompt[]
  /** The page that draws answers where a client shows such; absent: there is none. */
  readonly viewPage?: string
  readonly answering: Answering
  /** Where refusals before any question are put on record; answers are, by `answering`. */
  readonly trail: Trail
  readonly gate: Entrance
  readonly keys: KeyWatch
  /** Where clients sign in with their address alone; unset: they need a key. */
  readonly oauth?: OAuthEndpoints
  /** Open sessions and streams, and bytes of bodies under way. */
  readonly admission: Pick<Admission, 'budgets' | 'sessions' | 'bodies' | 'turns'>
  /** How sessions are named, so that other processes go on with them; absent: this one alone has them. */
  readonly sessionIds?: SessionIds
  readonly log: Logger
  /** What is shown to clients; without one they speak plain HTTP. */
  readonly certificate?: Certificate | undefined
  /** Where refusals are counted that come before anything is asked; answers are measured where they are made. */
  readonly meter: RequestMeter
  readonly settings: ToolServerSettings
  /**
   * Whether what stands behind the tools answers: resolves to nothing when it does, else to one word for /ready (a
   * snake_case word such as `audit_unavailable`). A rejection reads as `store_unavailable`.
   */
  ready(): Promise<NotReady | undefined>
  /**
   * Only for tests of the protocol itself: adds abilities that the service does not have (a tool that asks the user
   * back, a resource to subscribe to) to every protocol server. The service sets none, so nothing else is declared.
   */
  readonly extend?: Extend
}
