import type { IncomingMessage, ServerResponse } from 'node:http'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import { clientNetwork } from '../access/gate.js'
import { parsedJson } from '../base/parsed-json.js'
import { Problem } from '../base/problem.js'
import { readBounded } from '../base/read-bounded.js'
import { RateLimit } from '../admission/rate-limit.js'
import {
  type Addresses,
  addressesOf,
  OAUTH_PATHS,
  RESOURCE_PATHS,
  type ResourcePath,
  SCOPES,
  type Asked,
} from './addresses.js'
import { type AuthorizationServer, authorizationServer } from './authorization-server.js'
import type { ClientDocuments } from './client-documents.js'
import type { Connections } from './connections.js'
import { errorPage, pageHeaders } from './pages.js'
import { readRegistration } from './read-registration.js'
import { COMPANY, SignIn, type SignInParts } from './sign-in.js'

/** Longest body of a registration, a token request or a form, bytes. */
const MOST_BODY_BYTES = 16_384

/** Longest request to be let in, characters, beside the client's id and its address: it is kept while the sign-in is under way. */
const MOST_ASKED = 2_500

/** Authorization servers at once; they differ in their address alone. */
const MOST_SERVERS = 16

const REQUESTS_PER_MINUTE = 300
const REGISTRATIONS_PER_MINUTE = 30

export interface OAuthParts extends SignInParts {
  readonly connections: Connections
  readonly cookieSecret: string
  /** Clients that are known by a document, where there are such. */
  readonly documents?: ClientDocuments | undefined
  /** Where clients reach us from elsewhere; unset: only clients on this machine can sign in. */
  readonly publicUrl?: string | undefined
  readonly log: Logger
}

/** A request to one of the sign-in's addresses. */
export interface OAuthRequest {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly path: string
  readonly requestId: string
  /** Where it came from. */
  readonly address: string
}

/**
 * What clients need to sign in with their address alone: metadata, registration, the pages for people, and tokens. Under a
 * public address everything is that address's, whatever a request's Host says; without one it is there only for clients on this
 * machine, under the name of it that they use.
 */
export class OAuthEndpoints {
  readonly #parts: OAuthParts
  readonly #signIn: SignIn
  readonly #requests = new RateLimit(REQUESTS_PER_MINUTE, 'sign-in requests a minute per address')
  readonly #registrations = new RateLimit(REGISTRATIONS_PER_MINUTE, 'registrations a minute per address')
  /** By public address: on this machine a client may use any of its names, and any port that leads here. */
  readonly #servers = new LRUCache<string, Promise<AuthorizationServer>>({ max: MOST_SERVERS })

  constructor(parts: OAuthParts) {
    this.#parts = parts
    this.#signIn = new SignIn(parts)
  }

  /** Whether a path is one of ours. */
  takes(path: string): boolean {
    return path.startsWith('/oauth/') || path.includes('/.well-known/')
  }

  /** The public address of an endpoint, as a request to it reaches it; undefined where there is no sign-in. */
  resourceOf(req: Asked, path: string): string | undefined {
    const resource = resourcePath(path)
    return resource === undefined ? undefined : this.#addressesOf(req)?.of(resource)
  }

  /** What a 401 tells clients of where to sign in (RFC 9728, 5.1). */
  challenge(req: Asked, path: string): string {
    const resource = resourcePath(path)
    const addresses = this.#addressesOf(req)
    if (resource === undefined || addresses === undefined) return 'Bearer'
    const invalid = req.headers.authorization === undefined ? '' : 'error="invalid_token", '
    return `Bearer ${invalid}resource_metadata="${addresses.metadataOf(resource)}", scope="calls"`
  }

  /** @returns whether there is anything at the path @throws Problem `too_many_requests` */
  async answer(request: OAuthRequest): Promise<boolean> {
    const { req, res, path, address } = request
    const addresses = this.#addressesOf(req)
    if (addresses === undefined) return false
    // A provider may sign many people out at once; what it says is known by its signature.
    if (path === OAUTH_PATHS.logout && req.method === 'POST')
      return await this.#signIn.signOut(request, await readBody(req))
    await this.#requests.take(clientNetwork(address))
    if (path.includes('/.well-known/')) {
      const metadata =
        req.method === 'GET' ? addresses.metadataAt(path, this.#parts.documents !== undefined) : undefined
      if (metadata === undefined) return false
      json(res, 200, metadata)
      return true
    }
    const kind = Object.values(OAUTH_PATHS).find(one => path === one || path.startsWith(`${one}/`))
    if (kind === undefined) return false
    const body = req.method === 'POST' ? await readBody(req) : undefined
    if (kind === OAUTH_PATHS.registration && body !== undefined) {
      const read = readRegistration(parsedJson(body))
      if ('error' in read) {
        json(res, 400, read)
        return true
      }
      await this.#registrations.take(clientNetwork(address))
      setBody(req, read.metadata)
    } else if (body !== undefined) {
      setBody(req, Object.fromEntries(ours(new URLSearchParams(body), addresses)))
    }
    if (kind === OAUTH_PATHS.invitation) {
      if (req.method !== 'GET') return false
      await this.#signIn.showInvitation({ ...request, at: addresses })
      return true
    }
    if (kind === OAUTH_PATHS.company) return await this.#signIn.finishCompany({ ...request, at: addresses })
    const isAsking = kind === OAUTH_PATHS.authorization && path === kind
    const asked = isAsking ? lengthOf(new URLSearchParams(body ?? splitQuery(req.url ?? '').query)) : 0
    if (asked > MOST_ASKED) {
      res.writeHead(400, pageHeaders())
      res.end(
        errorPage(
          `The program asks with ${asked} characters, of which its state is one; up to ${MOST_ASKED} are taken.`,
        ),
      )
      return true
    }
    const server = await this.#serverOf(addresses)
    fixAddress(req, addresses)
    if (kind === OAUTH_PATHS.signIn) {
      return await this.#showSignIn(server, { ...request, at: addresses }, body)
    }
    if (isAsking) req.url = withOurs(req.url ?? '', addresses)
    for (const [name, value] of Object.entries(pageHeaders())) if (name !== 'content-type') res.setHeader(name, value)
    await server.callback()(req, res)
    return true
  }

  async #showSignIn(
    server: AuthorizationServer,
    request: OAuthRequest & { readonly at: Addresses },
    body: string | undefined,
  ): Promise<boolean> {
    const { res, path } = request
    const form = body === undefined ? undefined : new URLSearchParams(body)
    try {
      if (path.endsWith(COMPANY)) return await this.#signIn.beginCompany(server, request)
      await this.#signIn.answer(server, { ...request, form })
    } catch (error) {
      if (!isSessionGone(error)) throw error
      res.writeHead(400, pageHeaders())
      res.end(errorPage('This sign-in has ended, or was begun in another browser.'))
    }
    return true
  }

  #addressesOf(req: Asked): Addresses | undefined {
    return addressesOf(req, this.#parts.publicUrl)
  }

  async #serverOf(addresses: Addresses): Promise<AuthorizationServer> {
    const { connections, keys, holdsMs, documents, cookieSecret, log } = this.#parts
    const known = this.#servers.get(addresses.issuer)
    if (known !== undefined) return await known
    const made = authorizationServer({ addresses, connections, keys, holdsMs, documents, cookieSecret, errorPage })
    this.#servers.set(addresses.issuer, made)
    const server = await made
    server.on('server_error', (_context: unknown, error: unknown) => log.error({ err: error }, 'A sign-in failed'))
    return server
  }
}

/** The endpoint that a path is part of: messages of an event stream are the stream's. */
function resourcePath(path: string): ResourcePath | undefined {
  return RESOURCE_PATHS.find(one => one === path) ?? (path === '/messages' ? '/sse' : undefined)
}

/** Parameters as we know them: a resource in its one form, the scopes that there are, and an answer in the query. */
function ours(written: URLSearchParams, addresses: Addresses): URLSearchParams {
  const parameters = new URLSearchParams(written)
  const resources = new Set(written.getAll('resource').map(one => addresses.resourceOf(one)))
  parameters.delete('resource')
  // A token is for one: several are together none of ours, which the client is told before anybody is asked.
  if (resources.size > 0) parameters.set('resource', [...resources].join(' '))
  parameters.delete('response_mode')
  return parameters
}

/** An address as it was sent, cut at its first question mark: within a query others may stand. */
function splitQuery(url: string): { readonly path: string; readonly query: string } {
  const at = url.indexOf('?')
  return at < 0 ? { path: url, query: '' } : { path: url.slice(0, at), query: url.slice(at + 1) }
}

/** Characters of a request, beside those that the client's registration bounds. */
function lengthOf(asked: URLSearchParams): number {
  const bounded = new Set(['client_id', 'redirect_uri'])
  return [...asked].reduce((sum, [name, value]) => sum + (bounded.has(name) ? 0 : name.length + value.length), 0)
}

function withOurs(url: string, addresses: Addresses): string {
  const { path, query } = splitQuery(url)
  const parameters = ours(new URLSearchParams(query), addresses)
  const asked = (parameters.get('scope') ?? '').split(' ').filter(one => SCOPES.some(known => known === one))
  parameters.set('scope', [...new Set(['calls', ...asked])].join(' '))
  if (!parameters.has('resource')) parameters.set('resource', addresses.of('/mcp'))
  return `${path}?${parameters.toString()}`
}

/** Every address the library makes is of the public one, whatever the request said. */
function fixAddress(req: IncomingMessage, { issuer, prefix }: Addresses): void {
  const { host, protocol } = new URL(issuer)
  req.headers.host = host
  req.headers['x-forwarded-proto'] = protocol.slice(0, -1)
  delete req.headers['x-forwarded-host']
  const url = req.url ?? ''
  // As the library expects it of whoever mounts it beneath a path.
  Object.assign(req, { originalUrl: `${prefix}${url}`, baseUrl: prefix })
}

/** Hands on a body that was read. */
function setBody(req: IncomingMessage, body: unknown): void {
  Object.assign(req, { body })
}

async function readBody(req: IncomingMessage): Promise<string> {
  // The rest of one that is too large is left where it is: what answers closes the connection.
  const body = req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
  const tooLarge = () => new Problem('too_large', `The body is larger than ${MOST_BODY_BYTES} bytes`)
  return (await readBounded(body, MOST_BODY_BYTES, tooLarge)).toString('utf8')
}

function json(res: ServerResponse, status: number, body: object): void {
  // Metadata is the same for everyone, and pages of clients elsewhere read it.
  res.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
  res.end(JSON.stringify(body))
}

/** Whether a sign-in is over, or this browser's cookie is not its. */
function isSessionGone(error: unknown): boolean {
  return error instanceof Error && error.name === 'SessionNotFound'
}
