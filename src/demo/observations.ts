export type State = 'present' | 'absent' | 'unclear'

export interface Observation {
  readonly state: State
  readonly turn: number | undefined
  readonly quote: string | undefined
}

/** What a call shows of the signals, with the turn that says it; a signal that does not apply is not in it. */
export class Observations {
  readonly #seen = new Map<string, Observation>()

  note(signal: string, state: State, turn?: number, quote?: string): void {
    this.#seen.set(signal, { state, turn, quote })
  }

  /** Notes a signal as present or absent, by whether there is a turn that shows it. */
  noteTurn(signal: string, turn: number | undefined, quote?: string): void {
    this.note(signal, turn === undefined ? 'absent' : 'present', turn, quote)
  }

  get(signal: string): Observation | undefined {
    return this.#seen.get(signal)
  }

  is(signal: string, state: State): boolean {
    return this.#seen.get(signal)?.state === state
  }
}
