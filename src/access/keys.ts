import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Logger } from 'pino'
import type { Budgets } from '../admission/budgets.js'
import type { DaySpent } from '../admission/day-budgets.js'
import { badField } from '../base/bad-field.js'
import { Problem } from '../base/problem.js'
import { echo } from '../base/text.js'
import type { NewEvent } from '../events/event-kinds.js'
import type { EventPort } from '../events/event-port.js'
import { type KeyRecord, type KeyView, keyViewOf, type MintedKey } from '../store/records/key.js'
import { type Followed, SharedRecords, type Sharing } from '../store/shared-records.js'
import type { KeyStore } from '../store/store.js'
import { callerOfKey } from './caller-of.js'
import type { Caller } from './caller.js'
import { KeyEnds } from './key-ends.js'
import type { KeyPatch, NewKey } from './key-fields.js'
import {
  changedKey,
  firstOf,
  given,
  haveSameRights,
  type KeyAuthor,
  type KeyFields,
  mayGive,
  refuseChangedKeys,
  rightsOf,
  sharedOf,
} from './key-rights.js'
import { INVITATION_PREFIX, KEY_PREFIX, newToken, tokenHash, tokenPreview } from './key-tokens.js'
import { LastUsed } from './last-used.js'
import type { Projects } from './projects.js'
import { hearsFullProject, isFullProject } from './scope-of.js'
import type { Teams } from './teams.js'

/** How long an invitation can be accepted. */
const INVITATION_MS = 7 * 86_400_000

/** How often times of last use are written, in milliseconds. */
const FLUSH_MS = 5_000

/** Active keys of a project, where nothing else is set: one for everybody of a large centre. */
const MOST_KEYS = 1_000

/** Who a person is, by the word of whoever invited them or of an identity provider. */
export interface Identity {
  readonly subject: string
  readonly issuer?: string
}

/** An invitation as its maker sees it, once. */
export interface Invitation {
  readonly key: KeyView
  readonly code: string
}

export interface KeyEvent {
  readonly keyId: string
  /**
   * changed: name or rights are others from the next request on. signed_out: the person signed out at their identity provider, and
   * every session and client of theirs ends. revoked: the key is no longer accepted.
   */
  readonly kind: 'changed' | 'signed_out' | 'revoked'
}

export interface KeysParts {
  readonly store: KeyStore
  readonly sharing?: Sharing
  readonly projects: Pick<Projects, 'get'>
  readonly teams: Pick<Teams, 'find' | 'version'>
  readonly log: Pick<Logger, 'error'>
  /** Hears of keys that are minted or revoked, after it is in the store; nobody by default. */
  readonly events?: EventPort
  /** Active keys that a project may have; 1,000 by default. */
  readonly maxKeysPerProject?: number
  /** Milliseconds after which every new key ends, at the latest; by default a key that names no end has none. */
  readonly maxLifetimeMs?: number | undefined
  /** Milliseconds since 1970; the system's clock by default. */
  readonly clock?: () => number
}

/** Says what happened, within a turn. */
type Raise = (event: NewEvent) => void

type KeptBudgets = Pick<Budgets, 'restore' | 'changes' | 'notKept' | 'spendAs'>

/**
 * The registry of application keys: everything in memory, every change in the store first. Authentication never
 * waits for the store, and a revocation holds from the next request on.
 */
export class Keys {
  readonly #parts: KeysParts
  readonly #clock: () => number
  readonly #records: SharedRecords<KeyRecord>
  /** Accepted keys only, by SHA-256 of the token: an unknown and a revoked key are the same miss. */
  readonly #accepted = new Map<string, KeyRecord>()
  /** Ids of people who were invited, by SHA-256 of the invitation. */
  readonly #invited = new Map<string, string>()
  readonly #ends: KeyEnds
  readonly #listeners = new Set<(event: KeyEvent) => void>()
  readonly #lastUsed: LastUsed
  /** Whom keys with teams stand for, as of a version of these: a large team is not put together at every request. */
  readonly #callers = new WeakMap<KeyRecord | KeyView, { readonly version: number; readonly caller: Caller }>()
  #flushing: NodeJS.Timeout | undefined
  #budgets: KeptBudgets | undefined

  private constructor(parts: KeysParts) {
    this.#parts = parts
    this.#clock = parts.clock ?? Date.now
    this.#lastUsed = new LastUsed(parts.store)
    this.#ends = new KeyEnds(this.#clock, keyId => void this.#expire(keyId))
    this.#records = new SharedRecords({
      kind: 'keys',
      sharing: parts.sharing,
      all: () => parts.store.all(),
      idOf: key => key.key_id,
      kept: (after, before) => this.#kept(after, before),
      changed: (after, before) => this.#heard(after, before),
    })
  }

  /** Reads every key of the store; one whose grace ended while nothing ran is revoked now. */
  static async load(parts: KeysParts): Promise<Keys> {
    const keys = new Keys(parts)
    await keys.#records.load()
    for (const key of keys.#records.values()) {
      // oxlint-disable-next-line no-await-in-loop -- few ended while nothing ran
      if (key.active && keys.#ends.hasCome(key)) await keys.#end(key.key_id)
      else keys.#ends.watch(key)
    }
    keys.#flushing = setInterval(() => void keys.flush(), FLUSH_MS).unref()
    return keys
  }

  /** What others change is taken up by. */
  get followed(): Followed {
    return this.#records
  }

  /** Number of keys that are accepted: `auth_cache_size` of the health answer. */
  get size(): number {
    return this.#accepted.size
  }

  /** The key a token stands for, as it is at this instant; undefined for an unknown, revoked or expired one. */
  resolve(token: string): KeyRecord | undefined {
    return this.#unexpired(this.#accepted.get(tokenHash(token)))
  }

  /** The key of an id, as long as it is accepted: what a session of the console stands for. */
  accepted(keyId: string): KeyRecord | undefined {
    const key = this.#records.get(keyId)
    return key?.active === true ? this.#unexpired(key) : undefined
  }

  /** The same, with what other processes did by now. */
  async acceptedByNow(keyId: string): Promise<KeyRecord | undefined> {
    await this.#records.catchUp()
    return this.accepted(keyId)
  }

  /** Who asks with a key, as it and its teams are at this instant. */
  callerOf(key: KeyRecord | KeyView): Caller {
    const { teams } = this.#parts
    const { version } = teams
    const known = this.#callers.get(key)
    if (known?.version === version) return known.caller
    const caller = callerOfKey(key, teams)
    if (key.teams !== undefined) this.#callers.set(key, { version, caller })
    return caller
  }

  /** Notes that a key was used just now; written later, in batches. */
  used(keyId: string): void {
    this.#lastUsed.note(keyId, this.#clock())
  }

  /**
   * Mints a key of a project.
   * @throws Problem `not_found` (no such project), `forbidden` (SuperAdmin given), `conflict` (it has all it may have)
   */
  mint(projectId: string, fields: NewKey, author: KeyAuthor): Promise<MintedKey> {
    return this.#telling(async raise => {
      this.#parts.projects.get(projectId)
      mayGive(author, fields.roles)
      this.#refuseUnknown(projectId, fields.teams)
      this.#refuseTooMany(projectId)
      const ends = given({ ...fields, expires_at: this.#endOf(fields.expires_at, this.#clock()) })
      return await this.#insert(projectId, ends, author, raise)
    })
  }

  /**
   * Makes a person of a project: a key without a token, for whoever signs in as them.
   * @throws Problem as `mint`; `conflict` too where the project has them already
   */
  admit(projectId: string, fields: NewKey, who: Identity, author: KeyAuthor): Promise<KeyView> {
    return this.#telling(async raise => {
      this.#parts.projects.get(projectId)
      mayGive(author, fields.roles)
      this.#refuseUnknown(projectId, fields.teams)
      this.#refuseTooMany(projectId)
      const known = this.people(who).find(one => one.project_id === projectId && one.active)
      if (known !== undefined) throw new Problem('conflict', `The project has this person already: ${known.key_id}`)
      // Nothing of theirs is about in the world that has to end by itself.
      const expiry = who.issuer === undefined ? this.#endOf(fields.expires_at, this.#clock()) : fields.expires_at
      const person = this.#newKey(projectId, given({ ...fields, expires_at: expiry }), author)
      return await this.#add({ ...person, kind: 'person', ...who }, raise)
    })
  }

  /** Everybody who is known as this, in any project, revoked ones too. */
  people({ subject, issuer }: Identity): readonly KeyRecord[] {
    return [...this.#records.values()].filter(
      one => one.kind === 'person' && one.subject === subject && one.issuer === issuer,
    )
  }

  /**
   * Makes an invitation in place of any before it, which can be accepted once and for seven days.
   * @throws Problem `not_found`, `invalid_input` where there is no person to invite, `forbidden` where who asks may not give their roles
   */
  invite(projectId: string, keyId: string, author: KeyAuthor, before?: readonly KeyFields[]): Promise<Invitation> {
    return this.#records.run(async () => {
      const person = this.#changeable(projectId, keyId, before)
      if (person.kind !== 'person')
        throw new Problem('invalid_input', 'Only people are invited; a program shows the key that was minted for it')
      mayGive(author, person.roles)
      const code = newToken(INVITATION_PREFIX)
      const until = new Date(this.#clock() + INVITATION_MS).toISOString()
      const invited = { ...person, invitation_hash: tokenHash(code), invited_until: until }
      await this.#update(invited)
      return { key: keyViewOf(invited), code }
    })
  }

  /** The person whom an invitation is for, as long as it can be accepted: one that was used is as unknown as any other. */
  invited(code: string): KeyRecord | undefined {
    const person = this.accepted(this.#invited.get(tokenHash(code)) ?? '')
    return person?.invited_until !== undefined && Date.parse(person.invited_until) > this.#clock() ? person : undefined
  }

  /** Accepts an invitation: from here on it is none, whoever shows it. @returns whether it was one */
  redeem(code: string): Promise<boolean> {
    return this.#records.run(async () => {
      const person = this.invited(code)
      if (person === undefined) return false
      const { invitation_hash: _hash, invited_until: _until, ...accepted } = person
      await this.#update(accepted)
      return true
    })
  }

  /**
   * The keys of a project, oldest first.
   * @param unusedMs only those that were neither used nor minted for so long
   * @throws Problem `not_found` (no such project)
   */
  list(
    projectId: string,
    { includeRevoked, unusedMs }: { readonly includeRevoked: boolean; readonly unusedMs?: number },
  ): readonly KeyView[] {
    this.#parts.projects.get(projectId)
    const since = unusedMs === undefined ? undefined : new Date(this.#clock() - unusedMs).toISOString()
    return [...this.#records.values()]
      .filter(key => key.project_id === projectId && (key.active || includeRevoked))
      .sort((a, b) => compare(a.created_at, b.created_at) || compare(a.key_id, b.key_id))
      .map(key => this.#view(key))
      .filter(key => since === undefined || (key.last_used_at ?? key.created_at) < since)
  }

  /** One key, revoked ones included. @throws Problem `not_found`, also for a key of another project */
  get(projectId: string, keyId: string): KeyView {
    return this.#view(this.#find(projectId, keyId))
  }

  /** The same, also of one that another process has only just minted. */
  async getByNow(projectId: string, keyId: string): Promise<KeyView> {
    await this.#records.lookUp(keyId)
    return this.get(projectId, keyId)
  }

  /** The keys that a change of one changes, that one first. @throws Problem `not_found`, also for a key of another project */
  changedBy(projectId: string, keyId: string, patch: KeyPatch): readonly [KeyView, ...KeyView[]] {
    const key = this.#find(projectId, keyId)
    return [this.#view(key), ...this.#othersOf(key, patch).map(one => this.#view(one))]
  }

  /** The other keys of a key's rotation that are accepted, oldest first: whoever ends one may not know of them. */
  acceptedBeside({ project_id: projectId, key_id: keyId }: Pick<KeyView, 'project_id' | 'key_id'>): readonly KeyView[] {
    const key = this.#find(projectId, keyId)
    return this.#rotationOf(key).map(one => this.#view(one))
  }

  /**
   * Changes name and rights, or revokes (`active: false`). All tokens of a rotation that are accepted have the same rights: whoever has one
   * may have the other, and whoever changes one may not know of the other.
   * @param before what all that it changes must still say, as by `changedBy`, where somebody decided by that what may be done to them
   * @throws Problem `invalid_input` for a revoked key, `conflict` for one that says something else by now
   */
  patch(
    projectId: string,
    keyId: string,
    patch: KeyPatch,
    author: KeyAuthor,
    before?: readonly KeyFields[],
  ): Promise<KeyView> {
    return this.#telling(async raise => {
      const key = this.#changeable(projectId, keyId)
      const others = this.#othersOf(key, patch)
      if (before !== undefined) refuseChangedKeys([key, ...others], before)
      this.#refuseUnknown(projectId, patch.teams ?? [])
      if (patch.expires_at !== undefined) this.#refuseEnd(key, patch.expires_at)
      const changed_at = new Date(this.#clock()).toISOString()
      const next = { ...changedKey(key, patch), changed_at }
      // Whoever has the token may then do what the change gives: as for a key that is minted so. Ending one is nobody's alone.
      if (next.active || others.length > 0) mayGive(author, next.roles)
      if (key.teams?.length && isFullProject(next) && patch.require_mapping === undefined)
        throw badField('teams', NO_TEAM_LEFT, ': ')
      const shared = sharedOf(patch)
      for (const other of others) {
        // oxlint-disable-next-line no-await-in-loop -- two, unless they are rotated within one another's grace time
        await this.#update({ ...changedKey(other, shared), changed_at })
        this.#tell({ keyId: other.key_id, kind: 'changed' })
      }
      await this.#update(next)
      this.#ends.watch(next)
      this.#tell({ keyId, kind: next.active ? 'changed' : 'revoked' })
      if (!next.active) raise(revocationOf(next))
      return this.#view(next)
    })
  }

  /** Revokes a key for good; a second time answers the same. */
  revoke(projectId: string, keyId: string): Promise<KeyView> {
    return this.#telling(async raise => {
      const key = this.#find(projectId, keyId)
      if (key.active) return this.#view(await this.#revoke(key, raise))
      // Who was cut off behind the record, before others were told of it, asks again: it is told again.
      await this.#update(key)
      raise(revocationOf(key))
      return this.#view(key)
    })
  }

  /**
   * Mints a key with the same name and rights; the old one is revoked after `graceSeconds`.
   * @throws Problem `invalid_input` for a revoked key, `conflict` for one that is being replaced already, or whose project
   *   has as many keys as it may while both are accepted
   */
  rotate(
    projectId: string,
    keyId: string,
    graceSeconds: number,
    author: KeyAuthor,
    before?: readonly KeyFields[],
  ): Promise<MintedKey> {
    return this.#telling(async raise => {
      const key = this.#changeable(projectId, keyId, before)
      if (key.kind === 'person')
        throw new Problem('invalid_input', 'A person has no token to rotate; an invitation lets another program in')
      if (key.replaced_by !== undefined)
        throw new Problem('conflict', 'Key was rotated already and is in its grace time')
      mayGive(author, key.roles)
      // Without a grace time there is one more for an instant only.
      if (graceSeconds > 0) this.#refuseTooMany(projectId)
      // Said with the new key itself: no process lets it in before it knows whose budget it spends.
      const minted = await this.#insert(projectId, key, author, raise, { spends_as: firstOf(key) })
      if (graceSeconds === 0) {
        await this.#revoke(key, raise)
        return minted
      }
      const grace = this.#clock() + graceSeconds * 1000
      const expiry = key.expires_at === undefined ? grace : Math.min(grace, Date.parse(key.expires_at))
      const expiring = { ...key, expires_at: new Date(expiry).toISOString(), replaced_by: minted.key_id }
      await this.#update(expiring)
      this.#ends.watch(expiring)
      this.#tell({ keyId, kind: 'changed' })
      return minted
    })
  }

  /** Ends what a person is signed in to, in the console and by AI clients: they may sign in again. */
  signOut(keyId: string): Promise<void> {
    // Here at once, whatever the store says.
    this.#tell({ keyId, kind: 'signed_out' })
    return this.#records.run(async () => {
      const person = this.#records.get(keyId)
      if (person !== undefined) await this.#update({ ...person, signed_out_at: new Date(this.#clock()).toISOString() })
    })
  }

  /** Hears of every change and revocation, expiries included. @returns a function that stops it */
  onChange(listener: (event: KeyEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Goes on from what keys have spent of their budgets, and writes what they spend from now on with the times of last use. */
  keepSpent(budgets: KeptBudgets): void {
    this.#budgets = budgets
    budgets.spendAs(keyId => {
      const key = this.#records.get(keyId)
      return key === undefined ? keyId : firstOf(key)
    })
    for (const { key_id: keyId, spent } of this.#records.values())
      if (spent !== undefined) budgets.restore(keyId, spent)
  }

  /** Writes the times of last use noted so far; a failure is logged and tried again with the next ones. */
  async flush(): Promise<void> {
    const unwritten = new Map<string, DaySpent>()
    try {
      for (const [keyId, at] of await this.#lastUsed.flush()) {
        const key = this.#records.get(keyId)
        if (key !== undefined) this.#records.set({ ...key, last_used_at: at })
      }
      for (const [keyId, spent] of this.#budgets?.changes() ?? []) unwritten.set(keyId, spent)
      if (unwritten.size === 0) return
      await this.#records.run(async () => {
        for (const [keyId, spent] of unwritten) {
          const key = this.#records.get(keyId)
          // oxlint-disable-next-line no-await-in-loop -- few keys have a budget
          if (key !== undefined) await this.#update({ ...key, spent })
          unwritten.delete(keyId)
        }
      })
    } catch (error) {
      this.#budgets?.notKept(unwritten.keys())
      this.#parts.log.error({ err: error }, 'What keys did could not be written')
    }
  }

  /** Writes what is noted and stops the timers. */
  async close(): Promise<void> {
    clearInterval(this.#flushing)
    this.#ends.close()
    await this.flush()
  }

  /**
   * Does work in turn, and raises behind it what it says happened, also where it failed then: what is told waits for the lane of its
   * project, for which the keys of others must not.
   */
  async #telling<T>(work: (raise: Raise) => Promise<T>): Promise<T> {
    const happened: NewEvent[] = []
    try {
      return await this.#records.run(() => work(event => void happened.push(event)))
    } finally {
      // oxlint-disable-next-line no-await-in-loop -- in their order
      for (const event of happened) await this.#parts.events?.raise(event)
    }
  }

  async #insert(
    projectId: string,
    fields: KeyFields,
    author: KeyAuthor,
    raise: Raise,
    of: Pick<KeyRecord, 'spends_as'> = {},
  ): Promise<MintedKey> {
    const token = newToken(KEY_PREFIX)
    const key = this.#newKey(projectId, fields, author)
    const view = await this.#add({ ...key, ...of, key_hash: tokenHash(token), key_preview: tokenPreview(token) }, raise)
    return { ...view, key: token }
  }

  #newKey(projectId: string, fields: KeyFields, author: KeyAuthor): KeyRecord {
    return {
      key_id: `key_${randomBytes(12).toString('hex')}`,
      ...rightsOf(fields),
      project_id: projectId,
      active: true,
      created_at: new Date(this.#clock()).toISOString(),
      created_by: author.name,
    }
  }

  async #add(key: KeyRecord, raise: Raise): Promise<KeyView> {
    await this.#records.put(key, () => this.#parts.store.insert(key))
    this.#ends.watch(key)
    const { access_scope: scope } = this.callerOf(key)
    raise({
      event: 'key.minted',
      project_id: key.project_id,
      data: {
        key_id: key.key_id,
        is_supervisor: key.is_supervisor,
        roles: [...key.roles],
        require_mapping: key.require_mapping,
        full_project: hearsFullProject(scope),
      },
    })
    return keyViewOf(key)
  }

  async #update(key: KeyRecord): Promise<void> {
    await this.#records.put(key, () => this.#parts.store.update(key))
  }

  async #revoke(key: KeyRecord, raise: Raise): Promise<KeyRecord> {
    const revoked = { ...key, active: false }
    await this.#update(revoked)
    this.#tell({ keyId: key.key_id, kind: 'revoked' })
    raise(revocationOf(key))
    return revoked
  }

  /** The other keys of a rotation that a change of one is a change of, oldest first: those that may what it may. */
  #othersOf(key: KeyRecord, patch: KeyPatch): KeyRecord[] {
    if (!key.active || Object.keys(given(sharedOf(patch))).length === 0) return []
    return this.#rotationOf(key).filter(one => haveSameRights(one, key))
  }

  /** The other keys that rotations put in one another's place, as far as they are accepted, oldest first. */
  #rotationOf(key: KeyRecord): KeyRecord[] {
    return [...this.#records.values()]
      .filter(one => one !== key && firstOf(one) === firstOf(key) && this.#unexpired(one)?.active === true)
      .toSorted((a, b) => compare(a.created_at, b.created_at))
  }

  #kept(after: KeyRecord | undefined, before: KeyRecord | undefined): void {
    if (before?.invitation_hash !== undefined) this.#invited.delete(before.invitation_hash)
    if (after?.active !== true) {
      this.#forget((after ?? before)!)
      return
    }
    if (after.key_hash !== undefined) this.#accepted.set(after.key_hash, after)
    if (after.invitation_hash !== undefined) this.#invited.set(after.invitation_hash, after.key_id)
  }

  /** Another process changed a key: whoever is let in by it here is told as if it was changed here. */
  #heard(after: KeyRecord | undefined, before: KeyRecord | undefined): void {
    const keyId = (after ?? before)!.key_id
    if (after !== undefined) this.#ends.watch(after)
    if (before?.active !== true || isDeepStrictEqual(rightOf(before), after && rightOf(after))) return
    if (after?.active !== true) this.#tell({ keyId, kind: 'revoked' })
    else if (after.signed_out_at !== before.signed_out_at) this.#tell({ keyId, kind: 'signed_out' })
    else this.#tell({ keyId, kind: 'changed' })
  }

  #forget(key: KeyRecord): void {
    if (key.key_hash !== undefined) this.#accepted.delete(key.key_hash)
    this.#ends.forget(key.key_id)
  }

  /**
   * When a key ends that may be used from an instant on.
   * @throws Problem `invalid_input` for an end that has passed, or lies behind what the installation allows
   */
  #endOf(wanted: string | undefined, from: number): string | undefined {
    const { maxLifetimeMs: longest } = this.#parts
    const latest = longest === undefined ? undefined : new Date(from + longest).toISOString()
    if (wanted === undefined) return latest
    if (Date.parse(wanted) <= this.#clock()) throw badField('expires_at', 'lies in the past')
    if (latest !== undefined && wanted > latest) {
      throw badField('expires_at', `may be ${latest} at the latest (EARSHOT_KEY_MAX_LIFETIME)`)
    }
    return wanted
  }

  /**
   * @param wanted null: a key is to go on for good
   * @throws Problem `invalid_input` where it may not end then, or has to end
   */
  #refuseEnd({ created_at: created, issuer, replaced_by: next }: KeyRecord, wanted: string | null): void {
    if (next !== undefined)
      throw new Problem('invalid_input', ROTATED, { details: [{ path: 'expires_at', message: ROTATED }] })
    const latest = this.#endOf(wanted ?? undefined, Date.parse(created))
    // Of whom a provider signs in nothing is about that would have to end by itself.
    if (wanted !== null || latest === undefined || issuer !== undefined) return
    throw badField('expires_at', `can’t be taken away: it may be ${latest} at the latest (EARSHOT_KEY_MAX_LIFETIME)`)
  }

  async #expire(keyId: string): Promise<void> {
    try {
      await this.#end(keyId)
    } catch (error) {
      // The key is refused by its expires_at all the same, and the next start writes the revocation.
      this.#parts.log.error({ err: error, key_id: keyId }, 'The end of a key could not be written')
      this.#tell({ keyId, kind: 'revoked' })
    }
  }

  /** Revokes a key that has ended, unless another process did. */
  #end(keyId: string): Promise<void> {
    return this.#telling(async raise => {
      const key = this.#records.get(keyId)
      if (key?.active === true) await this.#revoke(key, raise)
    })
  }

  /** Of keys, as of all there is, one project must not have what there is for all. */
  #refuseTooMany(projectId: string): void {
    const most = this.#parts.maxKeysPerProject ?? MOST_KEYS
    let active = 0
    for (const key of this.#records.values()) if (key.active && key.project_id === projectId) active += 1
    if (active < most) return
    throw new Problem(
      'conflict',
      `The project has ${active} active keys and may have ${most}; revoke some that are not used`,
    )
  }

  /** A team that is misspelled would hear nobody, and nobody would be told. @throws Problem `invalid_input` */
  #refuseUnknown(projectId: string, teams: readonly string[] = []): void {
    const unknown = teams.find(id => this.#parts.teams.find(projectId, id) === undefined)
    if (unknown !== undefined) throw badField('teams', `the project has no team ${echo(unknown)}`, ': ')
  }

  #unexpired(key: KeyRecord | undefined): KeyRecord | undefined {
    return key === undefined || this.#ends.hasCome(key) ? undefined : key
  }

  #find(projectId: string, keyId: string): KeyRecord {
    const key = this.#records.get(keyId)
    if (key?.project_id !== projectId) throw new Problem('not_found', `Key not found: ${echo(keyId)}`)
    return key
  }

  /** @param before what it must still say, where somebody decided by that what may be done to it */
  #changeable(projectId: string, keyId: string, before?: readonly KeyFields[]): KeyRecord {
    const key = this.#find(projectId, keyId)
    if (!key.active) throw new Problem('invalid_input', 'Key is revoked and stays so; mint a new one')
    if (before !== undefined) refuseChangedKeys([key], before)
    return key
  }

  #view(key: KeyRecord): KeyView {
    const used = this.#lastUsed.pending(key.key_id)
    return keyViewOf(used === undefined ? key : { ...key, last_used_at: used })
  }

  #tell(event: KeyEvent): void {
    for (const listener of this.#listeners) {
      try {
        listener(event)
      } catch (error) {
        this.#parts.log.error({ err: error, key_id: event.keyId }, 'A listener failed on a change of a key')
      }
    }
  }
}

const ROTATED = 'Key was rotated and ends with its grace time'
const NO_TEAM_LEFT =
  'without a team or an agent the key would hear the full project; send require_mapping with it, false for that, or true for nobody'

/** Has the same id each time it is told: whoever asks for a revocation again may have been cut off the first time. */
function revocationOf({ key_id, project_id }: KeyRecord): NewEvent {
  return { event: 'key.revoked', project_id, data: { key_id }, occasion: key_id }
}

/** What a key may, without what it did. */
function rightOf({ last_used_at: _used, spent: _spent, ...rights }: KeyRecord): object {
  return rights
}

function compare(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
