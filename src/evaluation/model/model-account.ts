import type { ModelEndpoint } from './model-endpoint.js'

/** What a run may use; absent = as much as it takes. */
export interface ModelBudget {
  /** Requests to the model. */
  readonly calls?: number | undefined
  /** Tokens, in and out together. */
  readonly tokens?: number | undefined
  /** Money, in the currency of the prices. */
  readonly cost?: number | undefined
}

/** Money for a million tokens. */
export interface ModelPrices {
  readonly input: number
  readonly output: number
  /** Of tokens in that the endpoint has in its prompt cache, and of those it puts there; as any other tokens in when absent. */
  readonly cacheRead?: number
  readonly cacheWritten?: number
}

/** What OpenAI and Anthropic ask for batches, as a part of their prices. */
const BATCH_PART = 0.5

export function batchPrices(prices: ModelPrices | undefined): ModelPrices | undefined {
  if (prices === undefined) return undefined
  const { input, output, cacheRead, cacheWritten } = prices
  return {
    input: input * BATCH_PART,
    output: output * BATCH_PART,
    ...(cacheRead !== undefined && { cacheRead: cacheRead * BATCH_PART }),
    ...(cacheWritten !== undefined && { cacheWritten: cacheWritten * BATCH_PART }),
  }
}

/** What Anthropic's list asks for tokens of the prompt cache, as parts of the price in. */
const ANTHROPIC_CACHE_READ = 0.1
const ANTHROPIC_CACHE_WRITTEN = 1.25

/** By the two configured prices. OpenAI's part for cached tokens differs by model: there they count whole. */
export function modelPrices(kind: ModelEndpoint['kind'], input: number, output: number): ModelPrices {
  if (kind !== 'anthropic') return { input, output }
  return { input, output, cacheRead: input * ANTHROPIC_CACHE_READ, cacheWritten: input * ANTHROPIC_CACHE_WRITTEN }
}

export interface Tokens {
  /** Those of the prompt cache among them. */
  readonly input: number
  readonly output: number
  readonly cacheRead?: number
  readonly cacheWritten?: number
}

/** The next request is expected to go beyond the budget. */
export class BudgetSpent extends Error {
  override readonly name = 'BudgetSpent'
}

/** Tokens out that are expected of an answer before any came. */
export const USUAL_OUTPUT = 2_000

/** What a request can use at most: tokens in as reckoned, which is high, and the longest answer that it asks for. */
export type Most = Pick<Tokens, 'input' | 'output'>

/**
 * Keeps a run at its budget: a request is let through when what it is expected to use still fits, by what those before it used, beside
 * what was used and what others under way are expected to. One that doesn't waits for these, and is refused when nothing is under way any more.
 */
export class ModelAccount {
  requests = 0
  readonly #budget: ModelBudget
  readonly #prices: ModelPrices | undefined
  #used: Required<Tokens> = { input: 0, output: 0, cacheRead: 0, cacheWritten: 0 }
  /** Of the requests that were answered: how many, and their tokens in as they were reckoned. */
  #answered = { requests: 0, reckoned: 0 }
  readonly #underWay = new Set<Tokens>()
  #waiting: (() => void)[] = []

  constructor(budget: ModelBudget = {}, prices?: ModelPrices) {
    this.#budget = budget
    this.#prices = prices
  }

  get tokens(): Required<Tokens> {
    return this.#used
  }

  /** In the currency of the prices, to 0.0001; undefined without prices. */
  get cost(): number | undefined {
    return roundedCost(this.#used, this.#prices)
  }

  /**
   * Runs a request, and takes down what it used.
   * @param most what it can use at most
   * @param used what it used, of its result
   * @throws BudgetSpent before it is run
   */
  async spend<T>(most: Most, request: () => Promise<T>, used: (result: T) => Tokens): Promise<T> {
    let expected = this.#expected(most)
    while (!this.#fits(expected)) {
      if (this.#underWay.size === 0) throw new BudgetSpent()
      await new Promise<void>(resolve => this.#waiting.push(resolve))
      expected = this.#expected(most)
    }
    this.#underWay.add(expected)
    this.requests += 1
    try {
      const result = await request()
      this.#used = plus(this.#used, used(result))
      this.#answered.requests += 1
      this.#answered.reckoned += most.input
      return result
    } finally {
      this.#underWay.delete(expected)
      for (const go of this.#waiting.splice(0)) go()
    }
  }

  /** What a request will use, by those that were answered; before any was, what it could, with an answer of the usual length. */
  #expected({ input, output }: Most): Tokens {
    const { requests, reckoned } = this.#answered
    // Who puts tokens into the prompt cache may pay more for them.
    if (requests === 0) return { input, output: Math.min(output, USUAL_OUTPUT), cacheWritten: input }
    const part = reckoned === 0 ? 0 : input / reckoned
    const { input: came, output: went, cacheRead, cacheWritten } = this.#used
    return {
      input: came * part,
      output: went / requests,
      cacheRead: cacheRead * part,
      cacheWritten: cacheWritten * part,
    }
  }

  #fits(expected: Tokens): boolean {
    const { calls = Infinity, tokens = Infinity, cost = Infinity } = this.#budget
    const sum = [...this.#underWay].reduce<Tokens>(plus, plus(this.#used, expected))
    return this.requests < calls && sum.input + sum.output <= tokens && (costOf(sum, this.#prices) ?? 0) <= cost
  }
}

/** What tokens cost; undefined without prices. */
export function costOf(
  { input, output, cacheRead = 0, cacheWritten = 0 }: Tokens,
  prices: ModelPrices | undefined,
): number | undefined {
  if (prices === undefined) return undefined
  const { input: price, cacheRead: priceRead = price, cacheWritten: priceWritten = price } = prices
  const cached = cacheRead * (priceRead - price) + cacheWritten * (priceWritten - price)
  return (input * price + cached + output * prices.output) / 1_000_000
}

/** The same to 0.0001. */
export function roundedCost(tokens: Tokens, prices: ModelPrices | undefined): number | undefined {
  const cost = costOf(tokens, prices)
  return cost === undefined ? undefined : Math.round(cost * 10_000) / 10_000
}

export function plus(a: Tokens, b: Tokens): Required<Tokens> {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    cacheRead: (a.cacheRead ?? 0) + (b.cacheRead ?? 0),
    cacheWritten: (a.cacheWritten ?? 0) + (b.cacheWritten ?? 0),
  }
}
