import { randomUUID } from 'node:crypto'

/** Text of no caller: nobody else can know it. */
const MARK = `inexact ${randomUUID()} `

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

  /** The mark by which a statement says that it gives up at a stage: a part of the engine's error. */
  static mark(stage: number): string {
    return `${MARK}${stage}`
  }

  /** What an error of the engine says, if that is its reason. */
  static of(error: unknown): Inexact | undefined {
    const [, after] = error instanceof Error ? error.message.split(MARK) : []
    return after === undefined ? undefined : new Inexact(Number.parseInt(after, 10))
  }
}
