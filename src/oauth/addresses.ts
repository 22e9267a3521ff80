import type { IncomingMessage } from 'node:http'
import { isLoopbackHost } from '../access/guard-request.js'

/** Where the endpoints are that a token can be for. */
export const RESOURCE_PATHS = ['/mcp', '/sse'] as const
export type ResourcePath = (typeof RESOURCE_PATHS)[number]

/** Beneath which all of the sign-in is. */
export const OAUTH_ROOT = '/oauth'

export const OAUTH_PATHS = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  registration: '/oauth/register',
  revocation: '/oauth/revoke',
  signIn: '/oauth/sign-in',
  invitation: '/oauth/invitation',
  logout: '/oauth/company/logout',
  company: '/oauth/company',
} as const

/** What a token may be for: all that the key it is tied to hears, and staying signed in. */
export const SCOPES = ['calls', 'offline_access'] as const

/** How long a sign-in holds at most: refresh tokens are of its grant, which ends then. */
export const GRANT_MS = 30 * 86_400_000

const SERVER_METADATA = '/.well-known/oauth-authorization-server'
const RESOURCE_METADATA = '/.well-known/oauth-protected-resource'

/** Where an invitation is opened. @param issuer the public address, without a slash at its end */
export function invitationUrl(issuer: string, code: string): string {
  return `${issuer}${OAUTH_PATHS.invitation}?code=${code}`
}

/** What of a request tells where it was sent. */
export type Asked = Pick<IncomingMessage, 'headers' | 'socket'>

/**
 * Where people sign in: at the public address, whatever a request's Host says; where there is none, on this machine alone, under the
 * name of it that the request uses.
 */
export function addressesOf({ headers, socket }: Asked, publicUrl?: string): Addresses | undefined {
  if (publicUrl !== undefined) return new Addresses(publicUrl)
  const host = headers.host?.toLowerCase() ?? ''
  return isLoopbackHost(host) ? new Addresses(`${'encrypted' in socket ? 'https' : 'http'}://${host}`) : undefined
}

/** Whether somebody may sign in under a public address: elsewhere a token would be anybody's who listens. */
export function isSafeAddress(publicUrl: string | undefined): boolean {
  return publicUrl === undefined || publicUrl.startsWith('https:') || isLoopbackHost(new URL(publicUrl).host)
}

/** Everything that is found under one public address. */
export class Addresses {
  readonly issuer: string
  /** What a proxy has before our paths: empty, or `/earshot`. */
  readonly prefix: string
  readonly origin: string

  /** @param issuer https://calls.example.com, without a slash at its end */
  constructor(issuer: string) {
    this.issuer = issuer
    const { origin, pathname } = new URL(issuer)
    this.origin = origin
    this.prefix = pathname === '/' ? '' : pathname
  }

  of(path: string): string {
    return `${this.issuer}${path}`
  }

  get resources(): readonly string[] {
    return RESOURCE_PATHS.map(path => this.of(path))
  }

  /**
   * A resource as clients write it, in the one form that we know: some add a slash or a port, some name the bare address. What is
   * none of ours stays what it is.
   */
  resourceOf(written: string): string {
    if (!URL.canParse(written)) return written
    const plain = new URL(written).href.replace(/\/$/, '')
    return plain === this.issuer || plain === this.origin ? this.of('/mcp') : plain
  }

  /** Where a resource says who lets callers in (RFC 9728, 3.1: the well-known part goes before the path). */
  metadataOf(resource: ResourcePath): string {
    return `${this.origin}${RESOURCE_METADATA}${this.prefix}${resource}`
  }

  /**
   * The metadata at a path, as a proxy hands it on with its prefix or without; undefined when there is none.
   * @param takesDocuments whether clients may be known by a document in place of a registration
   */
  metadataAt(path: string, takesDocuments = false): object | undefined {
    const after = (start: string) => (path.startsWith(start) ? this.#unprefixed(path.slice(start.length)) : undefined)
    if (after(SERVER_METADATA) === '' || path === `${this.prefix}${SERVER_METADATA}`)
      return this.#serverMetadata(takesDocuments)
    const resource = after(RESOURCE_METADATA)
    if (resource === '') return this.#resourceMetadata('/mcp')
    const known = RESOURCE_PATHS.find(one => one === resource)
    return known === undefined ? undefined : this.#resourceMetadata(known)
  }

  #unprefixed(path: string): string {
    return path.startsWith(this.prefix) ? path.slice(this.prefix.length) : path
  }

  /** RFC 8414, as clients of the Model Context Protocol ask for it. */
  #serverMetadata(takesDocuments: boolean): object {
    return {
      issuer: this.issuer,
      authorization_endpoint: this.of(OAUTH_PATHS.authorization),
      token_endpoint: this.of(OAUTH_PATHS.token),
      registration_endpoint: this.of(OAUTH_PATHS.registration),
      revocation_endpoint: this.of(OAUTH_PATHS.revocation),
      scopes_supported: SCOPES,
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_methods_supported: ['none'],
      revocation_endpoint_auth_methods_supported: ['none'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      ...(takesDocuments && { client_id_metadata_document_supported: true }),
    }
  }

  /** RFC 9728. */
  #resourceMetadata(path: ResourcePath): object {
    return {
      resource: this.of(path),
      authorization_servers: [this.issuer],
      scopes_supported: ['calls'],
      bearer_methods_supported: ['header'],
      resource_name: 'Earshot',
    }
  }
}
