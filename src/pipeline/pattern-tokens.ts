/** A piece of a pattern that stands for one thing: a character, an escape, a quotation or a class. */
export interface PatternToken {
  readonly kind: 'character' | 'escape' | 'quoted' | 'class'
  readonly text: string
}

const ESCAPE = /\\(?:[pPx]\{[^}]*\}|[pP].|x[0-9a-fA-F]{2}|[^])?/uy
const QUOTED = /\\Q(?:(?!\\E)[^])*(?:\\E)?/uy
/** A bracket that closes at once is a character of the class. */
const CLASS = /\[\^?\]?(?:\[:\^?\w*:\]|\\[^]|[^\]\\])*\]?/uy
const COMMENT = /#[^\n]*\n?/uy

const ORDINARY: readonly (readonly [PatternToken['kind'], RegExp])[] = [
  ['quoted', QUOTED],
  ['escape', ESCAPE],
  ['class', CLASS],
  ['character', /[^]/uy],
]

/**
 * The pieces of a pattern in their order. With option x, which RE2 lacks, blanks and comments outside classes and
 * quotations are left out.
 */
export function patternTokens(source: string, extended: boolean): readonly PatternToken[] {
  const tokens: PatternToken[] = []
  for (let at = 0; at < source.length;) {
    COMMENT.lastIndex = at
    const comment = extended ? COMMENT.exec(source)?.[0] : undefined
    const token = comment === undefined ? tokenAt(source, at) : undefined
    at += (comment ?? token?.text ?? source[at]!).length
    if (token === undefined || (extended && token.kind === 'character' && /\s/.test(token.text))) continue
    tokens.push(token)
  }
  return tokens
}

function tokenAt(source: string, at: number): PatternToken | undefined {
  for (const [kind, form] of ORDINARY) {
    form.lastIndex = at
    const text = form.exec(source)?.[0]
    if (text !== undefined) return { kind, text }
  }
  return undefined
}
