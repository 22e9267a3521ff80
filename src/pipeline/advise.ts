import type { ParseContext } from './parse-context.js'

/** Most pieces of advice that a pipeline gets; more would bury the first. */
const MOST_ADVICE = 5

/**
 * Tells the caller what was probably not meant, beside the answer: it has a meaning all the same. Said once; our own
 * pipelines, which hold what callers gave as values, are not advised about.
 */
export function advise(context: ParseContext, about: string, hint = ''): void {
  const { warnings } = context
  if (context.ownPipeline === true || warnings.length >= MOST_ADVICE) return
  if (warnings.some(warning => warning.includes(about))) return
  warnings.push(`${context.where}: ${about}${hint}`)
}
