import type { Budgets } from './budgets.js'
import {
  type AccountOf,
  budgetLeft,
  budgetSpent,
  COUNTED,
  dayOf,
  type DayBudget,
  type DaySpent,
  NONE,
  type Spending,
} from './day-budgets.js'
import type { SpentStore } from './shared-limits.js'

/** How soon others know what an answer came to, in milliseconds. */
const SEND_AFTER_MS = 250
/** Keys whose counts are remembered, to tell what is left: those asked for last. */
const MOST_KNOWN = 10_000

/**
 * What keys spend of their own budgets with all processes together: a question is counted in the store when it begins, and what its answer
 * came to soon after.
 */
export class SharedDayBudgets implements Budgets {
  readonly #store: SpentStore
  readonly #clock: () => number
  /** As the store said last, and with what was spent here since. */
  readonly #known = new Map<string, DaySpent>()
  /** What the store was not told of yet. */
  #unsent = new Map<string, DaySpent>()
  #sending: NodeJS.Timeout | undefined
  readonly #all = { ...NONE }
  readonly #refused = { ...NONE }
  #accountOf: AccountOf = keyId => keyId

  constructor(store: SpentStore, clock: () => number = Date.now) {
    this.#store = store
    this.#clock = clock
  }

  async take(keyId: string, budget: DayBudget): Promise<Spending> {
    const day = dayOf(this.#clock())
    const account = this.#accountOf(keyId)
    const { spent, may } = await this.#store.take(account, day, budget)
    this.#know(account, spent)
    if (!may) {
      const over = COUNTED.find(what => spent[what] >= (budget[what] ?? Infinity)) ?? 'questions'
      this.#refused[over] += 1
      throw budgetSpent(over, budget, this.#clock())
    }
    this.#all.questions += 1
    return {
      worked: milliseconds => this.#spend(account, { day, ...NONE, work_ms: milliseconds }),
      answered: bytes => this.#spend(account, { day, ...NONE, bytes }),
    }
  }

  left(keyId: string, budget: DayBudget): ReturnType<Budgets['left']> {
    return budgetLeft(this.#known.get(this.#accountOf(keyId)), budget, this.#clock())
  }

  spendAs(accountOf: AccountOf): void {
    this.#accountOf = accountOf
  }

  totals(): ReturnType<Budgets['totals']> {
    return { spent: this.#all, refused: this.#refused }
  }

  // All of it is in the store already.

  restore(): void {}

  changes(): ReadonlyMap<string, DaySpent> {
    return new Map()
  }

  notKept(): void {}

  #spend(keyId: string, more: DaySpent): void {
    const known = this.#known.get(keyId)
    if (known?.day === more.day) this.#known.set(keyId, sum(known, more))
    for (const what of COUNTED) this.#all[what] += more[what]
    this.#send(keyId, more)
  }

  #send(keyId: string, more: DaySpent): void {
    const place = `${keyId} ${more.day}`
    const before = this.#unsent.get(place)
    this.#unsent.set(place, before === undefined ? more : sum(before, more))
    this.#sending ??= setTimeout(() => void this.flush(), SEND_AFTER_MS).unref()
  }

  /** Tells the store what it was not told of yet; what fails is told again. */
  async flush(): Promise<void> {
    clearTimeout(this.#sending)
    this.#sending = undefined
    const unsent = this.#unsent
    this.#unsent = new Map()
    await Promise.all(
      [...unsent].map(async ([place, spent]) => {
        const keyId = place.slice(0, place.lastIndexOf(' '))
        await this.#store.add(keyId, spent).catch(() => this.#send(keyId, spent))
      }),
    )
  }

  #know(keyId: string, spent: DaySpent): void {
    this.#known.delete(keyId)
    this.#known.set(keyId, spent)
    const [oldest] = this.#known.keys()
    if (this.#known.size > MOST_KNOWN && oldest !== undefined) this.#known.delete(oldest)
  }
}

function sum(one: DaySpent, other: DaySpent): DaySpent {
  const { day } = one
  return {
    day,
    questions: one.questions + other.questions,
    bytes: one.bytes + other.bytes,
    work_ms: one.work_ms + other.work_ms,
  }
}
