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
}

interface Tokens {
  readonly input: number
  readonly output: number
}

/** The next request could go beyond the budget. */
export class BudgetSpent extends Error {
  override readonly name = 'BudgetSpent'
}

/**
 * Keeps a run within its budget: a request is let through when the most it can use still fits, beside what was used and
 * what others under way may use. One that doesn't waits for these, and is refused when nothing is under way any more.
 */
export class ModelAccount {
  requests = 0
  readonly #budget: ModelBudget
  readonly #prices: ModelPrices | undefined
  #used: Tokens = { input: 0, output: 0 }
  readonly #underWay = new Set<Tokens>()
  #waiting: (() => void)[] = []

  constructor(budget: ModelBudget = {}, prices?: ModelPrices) {
    this.#budget = budget
    this.#prices = prices
  }

  get tokens(): Tokens {
    return this.#used
  }

  /** In the currency of the prices, to 0.0001; undefined without prices. */
  get cost(): number | undefined {
    const cost = this.#costOf(this.#used)
    return cost === undefined ? undefined : Math.round(cost * 10_000) / 10_000
  }

  /**
   * Runs a request, and takes down what it used.
   * @param most what it can use at most
   * @param used what it used, of its result
   * @throws BudgetSpent before it is run
   */
  async spend<T>(most: Tokens, request: () => Promise<T>, used: (result: T) => Tokens): Promise<T> {
    while (!this.#fits(most)) {
      if (this.#underWay.size === 0) throw new BudgetSpent()
      await new Promise<void>(resolve => this.#waiting.push(resolve))
    }
    const reserved = { ...most }
    this.#underWay.add(reserved)
    this.requests += 1
    try {
      const result = await request()
      this.#used = plus(this.#used, used(result))
      return result
    } finally {
      this.#underWay.delete(reserved)
      for (const go of this.#waiting.splice(0)) go()
    }
  }

  #fits(most: Tokens): boolean {
    const { calls = Infinity, tokens = Infinity, cost = Infinity } = this.#budget
    const sum = [...this.#underWay].reduce(plus, plus(this.#used, most))
    return this.requests < calls && sum.input + sum.output <= tokens && (this.#costOf(sum) ?? 0) <= cost
  }

  #costOf({ input, output }: Tokens): number | undefined {
    return this.#prices && (input * this.#prices.input + output * this.#prices.output) / 1_000_000
  }
}

function plus(a: Tokens, b: Tokens): Tokens {
  return { input: a.input + b.input, output: a.output + b.output }
}
