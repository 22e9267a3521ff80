import ipaddr from 'ipaddr.js'
import { type Rate, RateLimit } from '../admission/rate-limit.js'
import { type Asking, RequestRate } from '../admission/request-rate.js'
import { Problem } from '../base/problem.js'
import { sameSecret } from '../base/same-secret.js'
import type { KeyRecord } from '../store/records/key.js'
import type { AdminTokens } from './admin-tokens.js'
import type { Admin } from './admin.js'
import { callerOfAdmin, callerOfWebhook } from './caller-of.js'
import { trustedProxies, type IsTrusted } from './client-address.js'
import type { Caller, ConnectionTerms } from './caller.js'
import { connectedCaller } from './connected-caller.js'
import type { ConsoleSessions, SessionHolder } from './console-sessions.js'
import { firstOf } from './key-rights.js'
import { KEY_PREFIX } from './key-tokens.js'
import type { Keys } from './keys.js'
import type { Projects } from './projects.js'
import { foreignProject, projectOf } from './project-of.js'
import { requesterOfAdmin } from './requester-of.js'
import { asKnown, RefusedEntry } from './refused-entry.js'

/** Longest header that is read; admin tokens of identity providers have a few kilobytes. */
const MOST_HEADER_CHARACTERS = 8_192

// RFC 6750's b64token; exactly one, behind a scheme in any case.
const BEARER = /^bearer +([\w.~+/-]+=*)$/i

/**
 * The token of an `Authorization: Bearer <token>` header.
 * @throws Problem `unauthenticated` when the header is missing, too long or anything else
 */
function bearerToken(authorization: string | undefined): string {
  const header = authorization ?? ''
  const token = header.length <= MOST_HEADER_CHARACTERS ? BEARER.exec(header)?.[1] : undefined
  if (token === undefined) throw new Problem('unauthenticated', 'Authentication required')
  return token
}

/** What is counted of each address; see RateLimit. */
export const FAILURES = 'failed authentications a minute per address'

/** Who came in with this request, and what is left of the rate. */
export interface Entry {
  readonly caller: Caller
  /** The key's key_id, or the administrator's subject. */
  readonly keyId: string
  readonly rate: Rate
  /**
   * The caller as of now, for who asks when all of the request is there: its key may have been narrowed or revoked on the way.
   * @throws Problem `unauthenticated` when it is no longer accepted, `forbidden` from where it no longer is
   */
  current(): Caller
}

export interface AdminEntry {
  readonly admin: Admin
  readonly rate: Rate
  /** The same as of now. @throws Problem `unauthenticated` when their token has ended, or the session of the console they came in by */
  current(): Admin
}

/** An address of a project's that another product sends calls to. */
export interface InboundSender {
  readonly projectId: string
  readonly webhookId: string
  readonly name: string
}

/** Who sent something to such an address, and what it brings. */
export interface InboundEntry<T> extends Pick<Entry, 'caller' | 'keyId' | 'rate'> {
  readonly signed: T
}

/** Access tokens of clients that signed in: each stands for a key, at one endpoint. */
export interface AccessTokens {
  /** @param resource the address of the endpoint that is asked */
  holderOf(token: string, resource: string): TokenHolder | undefined
  /** Takes up a token that another process may have given. */
  look(token: string): Promise<void>
}

/** Whom an access token stands for: a key, less what was left out for the client. */
export interface TokenHolder {
  readonly keyId: string
  readonly connection: ConnectionTerms
}

/** What is shown and accepted, as of now. */
interface Accepted {
  readonly key: KeyRecord
  readonly connection?: ConnectionTerms
}

/** What else changes who may come in. */
export interface OtherProcesses {
  /** Takes up what they did by now. */
  look(): Promise<void>
  /** @throws Problem `store_unavailable` where it is not known what they did lately */
  refuseStale(): void
}

export interface GateParts {
  readonly keys: Pick<Keys, 'resolve' | 'accepted' | 'invited' | 'used' | 'callerOf'>
  /** Whom an access token of a sign-in stands for; unset: there are none. */
  readonly connections?: AccessTokens
  readonly adminTokens: Pick<AdminTokens, 'verify' | 'refuseEnded'>
  /** Whether anything of what is answered was taken away meanwhile; unset: nobody looks. */
  readonly projects?: Pick<Projects, 'takenAway'>
  /** Counts requests over both listeners together; 600 a minute per key or administrator by default. */
  readonly rate?: RequestRate
  /** Counts failed authentications by address: see FAILURES; 30 a minute by default. */
  readonly failures?: RateLimit
  /** Who signed in to the console; absent where there is none. */
  readonly sessions?: Pick<ConsoleSessions, 'holderOf' | 'follow'> | undefined
  /** What other processes of the store change; absent where there are none. */
  readonly others?: OtherProcesses | undefined
  /** Lets whoever shows it read the metrics from elsewhere than this machine; unset: nobody. */
  readonly metricsToken?: string | undefined
}

const JWT = /^[\w-]+\.[\w-]+\.[\w-]*$/

/**
 * The one place where requests are authenticated and their rate is limited, for both listeners. Nothing is remembered
 * from one request to the next but the counts.
 *
 * Refusals are Problems: `unauthenticated` with the specification's texts, and as a RefusedEntry, for the record, what
 * somebody known may not: `forbidden`, `too_many_requests`. A valid
 * credential always gets in, also from an address with too many failures: behind a shared address one stranger's
 * guesses must not lock everybody out, and tokens of 256 random bits can't be guessed at any rate.
 */
export class Gate {
  readonly #keys: GateParts['keys']
  readonly #connections: AccessTokens | undefined
  readonly #adminTokens: GateParts['adminTokens']
  readonly #projects: GateParts['projects']
  readonly #requests: RequestRate
  readonly #failures: RateLimit
  readonly #metricsToken: string | undefined
  readonly #sessions: GateParts['sessions']
  readonly #others: OtherProcesses | undefined
  /** What the networks of a key were read as. */
  readonly #networks = new WeakMap<readonly string[], IsTrusted>()

  constructor(parts: GateParts) {
    this.#keys = parts.keys
    this.#connections = parts.connections
    this.#adminTokens = parts.adminTokens
    this.#projects = parts.projects
    this.#requests = parts.rate ?? new RequestRate({ requestsPerMinute: 600 })
    this.#failures = parts.failures ?? new RateLimit(30, FAILURES)
    this.#metricsToken = parts.metricsToken
    this.#sessions = parts.sessions
    this.#others = parts.others
  }

  /**
   * The tool server: an application key, or an access token that stands for one.
   * @param resource the public address of the endpoint, for which alone an access token is; unset: none is taken
   */
  async enter(authorization: string | undefined, address: string, resource?: string): Promise<Entry> {
    return await this.#counted(address, async () => {
      const token = bearerToken(authorization)
      if (resource !== undefined && !token.startsWith(KEY_PREFIX)) await this.#connections?.look(token)
      return await this.#enterAccepted(() => this.#acceptedBy(token, resource), address)
    })
  }

  /** The sign-in of AI clients: an invitation, which is not used up by it. */
  async enterByInvitation(code: string, address: string): Promise<Entry> {
    return await this.#counted(address, () => this.#enterByKey(() => this.#keys.invited(code), address))
  }

  /**
   * The sign-in by an identity provider.
   * @param find the person it says has come, by their key, or the administrator with the project they named; rejects as a refusal does
   */
  async enterByProvider(
    find: () => Promise<string | (Pick<AdminEntry, 'admin'> & { readonly project: string | undefined })>,
    address: string,
  ): Promise<Entry> {
    return await this.#counted(address, async () => {
      const found = await find()
      if (typeof found === 'object') return await this.#enterAdmin(found.admin, found.project)
      return await this.#enterByKey(() => this.#keys.accepted(found), address)
    })
  }

  /** What the identity provider sends by itself. @param verify rejects with `unauthenticated` for what it did not send */
  async hearProvider<T>(verify: () => Promise<T>, address: string): Promise<T> {
    return await this.#counted(address, verify)
  }

  /** The console's sign-in: a link that was made here, which lets its bearer in once. */
  async enterByLink(code: string, address: string): Promise<Entry> {
    return await this.#counted(address, async () => {
      const keyId = this.#sessions?.follow(code)
      if (keyId === undefined)
        throw new Problem('unauthenticated', 'The link was used already or is older than an hour')
      return await this.#enterByKey(() => this.#keys.accepted(keyId), address)
    })
  }

  /**
   * REST and the console's sign-in: an application key or an admin token, or the console's session, which stands for either.
   * @param projectHeader X-Project-Id: how a SuperAdmin names the project; from others it may only name their own
   * @param session of the console, from a request that its own page sent
   */
  async enterApi(
    authorization: string | undefined,
    address: string,
    projectHeader?: string,
    session?: string,
  ): Promise<Entry> {
    return await this.#counted(address, async () => {
      const ofOwnProject = (entry: Entry): Entry => {
        if (projectHeader === undefined || projectHeader === entry.caller.project_id) return entry
        throw new RefusedEntry(foreignProject(), entry.caller)
      }
      if (authorization === undefined && session !== undefined) {
        const holder = this.#sessions?.holderOf(session)
        if (typeof holder === 'object')
          return ofOwnProject(await this.#enterAdmin(await this.#adminOf(holder), holder.projectId, session))
        return ofOwnProject(await this.#enterByKey(() => this.#keyOfSession(session), address))
      }
      const token = bearerToken(authorization)
      if (!JWT.test(token)) return ofOwnProject(await this.#enterByKey(() => this.#keys.resolve(token), address))
      return await this.#enterAsAdmin(token, projectHeader)
    })
  }

  /**
   * Whom a session of the console stands for by now, of what was opened with it and goes on: no request, and no use of the session.
   * @throws Problem `unauthenticated` when it has ended, or what it stands for is no longer accepted
   */
  async stillIn(session: string, address: string): Promise<Caller> {
    this.#others?.refuseStale()
    const holder = this.#sessions?.holderOf(session, false)
    if (typeof holder === 'object') {
      const admin = await this.#adminOf(holder)
      return this.#withTakenAway(callerOfAdmin(admin, projectOf(admin, holder.projectId)))
    }
    const accepted = asOfNow(() => {
      const key = holder === undefined ? undefined : this.#keys.accepted(holder)
      return key === undefined ? undefined : { key }
    })
    if (!this.#isAccepted(accepted.key, address)) throw elsewhere()
    return this.#callerOf(accepted)
  }

  /**
   * What another product sends: who it is, its signature says, so the body is there by now. Only what is signed takes of the
   * webhook's rate: whoever knows its address must not keep its sender out.
   * @param webhook what the address names; undefined where there is none, which counts as a signature that does not hold does
   * @param verify what the request brings; undefined where its signature does not hold
   */
  async enterInbound<T>(
    webhook: InboundSender | undefined,
    verify: () => T | undefined,
    address: string,
  ): Promise<InboundEntry<T>> {
    return await this.#counted(address, async () => {
      if (webhook === undefined) throw unsigned()
      const { projectId: project, webhookId, name } = webhook
      const caller = callerOfWebhook(project, webhookId, name)
      const signed = verify()
      if (signed === undefined) throw new RefusedEntry(unsigned(), caller)
      const rate = await asKnown(caller, () => this.#requests.take({ project, key: `key ${webhookId}` }))
      return { caller, keyId: webhookId, rate, signed }
    })
  }

  /**
   * Administration of one project: an admin token that may act on it, whether it exists or not, or an administrator's session
   * that is about it.
   * @param session of the console, from a request that its own page sent
   */
  async enterAdmin(
    authorization: string | undefined,
    address: string,
    projectId: string,
    session?: string,
  ): Promise<AdminEntry> {
    const entry = await this.#counted(address, async () => {
      const own = authorization === undefined ? session : undefined
      const holder = own === undefined ? undefined : this.#sessions?.holderOf(own)
      if (typeof holder !== 'object') return await this.#enterByAdminToken(bearerToken(authorization))
      const entered = await this.#known(await this.#adminOf(holder), own)
      // It is about one project, whatever else the administrator may act on.
      if (holder.projectId !== projectId) throw new RefusedEntry(foreignProject(), entered.admin)
      return entered
    })
    await asKnown(entry.admin, () => projectOf(entry.admin, projectId))
    return entry
  }

  /** What only a SuperAdmin may: projects. */
  async enterSuperAdmin(authorization: string | undefined, address: string): Promise<AdminEntry> {
    const entry = await this.#counted(address, () => this.#enterByAdminToken(bearerToken(authorization)))
    if (entry.admin.role === 'SuperAdmin') return entry
    throw new RefusedEntry(new Problem('forbidden', 'Role SuperAdmin required'), entry.admin)
  }

  /**
   * The metrics: anyone on this machine, or whoever shows the token of the metrics.
   * @param local whether the request comes from this machine itself, by no proxy
   */
  async enterMetrics(authorization: string | undefined, address: string, local: boolean): Promise<void> {
    if (local && authorization === undefined) return
    // Also while the store does not answer.
    await this.#countingFailures(address, async () => {
      const token = bearerToken(authorization)
      if (this.#metricsToken === undefined || !sameSecret(token, this.#metricsToken)) {
        throw new Problem('unauthenticated', 'Invalid metrics token')
      }
      await Promise.resolve()
    })
  }

  /** @param resolve the key as it is at the instant it is called: nothing of it is remembered */
  async #enterByKey(resolve: () => KeyRecord | undefined, address: string): Promise<Entry> {
    return await this.#enterAccepted(() => {
      const key = resolve()
      return key === undefined ? undefined : { key }
    }, address)
  }

  async #enterAccepted(resolve: () => Accepted | undefined, address: string): Promise<Entry> {
    const now = () => asOfNow(resolve)
    const current = (): Caller => {
      this.#others?.refuseStale()
      const accepted = now()
      if (!this.#isAccepted(accepted.key, address)) throw elsewhere()
      return this.#callerOf(accepted)
    }
    // What nobody knows here may have been minted elsewhere just now.
    if (this.#others !== undefined && resolve() === undefined) await this.#others.look()
    const accepted = now()
    const { key } = accepted
    const caller = this.#callerOf(accepted)
    const { credential_id: keyId, project_id: project } = caller
    const perMinute = key.requests_per_minute
    // Both tokens of a rotation spend the same, as they do of a day's budget.
    const spender = `key ${firstOf(key)}`
    const rate = await asKnown(caller, () => this.#requests.take({ project, key: spender, perMinute }))
    if (!this.#isAccepted(key, address)) throw new RefusedEntry(elsewhere(), caller)
    this.#keys.used(keyId)
    return { caller, keyId, rate, current }
  }

  #callerOf({ key, connection }: Accepted): Caller {
    const caller = this.#keys.callerOf(key)
    return this.#withTakenAway(connection === undefined ? caller : connectedCaller(caller, connection))
  }

  /** With what was taken away of the project by now. */
  #withTakenAway(caller: Caller): Caller {
    const takenAway = this.#projects?.takenAway(caller.project_id)
    return takenAway === undefined ? caller : { ...caller, takenAway }
  }

  #acceptedBy(token: string, resource: string | undefined): Accepted | undefined {
    const holder = resource === undefined ? undefined : this.#connections?.holderOf(token, resource)
    const key = holder === undefined ? this.#keys.resolve(token) : this.#keys.accepted(holder.keyId)
    return key === undefined ? undefined : { key, ...(holder && { connection: holder.connection }) }
  }

  /** Whether a key may be used from where it is shown. */
  #isAccepted({ allowed_networks: networks }: KeyRecord, address: string): boolean {
    if (networks === undefined) return true
    const isWithin = this.#networks.get(networks) ?? trustedProxies(networks)
    this.#networks.set(networks, isWithin)
    return isWithin(address)
  }

  #keyOfSession(session: string): KeyRecord | undefined {
    const holder = this.#sessions?.holderOf(session)
    return typeof holder === 'string' ? this.#keys.accepted(holder) : undefined
  }

  async #adminOf(holder: Exclude<SessionHolder, string>): Promise<Admin> {
    return 'admin' in holder ? holder.admin : await this.#adminTokens.verify(holder.adminToken)
  }

  async #enterAsAdmin(token: string, project: string | undefined): Promise<Entry> {
    return await this.#enterAdmin(await this.#adminTokens.verify(token), project)
  }

  async #enterAdmin(admin: Admin, project: string | undefined, session?: string): Promise<Entry> {
    const known = await this.#known(admin, session)
    const caller = callerOfAdmin(admin, await asKnown(admin, () => projectOf(admin, project)))
    const current = (): Caller => {
      known.current()
      return this.#withTakenAway(caller)
    }
    return { caller: this.#withTakenAway(caller), keyId: admin.subject, rate: known.rate, current }
  }

  async #enterByAdminToken(token: string): Promise<AdminEntry> {
    return await this.#known(await this.#adminTokens.verify(token))
  }

  async #known(admin: Admin, session?: string): Promise<AdminEntry> {
    const current = (): Admin => {
      if (session !== undefined && this.#sessions?.holderOf(session, false) === undefined) throw inactive()
      this.#adminTokens.refuseEnded(admin)
      return admin
    }
    return { admin, rate: await asKnown(admin, () => this.#requests.take(askingOf(admin))), current }
  }

  async #counted<T>(address: string, authenticate: () => Promise<T>): Promise<T> {
    this.#others?.refuseStale()
    return await this.#countingFailures(address, authenticate)
  }

  /** Counts failures by address; from one too many on, their text is the limit's. */
  async #countingFailures<T>(address: string, authenticate: () => Promise<T>): Promise<T> {
    try {
      return await authenticate()
    } catch (error) {
      if (error instanceof Problem && error.code === 'unauthenticated')
        await this.#failures.take(clientNetwork(address))
      throw error
    }
  }
}

function asOfNow(resolve: () => Accepted | undefined): Accepted {
  const accepted = resolve()
  if (accepted === undefined) throw inactive()
  return accepted
}

function inactive(): Problem {
  return new Problem('unauthenticated', 'Invalid or inactive API key')
}

/** The refusal of a key that was shown from outside its networks; whoever may use it must learn why. */
function elsewhere(): Problem {
  return new Problem('forbidden', 'This key is not accepted from this address')
}

/** Who issues tokens for one project may give them any subject: it names an administrator within that project only. */
function askingOf(admin: Admin): Asking {
  const { project, key } = requesterOfAdmin(admin)
  return project === '' ? { key } : { project, key }
}

/**
 * What an address is counted as: an IPv4 address (mapped ones too), the /64 of an IPv6 one (a single host commands all
 * of it), or the text as it is when it is neither.
 */
export function clientNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString()
  return `${parsed.parts
    .slice(0, 4)
    .map(part => part.toString(16))
    .join(':')}::/64`
}

/** Of an inbound webhook that is not there the same is said as of a signature that does not hold. */
export function unsigned(): Problem {
  return new Problem('unauthenticated', 'No webhook here takes a request with this signature')
}
