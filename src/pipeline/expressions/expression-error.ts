import { Problem } from '../../base/problem.js'

/** An error that MongoDB raises while a pipeline runs, such as a division by zero. Values are never part of the text. */
export class ExpressionError extends Problem {
  override readonly name = 'ExpressionError'
  constructor(operator: string, reason: string) {
    super('invalid_pipeline', `${operator} ${reason}`)
  }

  /** The error of a sentence that begins with the operator, as the engine hands it back. */
  static of(sentence: string): ExpressionError {
    const blank = sentence.indexOf(' ')
    return new ExpressionError(sentence.slice(0, blank), sentence.slice(blank + 1))
  }
}
