import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Certificate } from '../base/certificate.js'
import type { Admission } from '../admission/admission.js'
import type { AdminEntry, Entry, InboundEntry, InboundSender } from '../access/gate.js'
import type { Rate } from '../admission/rate-limit.js'
import type { Trail } from '../activity/audited.js'
import type { RequestMeter } from '../metrics/request-meter.js'
import type { ActivityTransport } from '../store/activity-record.js'
import type { Keys } from '../access/keys.js'
import type { Services } from '../operations/services.js'

/** What an operator can set about the API listener. */
export interface ApiServerSettings {
  /** Hosts under which the service may be addressed, with or without a port; IPv6 in brackets. */
  readonly allowedHosts: readonly string[]
  /** Origins (scheme, host and port) of web pages that may send requests, besides the allowed hosts themselves. */
  readonly allowedOrigins: readonly string[]
  /** Origins of web pages that may read answers too (CORS). */
  readonly corsOrigins: readonly string[]
  /** Where clients reach the API, as its description says; by default the address they read that from. */
  readonly publicUrl?: string | undefined
  /** Addresses or networks of proxies whose X-Forwarded-For is believed; none by default. */
  readonly trustedProxies?: readonly string[]
  /** Largest body, in bytes. */
  readonly maxBodyBytes: number
  /** Largest body that another product may send to an inbound webhook, in bytes; absent: there are none. */
  readonly inboundBytes?: number
  /** Largest headers, in bytes. */
  readonly maxHeaderBytes: number
  /** Longest parameter in a path, in characters as they are sent. */
  readonly maxPathParameter: number
  /** Milliseconds for the headers, and for the whole request, to arrive; 0 = any time. */
  readonly headersMs: number
  readonly requestMs: number
  /** The same for the whole of an upload. */
  readonly uploadMs: number
  /** Connections open at once. */
  readonly maxConnections: number
  /** Milliseconds for which a client that has to send or take something may do nothing; 0 = any time. */
  readonly idleMs: number
  /** Milliseconds that running requests get to end when the server stops. */
  readonly graceMs: number
}

/** The limits of interface.md, section 7, where the operator sets nothing else. */
export const apiServerDefaults = {
  maxBodyBytes: 1_048_576,
  maxHeaderBytes: 16_384,
  maxPathParameter: 2_048,
  headersMs: 15_000,
  requestMs: 60_000,
  uploadMs: 3_600_000,
  idleMs: 60_000,
  maxConnections: 4_000,
  graceMs: 10_000,
} as const

/** What the listener needs of access/'s gate; see Gate. A gate that counts no rate gives none. */
export interface ApiEntrance {
  enterApi(
    authorization: string | undefined,
    address: string,
    project?: string,
    session?: string,
  ): Promise<Pick<Entry, 'caller' | 'keyId' | 'current'> & { readonly rate?: Rate }>
  /** Absent: nothing is taken from other products. */
  enterInbound?<T>(
    webhook: InboundSender | undefined,
    verify: () => T | undefined,
    address: string,
  ): Promise<Pick<InboundEntry<T>, 'caller' | 'signed'>>
  enterAdmin(
    authorization: string | undefined,
    address: string,
    projectId: string,
    session?: string,
  ): Promise<AdminAdmission>
  enterSuperAdmin(authorization: string | undefined, address: string): Promise<AdminAdmission>
  enterMetrics(authorization: string | undefined, address: string, local: boolean): Promise<void>
}

export interface AdminAdmission extends Omit<AdminEntry, 'rate'> {
  readonly rate?: Rate
}

/** Sends a page to a browser. */
export type SendPage = (request: FastifyRequest, reply: FastifyReply) => FastifyReply

export interface ApiServerParts {
  readonly gate: ApiEntrance
  /** Bytes of bodies under way. */
  readonly admission: Pick<Admission, 'bodies' | 'turns'>
  /** Where every authenticated request has its line, before it is answered. */
  readonly trail: Trail
  readonly meter: RequestMeter
  /** What /metrics answers. */
  readonly metrics: { readonly contentType: string; text(): Promise<string> }
  /** Through which door requests come here. */
  readonly transport: Exclude<ActivityTransport, 'mcp'>
  readonly keys: Pick<Keys, 'onChange'>
  /** What operations work with. */
  readonly services: Services
  /** Adds the console's pages, and gives the one for addresses where there is nothing; absent where it is off. */
  readonly console?: ((app: FastifyInstance) => SendPage) | undefined
  readonly log: Logger
  /** What is shown to clients; without one they speak plain HTTP. */
  readonly certificate?: Certificate | undefined
  readonly settings: ApiServerSettings
  /** Of the program, as the API's description says it. */
  readonly version: string
}
