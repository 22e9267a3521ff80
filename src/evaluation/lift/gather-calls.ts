import { z } from 'zod'
import { parsedJson } from '../../base/parsed-json.js'
import { type AlikeCalls, readParts, readStates } from '../../store/lift-store.js'
import type { OutcomeField } from '../../calls/outcome-field.js'
import { POSITIVE_CSAT } from '../../calls/positive-csat.js'
import { outcomeCsat } from '../outcome-csat.js'
import type { Rubric } from '../rubric/rubric.js'
import { contextKey } from './context-key.js'
import { FOLDS, type LiftGroups } from './lift-groups.js'

const agentName = z.tuple([z.string(), z.string()])

/** Groups there is room for at first. */
const ROOM = 1_024

/** Gathers calls, alike ones one after the other, into what outcome lift is fitted on: memory grows with different ones only. */
export class GatheredCalls {
  /** Calls that are compared, those of them with an outcome, and those whose outcome is positive. */
  compared = 0
  calls = 0
  positive = 0
  /** Exclusive or of the keys of all. */
  keys = 0n
  /** Numbers of drivers with their directions; see contextKey. */
  readonly contexts = new Map<string, number>()
  readonly #rubric: Rubric
  readonly #features: number
  #size = 0
  readonly #agents = new Map<string, number>()
  /** Context and agent of each group, its states, and its calls in each fold. */
  #context = new Int32Array(ROOM)
  #agent = new Int32Array(ROOM)
  #states: Uint8Array<ArrayBuffer>
  #counts = new Uint32Array(ROOM * FOLDS)
  #positives = new Uint32Array(ROOM * FOLDS)
  readonly #field: OutcomeField | undefined
  readonly #outcomes = new Map<string, boolean | undefined>()
  #last: AlikeCalls | undefined

  /**
   * @param features signals that are looked at
   * @param field what tells how a call came out; the predicted satisfaction does without one
   */
  constructor(rubric: Rubric, features: number, field: OutcomeField | undefined) {
    this.#field = field
    this.#rubric = rubric
    this.#features = features
    this.#states = new Uint8Array(ROOM * features)
  }

  add(some: readonly AlikeCalls[]): void {
    for (const alike of some) {
      const { fold, calls, keys } = alike
      const place = this.#groupOf(alike) * FOLDS + fold
      this.compared += calls
      this.keys ^= keys
      const isPositive = this.#isPositive(alike)
      if (isPositive === undefined) continue
      this.calls += calls
      this.#counts[place]! += calls
      if (!isPositive) continue
      this.positive += calls
      this.#positives[place]! += calls
    }
  }

  /** Id and name of each agent, by number. */
  agents(): readonly (readonly [id: string, name: string])[] {
    return [...this.#agents.keys()].map(one => agentName.parse(JSON.parse(one)))
  }

  groups(): LiftGroups {
    const size = this.#size
    return {
      features: this.#features,
      contexts: this.contexts.size,
      agents: this.#agents.size,
      context: this.#context.slice(0, size),
      agent: this.#agent.slice(0, size),
      states: this.#states.slice(0, size * this.#features),
      calls: this.#counts.slice(0, size * FOLDS),
      positives: this.#positives.slice(0, size * FOLDS),
    }
  }

  #groupOf(alike: AlikeCalls): number {
    const last = this.#last
    const sameContext = last !== undefined && last.driver === alike.driver && last.direction === alike.direction
    this.#last = alike
    if (sameContext && last.states === alike.states && last.agent === alike.agent) return this.#size - 1
    if (!sameContext) this.contexts.set(contextKey(alike), this.contexts.size)
    if (this.#size === this.#context.length) this.#grow()
    const group = this.#size
    this.#size += 1
    this.#context[group] = this.contexts.size - 1
    this.#agent[group] = numberOf(this.#agents, alike.agent)
    readStates(alike.states, this.#states.subarray(group * this.#features, (group + 1) * this.#features))
    return group
  }

  #grow(): void {
    const room = this.#context.length * 2
    const [context, agent, states, counts, positives] = [
      this.#context,
      this.#agent,
      this.#states,
      this.#counts,
      this.#positives,
    ]
    this.#context = new Int32Array(room)
    this.#agent = new Int32Array(room)
    this.#states = new Uint8Array(room * this.#features)
    this.#counts = new Uint32Array(room * FOLDS)
    this.#positives = new Uint32Array(room * FOLDS)
    this.#context.set(context)
    this.#agent.set(agent)
    this.#states.set(states)
    this.#counts.set(counts)
    this.#positives.set(positives)
  }

  /** Undefined for calls of which it is not known. */
  #isPositive({ parts, outcome }: AlikeCalls): boolean | undefined {
    if (this.#field !== undefined && outcome === undefined) return undefined
    const key = outcome ?? parts
    if (this.#outcomes.has(key)) return this.#outcomes.get(key)
    const found =
      this.#field === undefined || outcome === undefined
        ? (outcomeCsat(readParts(parts), this.#rubric) ?? 0) >= POSITIVE_CSAT
        : // Undefined where it is too long to be an outcome: it is read cut off.
          this.#field.isPositive(parsedJson(outcome))
    this.#outcomes.set(key, found)
    return found
  }
}

/** The number of a name, the next one for one that is new. */
function numberOf(numbers: Map<string, number>, name: string): number {
  const number = numbers.get(name) ?? numbers.size
  numbers.set(name, number)
  return number
}
