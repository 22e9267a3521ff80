import { Problem } from '../base/problem.js'

/** What is counted of a key in a day: questions, bytes of answers (as JSON), milliseconds that engine and threads worked for them. */
export const COUNTED = ['questions', 'bytes', 'work_ms'] as const
type Counted = (typeof COUNTED)[number]
type Counts = Readonly<Record<Counted, number>>

/** What a key may have of each in a day; what is absent has no bound. */
export type DayBudget = { readonly [What in Counted]?: number }

/** What a key has had on a day (UTC, as 2026-11-23). */
export interface DaySpent extends Counts {
  readonly day: string
}

/** What is left of a budget, and when there is a whole one again. */
export interface BudgetLeft extends DayBudget {
  readonly renewed_at: string
}

/** What one request spends, as it becomes known. */
export interface Spending {
  readonly worked: (milliseconds: number) => void
  readonly answered: (bytes: number) => void
}

/** The key under which it is counted what a key spends. */
export type AccountOf = (keyId: string) => string

export const NONE: Counts = { questions: 0, bytes: 0, work_ms: 0 }
const DAY_MS = 24 * 60 * 60 * 1_000

/** As the refusal says it. */
const told: Readonly<Record<Counted, (bound: number) => string>> = {
  questions: bound => `${bound} questions`,
  bytes: bound => `${bound} bytes of answers`,
  work_ms: bound => `${bound / 1_000} s of work`,
}

/**
 * What keys spend of their own budgets, a day at a time. A question is counted when it begins, so that no number of them at
 * once is more than there may be; bytes and work are known afterwards, so the last answers of a day may go over by what
 * they come to.
 */
export class DayBudgets {
  readonly #clock: () => number
  readonly #spent = new Map<string, DaySpent>()
  readonly #changed = new Set<string>()
  readonly #all = { ...NONE }
  readonly #refused = { ...NONE }
  #accountOf: AccountOf = keyId => keyId

  constructor(clock: () => number = Date.now) {
    this.#clock = clock
  }

  /**
   * Begins a question of a key.
   * @throws Problem `too_many_requests`, until the day ends, when any of it is spent
   */
  take(keyId: string, budget: DayBudget): Spending {
    const account = this.#accountOf(keyId)
    const spent = this.#today(account)
    const over = COUNTED.find(what => spent[what] >= (budget[what] ?? Infinity))
    if (over !== undefined) {
      this.#refused[over] += 1
      throw budgetSpent(over, budget, this.#clock())
    }
    this.#spend(account, 'questions', 1)
    return {
      worked: milliseconds => this.#spend(account, 'work_ms', milliseconds),
      answered: bytes => this.#spend(account, 'bytes', bytes),
    }
  }

  left(keyId: string, budget: DayBudget): BudgetLeft {
    return budgetLeft(this.#spent.get(this.#accountOf(keyId)), budget, this.#clock())
  }

  /** Goes on from what was spent before a start. */
  restore(keyId: string, spent: DaySpent): void {
    this.#spent.set(keyId, spent)
  }

  spendAs(accountOf: AccountOf): void {
    this.#accountOf = accountOf
  }

  /** What this was told of last could not be kept: it is told again. */
  notKept(keyIds: Iterable<string>): void {
    for (const keyId of keyIds) this.#changed.add(keyId)
  }

  /** What keys have had by now whose counts changed since this was asked last. */
  changes(): ReadonlyMap<string, DaySpent> {
    const changed = new Map([...this.#changed].map(keyId => [keyId, this.#today(keyId)]))
    this.#changed.clear()
    return changed
  }

  /** Of all keys with a budget together, for the metrics. */
  totals(): { readonly spent: Counts; readonly refused: Counts } {
    return { spent: this.#all, refused: this.#refused }
  }

  #spend(keyId: string, what: Counted, count: number): void {
    const spent = this.#today(keyId)
    this.#spent.set(keyId, { ...spent, [what]: spent[what] + count })
    this.#all[what] += count
    this.#changed.add(keyId)
  }

  #today(keyId: string): DaySpent {
    const day = dayOf(this.#clock())
    const spent = this.#spent.get(keyId)
    return spent?.day === day ? spent : { day, ...NONE }
  }
}

/** The day of an instant, as 2026-11-23. */
export const dayOf = (now: number): string => new Date(now).toISOString().slice(0, 10)

const endOfDay = (now: number): number => (Math.floor(now / DAY_MS) + 1) * DAY_MS

/** What is left of a budget. @param known what was spent, of whatever day */
export function budgetLeft(known: DaySpent | undefined, budget: DayBudget, now: number): BudgetLeft {
  const spent = known?.day === dayOf(now) ? known : NONE
  const counts = COUNTED.flatMap(what => {
    const bound = budget[what]
    return bound === undefined ? [] : [[what, Math.max(0, Math.floor(bound - spent[what]))]]
  })
  return { ...(Object.fromEntries(counts) as DayBudget), renewed_at: new Date(endOfDay(now)).toISOString() }
}

/** Whether any of it is spent: then nothing more is to be had. */
export const isSpent = (left: BudgetLeft): boolean => COUNTED.some(what => left[what] === 0)

/** What a key is told that has had all it may have. */
export function budgetSpent(over: Counted, budget: DayBudget, now: number): Problem {
  const end = endOfDay(now)
  return new Problem(
    'too_many_requests',
    `This key has had what it may have in a day: ${told[over](budget[over] ?? 0)}; it may ask again from ${new Date(end).toISOString()} on`,
    { retryAfter: Math.max(1, Math.ceil((end - now) / 1_000)) },
  )
}
