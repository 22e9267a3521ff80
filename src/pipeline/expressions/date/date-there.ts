import { ExpressionError } from '../expression-error.js'

/** A date that was computed. Throws where it lies beyond those there are. */
export function dateThere(operator: string, date: Date): Date {
  if (Number.isNaN(date.getTime())) throw new ExpressionError(operator, 'leaves the dates there are')
  return date
}
