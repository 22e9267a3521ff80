import { closest } from '../base/closest.js'
import { echo } from '../base/text.js'
import { advise } from './advise.js'
import type { ParseContext } from './parse-context.js'
import type { FieldPath } from './path.js'

/**
 * Advises about a field that the documents do not have at this stage, with the closest name. Only advice: a filter on a
 * field that is missing everywhere has a meaning too.
 */
export function adviseField(path: FieldPath, context: ParseContext): void {
  const [name] = path
  const { shape } = context
  if (shape === undefined || name === undefined || shape.has(name)) return
  const near = closest(name, shape.keys())
  advise(
    context,
    `there is no field ${echo(name)} at this stage`,
    near === undefined ? '' : `; did you mean ${echo(near)}?`,
  )
}
