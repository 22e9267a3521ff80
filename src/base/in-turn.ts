/** Runs tasks one after the other, so that a read, a write and what follows from it belong together. */
export class InTurn {
  #last: Promise<unknown> = Promise.resolve()

  /** Resolves or rejects as the task does; a task that failed does not hold up the next. */
  run<T>(task: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(task)
    this.#last = turn.catch(() => undefined)
    return turn
  }
}
