import type { Trail } from './read-trail.js'
import { agentOfVersion, scoreOfVersion } from './told.js'

/** What a call may be: a version of it, or gone. */
type Version = number | 'gone'

interface CallState {
  readonly day: string
  certain: Version | undefined
  /** Attempted since, never acknowledged. */
  readonly possible: Set<Version>
}

interface KeyState {
  readonly token: string
  names: Set<string>
  active: Set<boolean>
}

/** An import that is under way, or was when the service was killed. */
export interface Batch {
  readonly version: number
  readonly ids: readonly string[]
  acknowledged: boolean
}

/** A key as the service lists it. */
export interface ListedKey {
  readonly key_id: string
  readonly name: string
  readonly active: boolean
}

/** Calls of an agent, and their mean score. */
export interface TakenCalls {
  readonly calls: number
  readonly score: number
}

/** A mean is told to four decimals. */
const SAME_SCORE = 0.000_051

interface KeyReader {
  keys(): Promise<readonly ListedKey[]>
  /** Whether a token is let in. */
  isAccepted(token: string): Promise<boolean>
}

/** What the clients were told, against which is held what the service says after it was killed. */
export class Ledger {
  readonly losses: string[] = []
  readonly #calls = new Map<string, CallState>()
  readonly #keys = new Map<string, KeyState>()
  readonly #answers = new Set<string>()
  #batches: Batch[] = []
  #version = 0
  readonly #count = {
    imports_acknowledged: 0,
    calls_acknowledged: 0,
    erasures_acknowledged: 0,
    key_changes_acknowledged: 0,
    answers: 0,
    cut_short_imports_found_whole: 0,
    cut_short_imports_found_absent: 0,
    cut_short_imports_found_in_part: 0,
    tool_calls_in_sessions: 0,
    tool_calls_without: 0,
    refused_for_now: 0,
    answers_to_the_narrowed_key: 0,
    of_these_with_calls: 0,
  }
  readonly #isWhole: boolean

  /** @param isWhole whether an import is one transaction of the store: of one cut short there is all or nothing */
  constructor(isWhole = true) {
    this.#isWhole = isWhole
  }

  counts(): Readonly<Record<string, number>> {
    return { ...this.#count, calls: this.#calls.size, keys: this.#keys.size }
  }

  lost(what: string): void {
    this.losses.push(what)
  }

  /** A request that got an answer: the id it had. */
  answered(requestId: string | null | undefined): void {
    if (requestId === null || requestId === undefined) this.lost('an answer without a request id')
    else this.#answers.add(requestId)
    this.#count.answers += 1
  }

  askedOver(revision: '2025-11-25' | '2026-07-28'): void {
    if (revision === '2025-11-25') this.#count.tool_calls_in_sessions += 1
    else this.#count.tool_calls_without += 1
  }

  /** Somebody was told that the store can't be had at the moment. */
  refused(): void {
    this.#count.refused_for_now += 1
  }

  askedNarrowed(heardAny: boolean): void {
    this.#count.answers_to_the_narrowed_key += 1
    if (heardAny) this.#count.of_these_with_calls += 1
  }

  /** The version that each call has for certain. */
  versions(): ReadonlyMap<string, number> {
    return new Map(
      [...this.#calls].flatMap(([id, { certain }]) => (typeof certain === 'number' ? [[id, certain] as const] : [])),
    )
  }

  /** Ids that nothing has touched in this round, so that an import cut short can be told from what came before. */
  untouched(): readonly string[] {
    const touched = new Set(this.#batches.flatMap(({ ids }) => ids))
    return [...this.#calls].flatMap(([id, { certain, possible }]) =>
      possible.size === 0 && typeof certain === 'number' && !touched.has(id) ? id : [],
    )
  }

  importing(ids: readonly string[], day: string): Batch {
    this.#version += 1
    const batch = { version: this.#version, ids, acknowledged: false }
    this.#batches.push(batch)
    for (const id of ids) {
      const state: CallState = this.#calls.get(id) ?? { day, certain: undefined, possible: new Set() }
      state.possible.add(batch.version)
      this.#calls.set(id, state)
    }
    return batch
  }

  imported(batch: Batch): void {
    batch.acknowledged = true
    this.#count.imports_acknowledged += 1
    this.#count.calls_acknowledged += batch.ids.length
    for (const id of batch.ids) this.#settle(id, batch.version)
  }

  erasing(id: string): void {
    this.#calls.get(id)?.possible.add('gone')
  }

  erased(id: string): void {
    this.#count.erasures_acknowledged += 1
    this.#settle(id, 'gone')
  }

  dayOf(id: string): string | undefined {
    return this.#calls.get(id)?.day
  }

  minted(keyId: string, token: string, name: string): void {
    this.#keys.set(keyId, { token, names: new Set([name]), active: new Set([true]) })
    this.#count.key_changes_acknowledged += 1
  }

  /** Keys that are active as far as anyone knows. */
  activeKeys(): readonly string[] {
    return [...this.#keys].flatMap(([id, { active }]) => (active.has(false) ? [] : id))
  }

  changing(keyId: string, to: { readonly name?: string; readonly active?: false }): void {
    const key = this.#keys.get(keyId)
    if (to.name !== undefined) key?.names.add(to.name)
    if (to.active === false) key?.active.add(false)
  }

  changed(keyId: string, to: { readonly name?: string; readonly active?: false }): void {
    const key = this.#keys.get(keyId)
    if (key === undefined) return
    if (to.name !== undefined) key.names = new Set([to.name])
    if (to.active === false) key.active = new Set([false])
    this.#count.key_changes_acknowledged += 1
  }

  /** Every request that was answered is on record once; nothing in the trail is damaged. */
  checkTrail(trail: {
    readonly events: readonly { readonly request_id: string }[]
    readonly damage: Trail['damage']
  }): void {
    const times = new Map<string, number>()
    for (const { request_id } of trail.events) times.set(request_id, (times.get(request_id) ?? 0) + 1)
    for (const id of this.#answers) {
      const found = times.get(id) ?? 0
      if (found !== 1) this.lost(`the answered request ${id} is on record ${found} times`)
    }
    this.#answers.clear()
    for (const damage of trail.damage) this.lost(`the audit trail is damaged: ${JSON.stringify(damage)}`)
  }

  /**
   * Holds the calls of the days touched in this round, now and then of all days, against what was acknowledged.
   * @param callsOf gives the version of each call of a day
   */
  async checkCalls(
    callsOf: (day: string) => Promise<ReadonlyMap<string, number>>,
    round: number,
    rounds: number,
  ): Promise<void> {
    const all = round === rounds || round % 25 === 0
    const touched = new Set(this.#batches.flatMap(({ ids }) => ids))
    const days = new Set(
      [...this.#calls].flatMap(([id, { day, possible }]) => (all || possible.size > 0 || touched.has(id) ? day : [])),
    )
    const found = new Map<string, number>()
    // oxlint-disable-next-line no-await-in-loop -- a day at a time
    for (const day of days) for (const [id, version] of await callsOf(day)) found.set(id, version)
    this.#checkBatches(found)
    for (const [id, state] of this.#calls) {
      if (!days.has(state.day)) continue
      const version = found.get(id) ?? 'gone'
      const absent = version === 'gone' && state.certain === undefined
      if (version !== state.certain && !state.possible.has(version) && !absent) {
        this.lost(`call ${id} is ${version}; it was ${state.certain} or ${[...state.possible].join(' or ')}`)
      }
      if (absent) this.#calls.delete(id)
      else this.#settle(id, version)
    }
    for (const id of found.keys()) if (!this.#calls.has(id)) this.lost(`call ${id} came from nowhere`)
  }

  /** Holds what is added up against what was acknowledged, once the calls were looked at. */
  checkAgents(found: ReadonlyMap<string, TakenCalls>): void {
    const taken = new Map<string, number[]>()
    for (const version of this.versions().values()) {
      const agent = agentOfVersion(version)
      taken.set(agent, [...(taken.get(agent) ?? []), scoreOfVersion(version)])
    }
    for (const agent of new Set([...taken.keys(), ...found.keys()])) {
      const scores = taken.get(agent) ?? []
      const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length
      const { calls = 0, score = NaN } = found.get(agent) ?? {}
      if (calls === scores.length && (calls === 0 || Math.abs(score - mean) < SAME_SCORE)) continue
      this.lost(`${agent} is said to have ${calls} calls of ${score}; there are ${scores.length} of ${mean}`)
    }
  }

  async checkKeys(reader: KeyReader): Promise<void> {
    const listed = new Map((await reader.keys()).map(key => [key.key_id, key]))
    for (const [id, key] of this.#keys) {
      const found = listed.get(id)
      if (found === undefined || !key.names.has(found.name) || !key.active.has(found.active)) {
        this.lost(
          `key ${id} is ${JSON.stringify(found)}; it was ${[...key.names].join('|')}, ${[...key.active].join('|')}`,
        )
        this.#keys.delete(id)
        continue
      }
      key.names = new Set([found.name])
      key.active = new Set([found.active])
    }
    for (const [id, { token, active }] of [...this.#keys].slice(-5)) {
      // oxlint-disable-next-line no-await-in-loop -- one key at a time
      if ((await reader.isAccepted(token)) !== active.has(true)) this.lost(`key ${id} is let in, or kept out, wrongly`)
    }
  }

  #checkBatches(found: ReadonlyMap<string, number>): void {
    for (const { ids, version, acknowledged } of this.#batches) {
      if (acknowledged) continue
      const there = ids.filter(id => found.get(id) === version).length
      if (there === ids.length) this.#count.cut_short_imports_found_whole += 1
      else if (there === 0) this.#count.cut_short_imports_found_absent += 1
      else if (!this.#isWhole) this.#count.cut_short_imports_found_in_part += 1
      else this.lost(`of an import cut short ${there} of ${ids.length} calls are there`)
    }
    this.#batches = []
  }

  #settle(id: string, version: Version): void {
    const state = this.#calls.get(id)
    if (state === undefined) return
    state.certain = version
    state.possible.clear()
  }
}
