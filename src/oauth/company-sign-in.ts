import { randomBytes } from 'node:crypto'
import type { Logger } from 'pino'
import type { Configuration } from 'openid-client'
import { z } from 'zod'
import { canonicalJson } from '../access/canonical-json.js'
import type { Admin } from '../access/admin.js'
import type { ConsoleSessions } from '../access/console-sessions.js'
import type { Keys } from '../access/keys.js'
import { boundedCache } from '../base/bounded-cache.js'
import { InTurn } from '../base/in-turn.js'
import { label } from '../base/label.js'
import { printable } from '../base/printable.js'
import { Problem } from '../base/problem.js'
import { sameSecret } from '../base/same-secret.js'
import type { KeyRecord } from '../store/records/key.js'
import { remoteKeySet } from '../access/remote-key-set.js'
import { LogoutTokens } from './logout-tokens.js'
import { providerFault } from './provider-fault.js'
import { type Claims, mapAdministrator, mapClaims, type MappedPerson, type SsoMapping } from './sso-mapping.js'

/** Sign-ins at the identity provider under way. */
const MOST_UNDER_WAY = 10_000
const UNDER_WAY_MS = 10 * 60_000

/** Seconds that an answer of the identity provider may take. */
const PROVIDER_TIMEOUT_S = 10

/** The identity provider of a company, and what it says of people here. */
export interface CompanySettings {
  readonly issuer: string
  readonly clientId: string
  /** Unset: a public client, which PKCE alone protects. */
  readonly clientSecret?: string | undefined
  readonly scopes: string
  readonly mapping: SsoMapping
}

interface CompanyParts {
  readonly settings: CompanySettings
  readonly keys: Pick<Keys, 'people' | 'admit' | 'patch' | 'accepted'>
  /** Administrators who signed in to the console, where there is one. */
  readonly sessions?: Pick<ConsoleSessions, 'endAllOfAdmin'> | undefined
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>
}

interface UnderWay {
  readonly about: string
  readonly browser: string
  readonly nonce: string
  readonly verifier: string
  /** Where the provider sends the browser back to: what was begun for one address ends nowhere else. */
  readonly redirect: string
}

/** A sign-in that was begun. */
export interface Begun {
  readonly location: string
  readonly state: string
  readonly browser: string
}

/** Somebody whom the provider sent back, to where they began. */
export interface Returned {
  /** What the sign-in was begun about. */
  readonly about: string
  readonly claims: Claims
}

const identity = z.looseObject({
  sub: printable(255),
  email: label(120).optional().catch(undefined),
  name: label(120).optional().catch(undefined),
})

/**
 * Signing in with the company's identity provider (OpenID Connect, code with PKCE). Whoever comes back is who the provider says,
 * hears what the mapping gives them now, and is a person like any other. What was begun in one browser ends in it: a state is
 * good once, and for the cookie that went with it.
 */
export class CompanySignIn {
  readonly #parts: CompanyParts
  readonly #underWay = boundedCache<string, UnderWay>(MOST_UNDER_WAY, { ttl: UNDER_WAY_MS })
  /** Somebody who signs in twice at once is one person. */
  readonly #admissions = new InTurn()
  #provider: Promise<Configuration> | undefined
  #logouts: LogoutTokens | undefined

  constructor(parts: CompanyParts) {
    this.#parts = parts
  }

  /**
   * @param about what is given back to whoever finishes it
   * @param redirect where the provider sends the browser back to
   * @returns where the browser is sent, by which state, and the secret that it keeps for the way back
   */
  async begin(about: string, redirect: string): Promise<Begun> {
    const client = await import('openid-client')
    const provider = await this.#configuration()
    const [state, nonce, verifier] = [client.randomState(), client.randomNonce(), client.randomPKCECodeVerifier()]
    const location = client.buildAuthorizationUrl(provider, {
      redirect_uri: redirect,
      scope: this.#parts.settings.scopes,
      state,
      nonce,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    })
    const browser = randomBytes(32).toString('base64url')
    this.#underWay.set(state, { about, browser, nonce, verifier, redirect })
    return { location: location.href, state, browser }
  }

  /**
   * Takes up what the provider sent the browser back with.
   * @param search the query of the address, with its question mark
   * @param browser the secret that the browser kept
   * @param redirect where it was sent
   * @throws Problem `forbidden` for whoever was not signed in, `unauthenticated` for what no sign-in of this browser led to
   */
  async finish(search: string, browser: string, redirect: string): Promise<Returned> {
    const state = new URLSearchParams(search).get('state') ?? ''
    const begun = this.#underWay.get(state)
    if (begun === undefined || begun.redirect !== redirect || !sameSecret(browser, begun.browser)) throw foreignAnswer()
    this.#underWay.delete(state)
    return { about: begun.about, claims: await this.#claimsOf(search, { ...begun, state }) }
  }

  /** The key of whoever came back, with what the mapping gives them now. @throws Problem `forbidden` for whoever hears nothing */
  async person(claims: Claims): Promise<string> {
    return await this.#admissions.run(() => this.#admit(claims))
  }

  /** Whoever came back as an administrator, where the mapping makes them one. @throws Problem `forbidden` */
  administrator(claims: Claims): Admin | undefined {
    const { issuer, mapping } = this.#parts.settings
    const mapped = mapAdministrator(mapping, claims)
    if (mapped === undefined) return undefined
    const { sub: subject, email, name = subject } = identity.parse(claims)
    const { role, project } = mapped
    return { subject, issuer, name: email ?? name, role, ...(project !== undefined && { current_project_id: project }) }
  }

  /**
   * Whom a logout token of the provider is about.
   * @throws Problem `unauthenticated` for one that the provider did not make, for us, just now, and that was not shown before
   */
  async signedOut(token: string): Promise<readonly KeyRecord[]> {
    const { keys, log, settings } = this.#parts
    const provider = await this.#configuration()
    try {
      const { issuer, jwks_uri: keySet } = provider.serverMetadata()
      this.#logouts ??= new LogoutTokens({
        issuer,
        audience: settings.clientId,
        keySet: remoteKeySet(new URL(keySet ?? '')),
      })
      const subject = await this.#logouts.subjectOf(token)
      this.#parts.sessions?.endAllOfAdmin(subject, settings.issuer)
      return keys.people({ subject, issuer: settings.issuer }).filter(one => one.active)
    } catch (error) {
      log.warn({ err: error }, 'A logout token was refused')
      throw new Problem('unauthenticated', 'This is no logout token for this service, or it was shown before')
    }
  }

  async #claimsOf(search: string, begun: UnderWay & { readonly state: string }): Promise<Claims> {
    const client = await import('openid-client')
    const provider = await this.#configuration()
    try {
      const tokens = await client.authorizationCodeGrant(provider, new URL(`${begun.redirect}${search}`), {
        expectedState: begun.state,
        expectedNonce: begun.nonce,
        pkceCodeVerifier: begun.verifier,
        idTokenExpected: true,
      })
      const claims = tokens.claims() as Claims & { readonly sub: string }
      const more =
        provider.serverMetadata().userinfo_endpoint === undefined
          ? {}
          : await client.fetchUserInfo(provider, tokens.access_token, claims.sub)
      return { ...more, ...claims }
    } catch (error) {
      if (error instanceof client.AuthorizationResponseError)
        throw new Problem('forbidden', 'The identity provider did not sign you in')
      const fault = providerFault(error)
      if (fault === 'unanswered') throw this.#unreachable(error)
      if (fault === 'our credentials') {
        this.#parts.log.error(
          { err: error },
          'The identity provider does not know us: check EARSHOT_SSO_CLIENT_ID and EARSHOT_SSO_CLIENT_SECRET',
        )
        throw new Problem(
          'forbidden',
          'Your company’s identity provider can’t sign anybody in just now; an administrator finds why in the log',
        )
      }
      this.#parts.log.warn({ err: error }, 'An answer of the identity provider was refused')
      throw foreignAnswer()
    }
  }

  /** The person as the mapping has them now. Whom it has nothing for any more hears nothing from here on. */
  async #admit(claims: Claims): Promise<string> {
    const { keys, log, settings } = this.#parts
    const { issuer, mapping } = settings
    const { sub: subject, email, name = email ?? subject.slice(0, 120) } = identity.parse(claims)
    const known = keys.people({ subject, issuer })
    const active = known.filter(one => one.active)
    const author = { name: new URL(issuer).host, role: 'SuperAdmin' } as const
    const empty = async (people: readonly KeyRecord[]) => {
      for (const one of people) {
        // oxlint-disable-next-line no-await-in-loop -- writes of keys wait for each other
        await keys.patch(one.project_id, one.key_id, NOTHING, author)
      }
    }
    try {
      const mapped = mapClaims(mapping, claims)
      const { project_id: projectId } = mapped
      await empty(active.filter(one => one.project_id !== projectId))
      const here = active.find(one => one.project_id === projectId)
      const fields = { name, ...rightsOf(mapped) }
      if (here !== undefined) {
        if (canonicalJson(fieldsOf(here)) !== canonicalJson(fields))
          await keys.patch(projectId, here.key_id, fields, author)
        return here.key_id
      }
      if (known.some(one => one.project_id === projectId))
        throw new Problem('forbidden', 'An administrator has ended your access')
      const person = await keys.admit(projectId, fields, { subject, issuer }, author)
      log.info({ key_id: person.key_id, rules: mapped.rules }, 'A person signed in for the first time')
      return person.key_id
    } catch (error) {
      await empty(active)
      if (!(error instanceof Problem) || error.code === 'forbidden') throw error
      log.warn({ err: error }, 'What the mapping of sign-ins says can’t be given')
      throw new Problem('forbidden', 'What you would hear here can’t be given; an administrator finds why in the log')
    }
  }

  /** The provider's metadata; one that did not answer is asked again by the next who signs in. */
  #configuration(): Promise<Configuration> {
    this.#provider ??= this.#discover().catch((error: unknown) => {
      this.#provider = undefined
      throw this.#unreachable(error)
    })
    return this.#provider
  }

  #unreachable(error: unknown): Problem {
    this.#parts.log.warn({ err: error }, 'The identity provider could not be reached')
    return new Problem('forbidden', 'Your company’s identity provider can’t be reached from here; try again in a while')
  }

  async #discover(): Promise<Configuration> {
    const client = await import('openid-client')
    const { issuer, clientId, clientSecret } = this.#parts.settings
    const address = new URL(issuer)
    // Only an address of this machine comes here without TLS.
    const execute = [
      client.enableNonRepudiationChecks,
      // oxlint-disable-next-line typescript/no-deprecated -- marked so to be noticed
      ...(address.protocol === 'http:' ? [client.allowInsecureRequests] : []),
    ]
    const authentication = clientSecret === undefined ? client.None() : client.ClientSecretBasic(clientSecret)
    return await client.discovery(address, clientId, undefined, authentication, {
      execute,
      timeout: PROVIDER_TIMEOUT_S,
    })
  }
}

const NOTHING = { is_supervisor: false, roles: [], allowed_agents: [], teams: [], require_mapping: true }

function rightsOf({ allowed_agents, teams, full_project: full, roles, text }: MappedPerson) {
  return { is_supervisor: false, roles, allowed_agents, teams, require_mapping: !full, text }
}

function fieldsOf({ name, is_supervisor, roles, allowed_agents, teams, require_mapping, text }: KeyRecord) {
  return { name, is_supervisor, roles, allowed_agents, teams, require_mapping, text }
}

/** One sentence for everything that this browser did not begin, or that the provider did not say as it must be said. */
function foreignAnswer(): Problem {
  return new Problem('unauthenticated', 'This answer of the identity provider belongs to no sign-in of this browser')
}
