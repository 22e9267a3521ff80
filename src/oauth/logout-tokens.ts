import { jwtVerify, type JWTVerifyGetKey } from 'jose'
import type { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { boundedCache } from '../base/bounded-cache.js'
import { printable } from '../base/printable.js'

/** How old a logout token may be, seconds; by how much the provider's clock may differ from ours. */
const MOST_AGE_S = 5 * 60
const LEEWAY_S = 30

/** Tokens that were taken and might be shown again, as long as they are not too old. */
const MOST_TAKEN = 100_000

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'

const claims = z.looseObject({
  // A token may name a session of the provider's alone; those we don't know.
  sub: printable(255),
  jti: z.string().min(1).max(500),
  exp: z.number(),
  events: z.looseObject({ [EVENT]: z.looseObject({}) }),
  // What has one is an ID token, or would be taken for one.
  nonce: z.never().optional(),
})

interface LogoutTokensParts {
  readonly issuer: string
  readonly audience: string
  readonly keySet: JWTVerifyGetKey
  /** Milliseconds since 1970; the system's clock by default. */
  readonly clock?: () => number
}

/** What an identity provider sends where somebody signed out (OpenID Connect Back-Channel Logout 1.0): each is good once. */
export class LogoutTokens {
  readonly #parts: LogoutTokensParts
  readonly #clock: () => number
  readonly #taken: LRUCache<string, true>

  constructor(parts: LogoutTokensParts) {
    this.#parts = parts
    this.#clock = parts.clock ?? Date.now
    const ttl = (MOST_AGE_S + 2 * LEEWAY_S) * 1_000
    this.#taken = boundedCache(MOST_TAKEN, { ttl, perf: { now: this.#clock } })
  }

  /** @returns who signed out, by the provider's name for them @throws Error that says what is wrong with the token */
  async subjectOf(token: string): Promise<string> {
    const { issuer, audience, keySet } = this.#parts
    const { payload, protectedHeader } = await jwtVerify(token, keySet, {
      issuer,
      audience,
      // Those by which a key set's keys sign; never a secret's.
      algorithms: ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'],
      clockTolerance: LEEWAY_S,
      maxTokenAge: MOST_AGE_S,
      currentDate: new Date(this.#clock()),
    })
    const type = protectedHeader.typ?.toLowerCase() ?? 'jwt'
    if (type !== 'logout+jwt' && type !== 'jwt') throw new Error(`A token of the type ${type} is no logout token`)
    const { sub, jti } = claims.parse(payload)
    if (this.#taken.has(jti)) throw new Error('The logout token was taken before')
    this.#taken.set(jti, true)
    return sub
  }
}
