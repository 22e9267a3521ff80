import type { AccountOf, BudgetLeft, DayBudget, DaySpent, Spending } from './day-budgets.js'

/** What keys spend of their own budgets, a day at a time; see DayBudgets. */
export interface Budgets {
  /** Begins a question of a key. @throws Problem `too_many_requests`, until the day ends, when any of it is spent */
  take(keyId: string, budget: DayBudget): Spending | Promise<Spending>
  /** As far as this process knows. */
  left(keyId: string, budget: DayBudget): BudgetLeft
  /** Says which key's budget a key spends: those that rotations put in one another's place have one, and each its own till this is said. */
  spendAs(accountOf: AccountOf): void
  totals(): { readonly spent: Counts; readonly refused: Counts }
  /** Of what is kept with the keys: what they had before a start, what they have had since it was asked last, and what could not be kept. */
  restore(keyId: string, spent: DaySpent): void
  changes(): ReadonlyMap<string, DaySpent>
  notKept(keyIds: Iterable<string>): void
}

/** What is counted. */
type Counts = Omit<DaySpent, 'day'>
