import { echo } from '../../../base/text.js'
import { advise } from '../../advise.js'
import { type ParseContext, listOn, typeAt } from '../../parse-context.js'
import type { Expression } from '../../tree.js'
import { isNumeric } from '../../value.js'

/** Which operand is the lower one where the comparison holds. */
const LOWER: ReadonlyMap<string, 0 | 1> = new Map([
  ['$lt', 0],
  ['$lte', 0],
  ['$gt', 1],
  ['$gte', 1],
])

/** Advises about a number that may be missing where it is to be low: what is missing is below every number. */
export function adviseMissing(name: string, operands: readonly Expression[], context: ParseContext): void {
  const lower = LOWER.get(name)
  if (lower === undefined) return
  const [field, other] = [operands[lower], operands[1 - lower]]
  if (field?.kind !== 'field' || field.variable !== undefined) return
  if (other?.kind !== 'literal' || !isNumeric(other.value) || listOn(context.shape, field.path) !== undefined) return
  const type = typeAt(context.shape, field.path)
  if (type?.kind !== 'double' || type.filled === true) return
  const path = field.path.join('.')
  advise(
    context,
    `${path} may be missing, and what is missing is below every number`,
    `; leave such documents out before, with {"$match": {${echo(path)}: {"$exists": true}}}`,
  )
}
