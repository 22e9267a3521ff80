import { createHash } from 'node:crypto'
import type { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import { z } from 'zod'
import { boundedCache } from '../base/bounded-cache.js'
import { Problem } from '../base/problem.js'
import { echo } from '../base/text.js'
import type { Narrowing, OAuthKind, OAuthRecord, OAuthStore, PassingKind, PassingStore } from '../store/oauth-store.js'
import { type Followed, SharedRecords, type Sharing } from '../store/shared-records.js'
import type { ConnectionTerms } from '../access/caller.js'
import type { TokenHolder } from '../access/gate.js'
import type { KeyEvent, Keys } from '../access/keys.js'
import type { ClientIds } from './client-ids.js'
import type { Connection } from './connection.js'

/** Connections that one key has at most; beyond it the oldest ends. */
const MOST_CONNECTIONS_PER_KEY = 100

/** Codes and access tokens; what they are of is in the store. */
const MOST_PASSING = 100_000
/** Sign-ins under way. Strangers begin them: they are kept apart, so that they put out nothing that somebody let in. */
const MOST_UNDER_WAY = 10_000
const PASSING_MS = 60 * 60_000

/** A client that was let in is known for so long after it was last. */
const CLIENT_DAYS = 90

/**
 * A refresh token may be used again for so long after its first use: two windows of one client refresh at once, and to the
 * library the second of them is a thief.
 */
const REUSE_SECONDS = 10

const KEPT: ReadonlySet<string> = new Set<OAuthKind>(['Client', 'Grant', 'RefreshToken'])

/** What another process may be asked for; the pages of a sign-in are one's. */
const PASSED_ON: ReadonlySet<string> = new Set<PassingKind>(['AuthorizationCode', 'AccessToken'])

/** How long an access token that another process gave is taken without asking again, in milliseconds. */
const SEEN_MS = 5_000

/** What the authorization server keeps of anything; of its fields we read these. */
type Payload = Readonly<Record<string, unknown>>
const readFields = z.looseObject({
  accountId: z.string().optional(),
  clientId: z.string().optional(),
  grantId: z.string().optional(),
  aud: z.union([z.string(), z.array(z.string())]).optional(),
  iat: z.number().optional(),
  exp: z.number().optional(),
  consumed: z.number().optional(),
  client_name: z.string().optional(),
  redirect_uris: z.array(z.string()).optional(),
})

/** Where the authorization server keeps what it makes, in the form it asks for. */
export interface OAuthAdapter {
  upsert(id: string, payload: Payload, expiresIn?: number): Promise<void>
  find(id: string): Promise<Record<string, unknown> | undefined>
  findByUid(uid: string): Promise<undefined>
  findByUserCode(code: string): Promise<undefined>
  /** @returns whether it may be used: a code once */
  consume(id: string): Promise<boolean>
  destroy(id: string): Promise<void>
  revokeByGrantId(grantId: string): Promise<void>
}

interface ConnectionsParts {
  readonly store: OAuthStore
  readonly clientIds: ClientIds
  readonly sharing?: Sharing
  readonly keys: Pick<Keys, 'onChange'>
  readonly log: Pick<Logger, 'error'>
  /** Milliseconds since 1970; the system's clock by default. */
  readonly clock?: () => number
}

const hashOf = (id: string): string => createHash('sha256').update(id).digest('hex')
const placeOf = (kind: string, id: string): string => `${kind} ${hashOf(id)}`
const placeOfRecord = ({ kind, id_hash: hash }: OAuthRecord): string => `${kind} ${hash}`

/**
 * Clients that signed in, each tied to a key: whatever narrows, ends or revokes the key holds for them at the next request.
 * In memory, as the keys are; clients that were let in, their grants and refresh tokens are in the store too, everything that
 * lets somebody in as its hash only. Access tokens live for minutes and only here: after a restart clients refresh. Of a client that
 * let nobody in yet nothing is kept: strangers write nothing.
 */
export class Connections {
  readonly clientIds: ClientIds
  readonly #store: OAuthStore
  readonly #log: ConnectionsParts['log']
  readonly #clock: () => number
  readonly #kept: SharedRecords<OAuthRecord>
  readonly #passing: LRUCache<string, Payload>
  readonly #underWay: LRUCache<string, Payload>
  readonly #shared: PassingStore | undefined
  /** Of grants that are being made, what is left out. */
  readonly #leftOut = new Map<string, Narrowing>()
  /** Access tokens that were asked for just now. */
  readonly #seen: LRUCache<string, true>

  private constructor({ store, clientIds, sharing, log, clock = Date.now }: ConnectionsParts) {
    this.clientIds = clientIds
    this.#store = store
    this.#kept = new SharedRecords({ kind: 'connections', sharing, all: () => store.all(), idOf: placeOfRecord })
    this.#shared = store.passing
    this.#log = log
    this.#clock = clock
    const perf = { now: clock }
    this.#passing = boundedCache(MOST_PASSING, { ttl: PASSING_MS, perf })
    this.#underWay = boundedCache(MOST_UNDER_WAY, { ttl: PASSING_MS, perf })
    this.#seen = boundedCache(MOST_PASSING, { ttl: SEEN_MS, perf })
  }

  static async load(parts: ConnectionsParts): Promise<Connections> {
    const connections = new Connections(parts)
    await connections.#kept.load()
    await connections.#removeWhere(({ expires_at: at }) => Date.parse(at) <= connections.#clock())
    parts.keys.onChange(event => void connections.#hear(event))
    return connections
  }

  /** What others change is taken up by. */
  get followed(): Followed {
    return this.#kept
  }

  /** Takes up an access token that another process may have given. */
  async look(token: string): Promise<void> {
    const place = placeOf('AccessToken', token)
    if (this.#shared === undefined || this.#seen.has(place)) return
    const found = await this.#shared.find('AccessToken', hashOf(token))
    if (found === undefined) {
      this.#passing.delete(place)
      return
    }
    this.#passing.set(place, found.payload, { ttl: Math.max(1, Date.parse(found.expires_at) - this.#clock()) })
    const { grantId = '' } = readFields.parse(found.payload)
    await this.#kept.lookUp(placeOf('Grant', grantId))
    this.#seen.set(place, true)
  }

  /** Whom an access token stands for, if it is one for this resource, the address of an endpoint. */
  holderOf(token: string, resource: string): TokenHolder | undefined {
    const payload = this.#passing.get(placeOf('AccessToken', token))
    if (payload === undefined) return undefined
    const { aud, exp = 0, accountId: keyId, grantId = '' } = readFields.parse(payload)
    const audiences = typeof aud === 'string' ? [aud] : (aud ?? [])
    if (keyId === undefined || !audiences.includes(resource) || exp * 1000 <= this.#clock()) return undefined
    const grant = this.#kept.get(placeOf('Grant', grantId))
    // A token that was given just before the end of what it is of does not outlast that.
    if (grant === undefined || Date.parse(grant.expires_at) <= this.#clock()) return undefined
    return { keyId, connection: termsOf(grant) }
  }

  /**
   * Makes a grant of which something is left out for its client. It is written with that: where others of the store hear of it
   * between two writes, one without would be all that the key hears.
   * @param save writes the grant of this id
   */
  async narrowed(grantId: string, left: Narrowing, save: () => Promise<unknown>): Promise<void> {
    const place = placeOf('Grant', grantId)
    this.#leftOut.set(place, left)
    try {
      await save()
    } finally {
      this.#leftOut.delete(place)
    }
  }

  /** The connections of keys, oldest first. */
  of(...keyIds: readonly string[]): readonly Connection[] {
    const keys = new Set(keyIds)
    const grants: OAuthRecord[] = []
    const used = new Map<string, number>()
    for (const record of this.#kept.values()) {
      const { kind, payload } = record
      if (!keys.has(String(payload['accountId']))) continue
      if (kind === 'Grant') grants.push(record)
      if (kind !== 'RefreshToken') continue
      const { grantId = '', iat = 0 } = readFields.parse(payload)
      const hash = hashOf(grantId)
      used.set(hash, Math.max(iat, used.get(hash) ?? 0))
    }
    return grants.sort(byAge).map(grant => this.#view(grant, used.get(grant.id_hash) ?? 0))
  }

  /** What a connection of a key is let in for. @throws Problem `not_found` */
  termsOf(keyId: string, connectionId: string): ConnectionTerms {
    return termsOf(this.#grantOf(keyId, connectionId))
  }

  /** Ends a connection of a key at once. @throws Problem `not_found` */
  async end(keyId: string, connectionId: string): Promise<Connection> {
    await this.#takeUpAll()
    const grant = this.#grantOf(keyId, connectionId)
    const ended = this.of(keyId).find(one => one.connection_id === connectionId)!
    await this.#endGrants([grant])
    return ended
  }

  /** Ends all connections of a key at once. */
  async endAllOf(keyId: string): Promise<void> {
    await this.#takeUpAll()
    await this.#endGrants(this.#grantsOf(keyId))
  }

  /** Takes up what other processes changed, refresh tokens included, of which nobody is told. */
  async #takeUpAll(): Promise<void> {
    if (this.#shared !== undefined) await this.#kept.reload()
  }

  /** What the authorization server keeps of one kind of its things. */
  adapter(kind: string): OAuthAdapter {
    // Everybody is asked anew each time: a browser that was used once lets nobody in.
    const isKept = kind !== 'Session'
    return {
      upsert: async (id, payload, expiresIn) => {
        if (isKept) await this.#put(kind, id, payload, expiresIn)
      },
      find: id => this.#find(kind, id),
      findByUid: async () => await Promise.resolve(undefined),
      findByUserCode: async () => await Promise.resolve(undefined),
      consume: async id => {
        const seconds = Math.floor(this.#clock() / 1000)
        if (this.#shared !== undefined && isPassedOn(kind)) return await this.#shared.consume(kind, hashOf(id), seconds)
        const found = await this.#read(kind, id)
        if (found?.['consumed'] !== undefined) return kind === 'RefreshToken'
        if (found === undefined) return true
        const left = typeof found['exp'] === 'number' ? found['exp'] - seconds : undefined
        await this.#put(kind, id, { ...found, consumed: seconds }, left)
        return true
      },
      destroy: async id => {
        const place = placeOf(kind, id)
        this.#passingOf(kind).delete(place)
        if (isPassedOn(kind)) await this.#shared?.remove(kind, hashOf(id))
        if (kind === 'RefreshToken') await this.#readToken(id)
        await this.#removeWhere(record => placeOfRecord(record) === place)
      },
      revokeByGrantId: async grantId => {
        await this.#forgetPassing(new Set([hashOf(grantId)]))
        await this.#takeUpAll()
        await this.#removeWhere(({ payload }) => payload['grantId'] === grantId)
      },
    }
  }

  async #put(kind: string, id: string, written: Payload, expiresIn?: number): Promise<void> {
    const { jti: _id, ...payload } = written
    const place = placeOf(kind, id)
    if (this.#shared !== undefined && isPassedOn(kind) && this.#kept.get(place) === undefined) {
      const { grantId } = readFields.parse(payload)
      await this.#shared.put({
        kind,
        id_hash: hashOf(id),
        ...(grantId !== undefined && { grant_hash: hashOf(grantId) }),
        payload,
        expires_at: new Date(this.#clock() + (expiresIn === undefined ? PASSING_MS : expiresIn * 1000)).toISOString(),
      })
      return
    }
    if (kind === 'Client' && this.#kept.get(place) === undefined) return
    if (!KEPT.has(kind)) {
      this.#passingOf(kind).set(place, payload, expiresIn === undefined ? {} : { ttl: Math.max(1, expiresIn * 1000) })
      return
    }
    if (kind === 'Grant') {
      const { clientId = '', accountId = '' } = readFields.parse(payload)
      await this.#keepClient(clientId)
      await this.#endGrants(this.#grantsOf(accountId).slice(0, -(MOST_CONNECTIONS_PER_KEY - 1)))
    }
    await this.#write(kind as OAuthKind, hashOf(id), payload, this.#clock() + (expiresIn ?? CLIENT_DAYS * DAY_S) * 1000)
  }

  async #keepClient(id: string): Promise<void> {
    const payload = await this.#read('Client', id)
    if (payload === undefined) return
    await this.#write('Client', hashOf(id), payload, this.#clock() + CLIENT_DAYS * DAY_S * 1000)
  }

  async #write(kind: OAuthKind, hash: string, payload: Payload, expiresAt: number): Promise<void> {
    const place = `${kind} ${hash}`
    // The library writes its things anew, and knows nothing of this.
    const narrowing = this.#kept.get(place)?.narrowing ?? this.#leftOut.get(place) ?? {}
    await this.#keep({
      kind,
      id_hash: hash,
      payload,
      ...(Object.keys(narrowing).length > 0 && { narrowing }),
      expires_at: new Date(expiresAt).toISOString(),
    })
  }

  async #keep(record: OAuthRecord): Promise<void> {
    await this.#kept.write(record, () => this.#store.put(record))
  }

  #payloadOf(kind: string, id: string): Payload | undefined {
    const place = placeOf(kind, id)
    const kept = this.#kept.get(place)
    if (kept !== undefined && Date.parse(kept.expires_at) > this.#clock()) return kept.payload
    return kind === 'Client' ? this.clientIds.registrationOf(id) : this.#passingOf(kind).get(place)
  }

  #passingOf(kind: string): LRUCache<string, Payload> {
    return isPassedOn(kind) ? this.#passing : this.#underWay
  }

  /** What is known of it here; and else, where there are others, by them. */
  async #read(kind: string, id: string): Promise<Payload | undefined> {
    if (kind === 'RefreshToken') await this.#readToken(id)
    const found = this.#payloadOf(kind, id)
    if (found !== undefined || this.#shared === undefined) return found
    const passed = isPassedOn(kind) ? await this.#shared.find(kind, hashOf(id)) : undefined
    if (passed !== undefined || !KEPT.has(kind)) return passed?.payload
    await this.#kept.catchUp()
    return this.#payloadOf(kind, id)
  }

  /** Of a refresh token that was given, used or ended elsewhere others are not told: it is looked up when it is used. */
  async #readToken(id: string): Promise<void> {
    const place = placeOf('RefreshToken', id)
    if (this.#shared === undefined) return
    const found = await this.#shared.refreshToken(hashOf(id))
    if (found === undefined) this.#kept.forget(place)
    else this.#kept.set(found)
  }

  async #find(kind: string, id: string): Promise<Record<string, unknown> | undefined> {
    const found = await this.#read(kind, id)
    if (found === undefined) return undefined
    const { consumed, ...payload } = found
    const isUsedUp =
      typeof consumed === 'number' && (kind !== 'RefreshToken' || this.#clock() / 1000 - consumed >= REUSE_SECONDS)
    return { ...payload, ...(isUsedUp ? { consumed } : {}), ...(kind === 'Client' ? {} : { jti: id }) }
  }

  #grantsOf(keyId: string): readonly OAuthRecord[] {
    return [...this.#kept.values()]
      .filter(({ kind, payload }) => kind === 'Grant' && payload['accountId'] === keyId)
      .sort(byAge)
  }

  #grantOf(keyId: string, connectionId: string): OAuthRecord {
    const grant = this.#grantsOf(keyId).find(record => idOf(record) === connectionId)
    if (grant === undefined) throw new Problem('not_found', `Connection not found: ${echo(connectionId)}`)
    return grant
  }

  #tokensOf(grants: readonly OAuthRecord[]): readonly OAuthRecord[] {
    const hashes = new Set(grants.map(({ id_hash: hash }) => hash))
    return [...this.#kept.values()].filter(
      ({ kind, payload: { grantId } }) =>
        kind === 'RefreshToken' && typeof grantId === 'string' && hashes.has(hashOf(grantId)),
    )
  }

  /** @param used when it was last given tokens, seconds since 1970 */
  #view(grant: OAuthRecord, used: number): Connection {
    const { clientId = '', iat = 0 } = readFields.parse(grant.payload)
    const client = readFields.parse(this.#payloadOf('Client', clientId) ?? {})
    return {
      connection_id: idOf(grant),
      key_id: String(grant.payload['accountId']),
      // Of a client that is known by a document, which is not kept, the document's host says who it is.
      client_name: client.client_name ?? hostOf(clientId),
      redirect_host: hostOf(client.redirect_uris?.[0] ?? clientId),
      created_at: timeOf(iat),
      last_used_at: timeOf(Math.max(iat, used)),
      expires_at: grant.expires_at,
      ...grant.narrowing,
    }
  }

  async #endGrants(grants: readonly OAuthRecord[]): Promise<void> {
    if (grants.length === 0) return
    const tokens = this.#tokensOf(grants)
    const ended = new Set([...grants, ...tokens])
    await Promise.all([
      this.#forgetPassing(new Set(grants.map(({ id_hash: hash }) => hash))),
      this.#removeWhere(record => ended.has(record)),
    ])
  }

  /** Ends the codes and access tokens of grants, which are named by the hashes of their ids. */
  async #forgetPassing(hashes: ReadonlySet<string>): Promise<void> {
    for (const [place, { grantId }] of this.#passing.entries()) {
      if (typeof grantId === 'string' && hashes.has(hashOf(grantId))) this.#passing.delete(place)
    }
    await this.#shared?.removeOf([...hashes])
  }

  async #removeWhere(isGone: (record: OAuthRecord) => boolean): Promise<void> {
    const gone = [...this.#kept.values()].filter(isGone)
    await this.#kept.drop(gone.map(placeOfRecord), () => this.#store.remove(gone))
  }

  /** What a revoked key let in is gone with it. Its tokens are refused before that: they stand for the key. */
  async #hear({ keyId, kind }: KeyEvent): Promise<void> {
    if (kind !== 'revoked') return
    try {
      await this.endAllOf(keyId)
    } catch (error) {
      this.#log.error({ err: error, key_id: keyId }, 'The connections of a revoked key could not be removed')
    }
  }
}

const DAY_S = 86_400

const isPassedOn = (kind: string): kind is PassingKind => PASSED_ON.has(kind)

const byAge = (a: OAuthRecord, b: OAuthRecord): number =>
  Number(a.payload['iat']) - Number(b.payload['iat']) || (a.id_hash < b.id_hash ? -1 : 1)

/** Since when a client is let in, and for what. */
function termsOf({ payload, narrowing: left }: OAuthRecord): ConnectionTerms {
  const { iat = 0 } = readFields.parse(payload)
  return { since: timeOf(iat), ...(left && { narrowing: left }) }
}

const timeOf = (seconds: number): string => new Date(seconds * 1000).toISOString()

/** Names a connection without letting anybody in. */
const idOf = ({ id_hash: hash }: OAuthRecord): string => `con_${hash.slice(0, 24)}`

/** Where an address leads, as people can judge it: its host, or for a program's own scheme that. */
export function hostOf(address: string): string {
  if (!URL.canParse(address)) return ''
  const { protocol, host, href } = new URL(address)
  if (protocol === 'https:' || protocol === 'http:') return host
  return href.startsWith(`${protocol}//`) ? `${protocol}//` : protocol
}
