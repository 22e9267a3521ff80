import { InTurn } from './in-turn.js'

/** Runs tasks of one name one after the other; those of others go on beside. */
export class NamedTurns {
  readonly #turns = new Map<string, { readonly inTurn: InTurn; tasks: number }>()

  async run<T>(name: string, task: () => Promise<T>): Promise<T> {
    const turns = this.#turns.get(name) ?? { inTurn: new InTurn(), tasks: 0 }
    this.#turns.set(name, turns)
    turns.tasks += 1
    try {
      return await turns.inTurn.run(task)
    } finally {
      turns.tasks -= 1
      if (turns.tasks === 0) this.#turns.delete(name)
    }
  }
}
