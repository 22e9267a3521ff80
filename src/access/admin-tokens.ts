import { createSecretKey, type KeyObject, webcrypto } from 'node:crypto'
import { jwtVerify, type JWTVerifyGetKey, type JWTVerifyOptions } from 'jose'
import type { Logger } from 'pino'
import { z } from 'zod'
import { Problem } from '../base/problem.js'
import { label } from '../base/label.js'
import { printable } from '../base/printable.js'
import type { Admin } from './admin.js'
import { remoteKeySet } from './remote-key-set.js'

// Claims that are not ours (aud, iat, jti, scopes …) are none of our business, so the object is open.
const claims = z.object({
  sub: label(200),
  // Where it is required, it was compared before.
  iss: z.string().nullish().catch(undefined),
  email: label(320).nullish(),
  role: z.enum(['Admin', 'SuperAdmin']),
  current_project_id: printable(64).nullish(),
})

/** The administrator a verified token's claims name; undefined when they name none. */
function adminOfClaims(payload: object): Admin | undefined {
  const { data } = claims.safeParse(payload)
  if (data === undefined) return undefined
  return {
    subject: data.sub,
    ...(typeof data.iss === 'string' ? { issuer: data.iss } : {}),
    name: data.email ?? data.sub,
    role: data.role,
    ...(typeof data.current_project_id === 'string' ? { current_project_id: data.current_project_id } : {}),
  }
}

/** Seconds by which the clocks of issuer and service may differ. */
const LEEWAY_S = 30
/** Shortest secret, in bytes: what HS256 asks for (RFC 7518, 3.2). */
const SECRET_BYTES = 32

export interface AdminTokenOptions {
  /** How far ahead `exp` may be, in seconds; 24 h by default. */
  readonly maxLifetimeS?: number
  readonly log: Pick<Logger, 'warn'>
  /** Milliseconds since 1970; the system's clock by default. */
  readonly clock?: () => number
}

export interface KeySetOptions extends AdminTokenOptions {
  readonly issuer: string
  readonly audience: string
}

/**
 * Verifies admin tokens, by one mode for the life of the service: a shared secret or an identity provider's keys. The
 * mode fixes the algorithms, so that a public key is never taken for a secret; what a token's header says about where
 * its key is (`jku`, `x5u`, `jwk`) is never read, and a `crit` extension is refused.
 */
export class AdminTokens {
  readonly #key: JWTVerifyGetKey
  readonly #rules: JWTVerifyOptions
  readonly #maxLifetimeS: number
  readonly #log: Pick<Logger, 'warn'>
  readonly #clock: () => number

  private constructor(key: JWTVerifyGetKey, rules: JWTVerifyOptions, options: AdminTokenOptions) {
    this.#key = key
    this.#rules = { ...rules, clockTolerance: LEEWAY_S }
    this.#maxLifetimeS = options.maxLifetimeS ?? 86_400
    this.#log = options.log
    this.#clock = options.clock ?? Date.now
  }

  /** HS256. @throws Error when the secret has fewer than 32 bytes */
  static withSecret(secret: string, options: AdminTokenOptions): AdminTokens {
    // Given as a secret it would be made a key anew for each token.
    const hmac = { name: 'HMAC', hash: 'SHA-256' }
    const key = webcrypto.subtle.importKey('raw', secretKey(secret).export(), hmac, false, ['verify'])
    return new AdminTokens(() => key, { algorithms: ['HS256'] }, options)
  }

  /** RS256, ES256 or EdDSA by a key set; `iss` and `aud` are required. @throws Error for an unsafe URL */
  static withKeySet(url: URL, options: KeySetOptions): AdminTokens {
    const { issuer, audience } = options
    return new AdminTokens(remoteKeySet(url), { algorithms: ['RS256', 'ES256', 'EdDSA'], issuer, audience }, options)
  }

  /**
   * The administrator a token stands for at this instant.
   * @throws Problem `unauthenticated`, with one text for every cause; the cause is in the log
   */
  async verify(token: string): Promise<Admin> {
    const cause = { reason: 'claims' }
    const admin = await this.#adminOf(token).catch((error: unknown) => {
      cause.reason = error instanceof Error ? error.message : 'unknown'
      return undefined
    })
    if (admin !== undefined) return admin
    this.#log.warn(cause, 'An admin token was refused')
    throw refused()
  }

  /** For what goes on since a token was verified. @throws Problem `unauthenticated` when it has ended since */
  refuseEnded({ endsAt }: Admin): void {
    if (endsAt !== undefined && this.#clock() >= endsAt) throw refused()
  }

  async #adminOf(token: string): Promise<Admin | undefined> {
    const now = this.#clock()
    const rules = { ...this.#rules, currentDate: new Date(now) }
    const { payload } = await jwtVerify(token, this.#key, rules)
    const latest = now / 1000 + this.#maxLifetimeS + LEEWAY_S
    if (payload.exp === undefined || payload.exp > latest) throw new Error('"exp" is too far ahead')
    const admin = adminOfClaims(payload)
    return admin && { ...admin, endsAt: (payload.exp + LEEWAY_S) * 1000 }
  }
}

function refused(): Problem {
  return new Problem('unauthenticated', 'Invalid admin token')
}

/** A secret as a key for HS256. @throws Error when it has fewer than 32 bytes */
export function secretKey(secret: string): KeyObject {
  const bytes = Buffer.from(secret, 'utf8')
  if (bytes.length < SECRET_BYTES)
    throw new Error(`The secret of admin tokens must have at least ${SECRET_BYTES} bytes`)
  return createSecretKey(bytes)
}
