import { type LiftCall, type OutcomeLift, readParts, readStates } from '../../store/lift-store.js'
import { POSITIVE_CSAT } from '../../calls/positive-csat.js'
import { outcomeCsat } from '../outcome-csat.js'
import type { Rubric } from '../rubric/rubric.js'
import { FOLDS, type LiftGroups } from './lift-groups.js'

/** Calls that were read together, in some forty bytes each. */
interface Part {
  readonly keys: BigUint64Array
  readonly evaluated: BigInt64Array
  /** Its group; -1 of a call without an outcome. */
  readonly groups: Int32Array
  readonly folds: Uint8Array
  readonly positive: Uint8Array
  /** Whether a lift is kept, and its lift, p_behavioral and p_context, NaN where unknown. */
  readonly has: Uint8Array
  readonly kept: Float64Array
}

export interface GatheredCall {
  readonly place: LiftCall['place']
  readonly group: number
  readonly fold: number
  /** Whether this lift is kept, or none. */
  keeps(lift: OutcomeLift | undefined): boolean
}

/** Gathers calls, alike ones one after the other, into what outcome lift is fitted on. */
export class GatheredCalls {
  /** Calls with an outcome, and those of them whose outcome is positive. */
  calls = 0
  positive = 0
  readonly #rubric: Rubric
  readonly #features: number
  readonly #parts: Part[] = []
  readonly #states: Uint8Array[] = []
  /** Context of each group. */
  readonly #contexts: number[] = []
  readonly #outcomes = new Map<string, boolean>()
  #contextCount = 0
  #last: LiftCall['seen']

  /** @param features signals that are looked at */
  constructor(rubric: Rubric, features: number) {
    this.#rubric = rubric
    this.#features = features
  }

  add(calls: readonly LiftCall[]): void {
    const groups = new Int32Array(calls.length)
    const states = new Uint8Array(calls.length * this.#features)
    const before = this.#contexts.length
    const positive = new Uint8Array(calls.length)
    calls.forEach(({ seen }, at) => {
      groups[at] = seen === undefined ? -1 : this.#groupOf(seen, states, before)
      if (seen === undefined) return
      this.calls += 1
      if (!this.#isPositive(seen.parts)) return
      positive[at] = 1
      this.positive += 1
    })
    this.#states.push(states.slice(0, (this.#contexts.length - before) * this.#features))
    this.#parts.push({
      keys: BigUint64Array.from(calls, ({ place }) => place.key),
      evaluated: BigInt64Array.from(calls, ({ place }) => place.evaluated),
      groups,
      folds: Uint8Array.from(calls, ({ seen }) => seen?.fold ?? 0),
      positive,
      has: Uint8Array.from(calls, ({ lift }) => Number(lift !== undefined)),
      kept: Float64Array.from(
        calls.flatMap(({ lift }) => [lift?.lift ?? NaN, lift?.p_behavioral ?? NaN, lift?.p_context ?? NaN]),
      ),
    })
  }

  groups(): LiftGroups {
    const size = this.#contexts.length
    const states = new Uint8Array(size * this.#features)
    let filled = 0
    for (const part of this.#states) {
      states.set(part, filled)
      filled += part.length
    }
    const calls = new Uint32Array(size * FOLDS)
    const positives = new Uint32Array(size * FOLDS)
    for (const { groups, folds, positive } of this.#parts) {
      groups.forEach((group, at) => {
        if (group < 0) return
        calls[group * FOLDS + folds[at]!]! += 1
        positives[group * FOLDS + folds[at]!]! += positive[at]!
      })
    }
    const context = Int32Array.from(this.#contexts)
    return { features: this.#features, contexts: this.#contextCount, context, states, calls, positives }
  }

  /** Context of a group. */
  contextOf(group: number): number {
    return this.#contexts[group]!
  }

  /** Every call, some at a time. */
  *parts(): Generator<readonly GatheredCall[]> {
    for (const { keys, evaluated, groups, folds, has, kept } of this.#parts) {
      yield Array.from(keys, (key, at) => ({
        place: { key, evaluated: evaluated[at]! },
        group: groups[at]!,
        fold: folds[at]!,
        keeps: lift =>
          lift === undefined
            ? has[at] === 0
            : kept[at * 3] === lift.lift &&
              kept[at * 3 + 1] === lift.p_behavioral &&
              kept[at * 3 + 2] === lift.p_context,
      }))
    }
  }

  /** @param states takes the states of a group that is new, at the end of those of the groups from `before` on */
  #groupOf(seen: NonNullable<LiftCall['seen']>, states: Uint8Array, before: number): number {
    const last = this.#last
    const sameContext = last !== undefined && last.driver === seen.driver && last.direction === seen.direction
    this.#last = seen
    if (sameContext && last.states === seen.states) return this.#contexts.length - 1
    if (!sameContext) this.#contextCount += 1
    const base = (this.#contexts.length - before) * this.#features
    for (const { number, state } of readStates(seen.states)) states[base + number] = state
    this.#contexts.push(this.#contextCount - 1)
    return this.#contexts.length - 1
  }

  #isPositive(parts: string): boolean {
    const known = this.#outcomes.get(parts)
    if (known !== undefined) return known
    const found = (outcomeCsat(readParts(parts), this.#rubric) ?? 0) >= POSITIVE_CSAT
    this.#outcomes.set(parts, found)
    return found
  }
}
