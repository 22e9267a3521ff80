/** A piece of work was ended because it took too much. */
export class Overrun extends Error {
  override readonly name = 'Overrun'
  /** The end of a sentence: `took more than 30 s`. */
  readonly took: string

  constructor(took: string) {
    super(`The work ${took}`)
    this.took = took
  }
}
