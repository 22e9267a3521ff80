import { type AlikeCalls, readParts, readStates } from '../../store/lift-store.js'
import { POSITIVE_CSAT } from '../../calls/positive-csat.js'
import { outcomeCsat } from '../outcome-csat.js'
import type { Rubric } from '../rubric/rubric.js'
import { contextKey } from './context-key.js'
import { FOLDS, type LiftGroups } from './lift-groups.js'

/** Groups there is room for at first. */
const ROOM = 1_024

/** Gathers calls, alike ones one after the other, into what outcome lift is fitted on: memory grows with different ones only. */
export class GatheredCalls {
  /** Calls with an outcome, and those of them whose outcome is positive. */
  calls = 0
  positive = 0
  /** Exclusive or of the keys of all. */
  keys = 0n
  /** Numbers of drivers with their directions; see contextKey. */
  readonly contexts = new Map<string, number>()
  readonly #rubric: Rubric
  readonly #features: number
  #size = 0
  /** Context of each group, its states, and its calls in each fold. */
  #context = new Int32Array(ROOM)
  #states: Uint8Array<ArrayBuffer>
  #counts = new Uint32Array(ROOM * FOLDS)
  #positives = new Uint32Array(ROOM * FOLDS)
  readonly #outcomes = new Map<string, boolean>()
  #last: AlikeCalls | undefined

  /** @param features signals that are looked at */
  constructor(rubric: Rubric, features: number) {
    this.#rubric = rubric
    this.#features = features
    this.#states = new Uint8Array(ROOM * features)
  }

  add(some: readonly AlikeCalls[]): void {
    for (const alike of some) {
      const { fold, parts, calls, keys } = alike
      const place = this.#groupOf(alike) * FOLDS + fold
      this.calls += calls
      this.keys ^= keys
      this.#counts[place]! += calls
      if (!this.#isPositive(parts)) continue
      this.positive += calls
      this.#positives[place]! += calls
    }
  }

  groups(): LiftGroups {
    const size = this.#size
    return {
      features: this.#features,
      contexts: this.contexts.size,
      context: this.#context.slice(0, size),
      states: this.#states.slice(0, size * this.#features),
      calls: this.#counts.slice(0, size * FOLDS),
      positives: this.#positives.slice(0, size * FOLDS),
    }
  }

  #groupOf(alike: AlikeCalls): number {
    const last = this.#last
    const sameContext = last !== undefined && last.driver === alike.driver && last.direction === alike.direction
    this.#last = alike
    if (sameContext && last.states === alike.states) return this.#size - 1
    if (!sameContext) this.contexts.set(contextKey(alike), this.contexts.size)
    if (this.#size === this.#context.length) this.#grow()
    const group = this.#size
    this.#size += 1
    this.#context[group] = this.contexts.size - 1
    readStates(alike.states, this.#states.subarray(group * this.#features, (group + 1) * this.#features))
    return group
  }

  #grow(): void {
    const room = this.#context.length * 2
    const [context, states, counts, positives] = [this.#context, this.#states, this.#counts, this.#positives]
    this.#context = new Int32Array(room)
    this.#states = new Uint8Array(room * this.#features)
    this.#counts = new Uint32Array(room * FOLDS)
    this.#positives = new Uint32Array(room * FOLDS)
    this.#context.set(context)
    this.#states.set(states)
    this.#counts.set(counts)
    this.#positives.set(positives)
  }

  #isPositive(parts: string): boolean {
    const known = this.#outcomes.get(parts)
    if (known !== undefined) return known
    const found = (outcomeCsat(readParts(parts), this.#rubric) ?? 0) >= POSITIVE_CSAT
    this.#outcomes.set(parts, found)
    return found
  }
}
