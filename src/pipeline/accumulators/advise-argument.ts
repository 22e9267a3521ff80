import { isObject } from '../../base/is-object.js'
import { echo } from '../../base/text.js'
import { advise } from '../advise.js'
import { adviseConstant } from '../advise-constant.js'
import { adviseList } from '../advise-list.js'
import { type ParseContext, at } from '../parse-context.js'
import { shapeOf } from '../stages/shape-of.js'
import type { AccumulatorCall } from './accumulator.js'

/** Accumulators that reckon with numbers, and pass over what is none. */
const RECKONING = new Set(['$avg', '$sum', '$stdDevPop', '$stdDevSamp', '$median', '$percentile'])

/** Accumulators that take one value of each document. */
const OF_ONE_VALUE = new Set([...RECKONING, '$min', '$max'])

/** Advises about what an accumulator gathers: a field's name, lists, or truths where only numbers count. */
export function adviseArgument(
  name: string,
  json: unknown,
  { operands }: AccumulatorCall,
  context: ParseContext,
): void {
  adviseConstant(json, context)
  if (!OF_ONE_VALUE.has(name)) return
  const isQuantile = name === '$median' || name === '$percentile'
  const [given, place] = isQuantile && isObject(json) ? [json['input'], at(context, 'input')] : [json, context]
  adviseList(given, place)
  const [operand] = operands
  if (!RECKONING.has(name) || operand === undefined || shapeOf(operand, context)?.kind !== 'bool') return
  const shown = isObject(given) ? `{${echo(Object.keys(given)[0] ?? '')}: …}` : echo(given)
  advise(
    place,
    `true and false are no numbers, and ${name} passes over them`,
    `; a number of it is {"$cond": [${shown}, 1, 0]}`,
  )
}
