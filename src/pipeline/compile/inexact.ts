/** No sentence of an operator begins like this. */
const MARK = '\u0001inexact '

/**
 * The engine met a value that it can't treat exactly, such as a document where it sorts by an open field. Whoever runs
 * the statement compiles the pipeline again with fewer stages in the engine. Only rows in scope raise it.
 */
export class Inexact extends Error {
  override readonly name = 'Inexact'
  /** Stages that stay in the engine. */
  readonly engineStages: number
  constructor(engineStages: number) {
    super('A stage has to be evaluated')
    this.engineStages = engineStages
  }

  /** The mark by which a statement says that it gives up at a stage. */
  static mark(stage: number): string {
    return `${MARK}${stage}`
  }

  static read(sentence: string): Inexact | undefined {
    return sentence.startsWith(MARK) ? new Inexact(Number(sentence.slice(MARK.length))) : undefined
  }
}
