import type { FairSlots, Places } from '../admission/fair-slots.js'
import type { Requester } from '../admission/requester.js'
import type { ScopedCounts, ScopedPipeline } from '../pipeline/index.js'
import type { AnswerCosts } from './answer-costs.js'
import { BudgetSpent, LightBudget } from '../store/light-budget.js'
import type { RunOptions, RunResult, Store } from '../store/store.js'

/**
 * Milliseconds the engine works for an answer among the light ones. Most questions take less, and what takes more takes
 * this much longer, which is little of seconds: over 20,000 calls 0.57 s in place of 0.47.
 */
const LIGHT_MS = 100

interface Parts {
  readonly costs: AnswerCosts
  readonly store: Pick<Store, 'run'> & { readonly counts: Pick<Store['counts'], 'run'> }
  readonly light: FairSlots
  readonly heavy: Places
}

/** What comes back of a query. */
type Bounds = Pick<RunOptions, 'maxDocuments' | 'maxBytes' | 'endsEarly'>

/** An answer: which one, who wants it, and until when. */
export interface Answered {
  /** Tells it from others that may cost more or less; undefined where none is like another. */
  readonly answer?: string | undefined
  readonly requester: Requester
  readonly remaining: Remaining
}

/** What is left of the answer's time. */
export type Remaining = () => Pick<RunOptions, 'deadlineMs' | 'limitMs' | 'signal' | 'worked'>

/**
 * The queries of one answer. What an answer costs is known when it was paid, so each begins among the light ones; when
 * their time is spent it takes a place among the heavy ones, and the query that was too long for it is asked again there.
 * The place is kept until the answer is there. One that was heavy when it was last given begins there, so that nothing is asked twice.
 */
export class AnswerQueries {
  readonly #parts: Parts
  readonly #requester: Requester
  readonly #remaining: Remaining
  readonly #leaveLight: () => void
  readonly #budget = new LightBudget(LIGHT_MS)
  readonly #answer: string | undefined
  /** How many queries run among the heavy ones, and how long the engine worked on those that did, in milliseconds. */
  #running = 0
  #heavyMs = 0
  /** Resolves to how the place is given back. */
  #place: Promise<() => void> | undefined
  #ended = false

  private constructor(parts: Parts, { answer, requester, remaining }: Answered, leaveLight: () => void) {
    this.#parts = parts
    this.#answer = answer
    this.#requester = requester
    this.#remaining = remaining
    this.#leaveLight = leaveLight
  }

  /** Waits for a place among the light ones. @throws Problem `deadline_exceeded` or `cancelled` when none comes in time */
  static async begin(parts: Parts, answered: Answered): Promise<AnswerQueries> {
    const { requester, remaining } = answered
    return new AnswerQueries(parts, answered, await parts.light.take(requester, remaining()))
  }

  /** Rejects with a Problem, as the store does; with `busy` also when too many heavy answers wait. */
  run(pipeline: ScopedPipeline, bounds: Bounds): Promise<RunResult> {
    return this.#answered(bounds, options => this.#parts.store.run(pipeline, options))
  }

  /** The same over counts. */
  count(counts: ScopedCounts, bounds: Bounds): Promise<RunResult> {
    return this.#answered(bounds, options => this.#parts.store.counts.run(counts, options))
  }

  async #answered(bounds: Bounds, run: (options: RunOptions) => Promise<RunResult>): Promise<RunResult> {
    const { key } = this.#requester
    const isHeavy = this.#parts.costs.of(this.#answer) > LIGHT_MS
    if (this.#place === undefined && this.#budget.leftMs > 0 && !isHeavy) {
      try {
        return await run({ ...bounds, ...this.#remaining(), lane: 'light', key, budget: this.#budget })
      } catch (error) {
        if (!(error instanceof BudgetSpent)) throw error
      }
    }
    await this.#takePlace()
    const { worked, ...remaining } = this.#remaining()
    this.#running += 1
    try {
      return await run({ ...bounds, ...remaining, lane: 'heavy', key, worked: ms => this.#worked(ms, worked) })
    } finally {
      this.#running -= 1
    }
  }

  #worked(milliseconds: number, tell?: (milliseconds: number) => void): void {
    // The engine works on what runs at once in turns.
    this.#heavyMs += milliseconds / this.#running
    tell?.(milliseconds)
  }

  /** Goes on among the heavy ones, in its turn. */
  async #takePlace(): Promise<void> {
    if (this.#ended) throw new Error('The answer is over')
    this.#leaveLight()
    this.#place ??= this.#parts.heavy.take(this.#requester, this.#remaining())
    await this.#place
  }

  /** Gives back what was taken, also what is only being waited for. */
  end(): void {
    this.#ended = true
    this.#parts.costs.was(this.#answer, this.#budget.spentMs + this.#heavyMs)
    this.#remaining().worked?.(this.#budget.spentMs)
    this.#leaveLight()
    this.#place?.then(giveBack => giveBack()).catch(() => undefined)
  }
}
