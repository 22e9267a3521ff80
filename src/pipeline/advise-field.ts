import { closest } from '../base/closest.js'
import { echo } from '../base/text.js'
import type { ParseContext } from './parse-context.js'
import type { FieldPath } from './path.js'

/** Most pieces of advice that a pipeline gets; more would bury the first. */
const MOST = 5

/**
 * Advises about a field that the documents do not have at this stage, with the closest name. Only advice: a filter on a
 * field that is missing everywhere has a meaning too.
 */
export function adviseField(path: FieldPath, context: ParseContext): void {
  const [name] = path
  const { shape, warnings } = context
  if (shape === undefined || name === undefined || shape.has(name) || context.ownPipeline === true) return
  const about = `there is no field ${echo(name)} at this stage`
  if (warnings.length >= MOST || warnings.some(warning => warning.includes(about))) return
  const near = closest(name, shape.keys())
  warnings.push(`${context.where}: ${about}${near === undefined ? '' : `; did you mean ${echo(near)}?`}`)
}
