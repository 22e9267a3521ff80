import { LRUCache } from 'lru-cache'

/** Answers of which it is known what they cost. */
const MOST = 2_000

/** What answers cost the engine when they were last given, in milliseconds: what one will cost again, more or less. */
export class AnswerCosts {
  readonly #costs = new LRUCache<string, number>({ max: MOST })

  /** @param answer which one: of whom, which question, with which arguments; of an unknown one it is nothing */
  of(answer: string | undefined): number {
    return (answer === undefined ? undefined : this.#costs.get(answer)) ?? 0
  }

  was(answer: string | undefined, milliseconds: number): void {
    if (answer !== undefined) this.#costs.set(answer, milliseconds)
  }
}
