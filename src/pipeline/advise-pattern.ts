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

/** A text between wildcards, or with one at an end. */
const WITH_WILDCARDS = /^(%?)([^%]+)(%?)$/s

/** Advises about a text with the wildcards of SQL's LIKE: in a filter they are part of the text. */
export function adviseWildcards(text: string, context: ParseContext): void {
  const [, before, inner, after] = WITH_WILDCARDS.exec(text) ?? []
  if (inner === undefined || (before === '' && after === '') || context.shape === undefined) return
  // A number with its unit ends like that too.
  if (before === '' && /\d$/.test(inner)) return
  const plain = inner.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
  const pattern = `${before === '' ? '^' : ''}${plain}${after === '' ? '$' : ''}`
  advise(context, `each "%" of ${echo(text)} is part of it; a text like that is found by {"$regex": ${echo(pattern)}}`)
}
