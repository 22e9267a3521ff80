/** Changes of something, which may be under way at once: by them it is known, without looking, whether it may have changed between two looks. */
export class Changes {
  #underWay = 0
  #begun = 0

  /** How many have begun. */
  get begun(): number {
    return this.#begun
  }

  /** How many have begun and how many have ended: another number after each. */
  get steps(): number {
    return this.#begun + (this.#begun - this.#underWay)
  }

  /** How many have begun, where none is under way: where two looks give the same number, nothing changed from one to the other. */
  get still(): number | undefined {
    return this.#underWay === 0 ? this.#begun : undefined
  }

  /** Runs something that may be a change. */
  async during<T>(change: () => Promise<T>): Promise<T> {
    this.#underWay += 1
    this.#begun += 1
    try {
      return await change()
    } finally {
      this.#underWay -= 1
    }
  }
}
