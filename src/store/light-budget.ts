import { Problem } from '../base/problem.js'

/** Why a query was ended that may yet be answered among the heavy ones. Nobody who asks sees it. */
export class BudgetSpent extends Problem {
  constructor() {
    super('deadline_exceeded', 'The query takes more than a light one may')
  }
}

/** How long the engine may still work for an answer among the light queries; waiting is not counted. */
export class LightBudget {
  #leftMs: number
  #spentMs = 0

  constructor(milliseconds: number) {
    this.#leftMs = milliseconds
  }

  get leftMs(): number {
    return Math.max(0, this.#leftMs)
  }

  /** How long it worked, in milliseconds. */
  get spentMs(): number {
    return this.#spentMs
  }

  spend(milliseconds: number): void {
    this.#leftMs -= milliseconds
    this.#spentMs += milliseconds
  }
}
