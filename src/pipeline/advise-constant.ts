import { echo } from '../base/text.js'
import { advise } from './advise.js'
import type { ParseContext } from './parse-context.js'

/** Advises about a text that is a field's name without "$": as a key it makes one group, as a number it is none. */
export function adviseConstant(json: unknown, context: ParseContext): void {
  if (typeof json !== 'string' || context.shape?.has(json) !== true) return
  advise(context, `${echo(json)} is a text here; the field is ${echo(`$${json}`)}`)
}
