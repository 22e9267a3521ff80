/** A pattern as it stands in a pipeline. */
export interface RegexLiteral {
  readonly source: string
  readonly options: string
}

/** Flags of JavaScript that say how a match is found, not whether there is one. */
const NOT_MEANING = /[dguvy]/g

/**
 * A literal pattern: a JavaScript RegExp, or extended JSON `{"$regularExpression": {"pattern": …, "options": …}}`;
 * `undefined` for anything else.
 */
export function readRegex(json: unknown): RegexLiteral | undefined {
  if (json instanceof RegExp) return { source: json.source, options: json.flags.replaceAll(NOT_MEANING, '') }
  if (typeof json !== 'object' || json === null || !('$regularExpression' in json) || Object.keys(json).length > 1) {
    return undefined
  }
  const inner = json.$regularExpression
  if (typeof inner !== 'object' || inner === null || !('pattern' in inner) || typeof inner.pattern !== 'string') {
    return undefined
  }
  const options = 'options' in inner && typeof inner.options === 'string' ? inner.options : ''
  return { source: inner.pattern, options }
}
