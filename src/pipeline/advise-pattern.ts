import { echo } from '../base/text.js'
import { advise } from './advise.js'
import type { ParseContext } from './parse-context.js'

const BETWEEN_SLASHES = /^\/(.+)\/([a-z]*)$/s

/** Advises about a pattern written as scripts write it, /refund/i: in JSON the slashes are part of the text. */
export function advisePattern(
  text: string,
  context: ParseContext,
  names: readonly [pattern: string, options: string],
): void {
  const [, source, options] = BETWEEN_SLASHES.exec(text) ?? []
  if (source === undefined || context.shape === undefined) return
  const [pattern, flags] = names
  const written = options === '' ? '' : `, "${flags}": ${echo(options ?? '')}`
  advise(context, `the slashes of ${echo(text)} are part of it; a pattern is {"${pattern}": ${echo(source)}${written}}`)
}
