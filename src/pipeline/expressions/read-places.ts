import type { Value } from '../value.js'
import { ExpressionError } from './expression-error.js'
import { whole } from './whole-number.js'

/** Start and end of a search, as $indexOfArray, $indexOfCP and $indexOfBytes take them: whole numbers from 0. */
export function readPlaces(
  operator: string,
  places: readonly (Value | undefined)[],
  length: number,
): readonly [start: number, end: number] {
  const numbers = places.map(place => {
    const number = whole(place)
    if (number === undefined || number < 0)
      throw new ExpressionError(operator, 'takes whole numbers from 0 as start and end')
    return number
  })
  const [start = 0, end = length] = numbers
  return [start, Math.min(end, length)]
}
