import { Problem } from '../../base/problem.js'

/** An error that MongoDB raises while a pipeline runs, such as a division by zero. Values are never part of the text. */
export class ExpressionError extends Problem {
  override readonly name = 'ExpressionError'
  constructor(operator: string, reason: string) {
    super('invalid_pipeline', `${operator} ${reason}`)
  }
}
