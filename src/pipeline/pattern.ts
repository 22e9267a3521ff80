import { RE2JS } from 're2js'
import type { ParseContext } from './parse-context.js'
import { type PatternToken, patternTokens } from './pattern-tokens.js'
import { Refusal } from './refusal.js'

/** A match: where it begins and ends in UTF-16 units, and its groups. */
export interface Found {
  readonly start: number
  readonly end: number
  readonly groups: readonly (string | undefined)[]
}

/** A regular expression of the pipeline: RE2's syntax everywhere, so that its time is linear in the text. */
export interface Pattern {
  /** Whether it is found anywhere in the text. */
  test(text: string): boolean
  /** Its matches, in order and without overlap. */
  matches(text: string): Iterable<Found>
  /** The pattern as the engine reads it, options inside; `undefined` where it may not read it alike. */
  readonly engine: string | undefined
  /** The text it stands for, when it is a plain text without options: a substring search. */
  readonly plain: string | undefined
  /** How many groups it remembers, if each takes part in every match; `undefined` where one may not. */
  readonly captures: number | undefined
  readonly source: string
  readonly options: string
}

const BACK_REFERENCE = 'back-references are not supported (patterns run in linear time)'

/** What else RE2 has no way to run in linear time, where no class and no escape stands for a character. */
const UNSUPPORTED: readonly (readonly [RegExp, string])[] = [
  [/\(\?<?[=!]/, 'look-ahead and look-behind are not supported (patterns run in linear time)'],
  [/\(\?>|[*+?}]\+/, 'atomic groups and possessive quantifiers are not supported (patterns run in linear time)'],
]

const META = /[\\^$.|?*+()[\]{}]/

/** Most parts that all patterns of a pipeline have, repetitions written out. Compiling takes two microseconds a part. */
const MOST_PARTS = 20_000

/** General categories of characters, all that the engine's RE2 knows for certain beside RE2JS. */
const CATEGORY = /^\\[pP]\{?\^?(?:L[lmotu]?|M[cen]?|N[dlo]?|P[cdefios]?|S[ckmo]?|Z[lps]?|C[cfo]|Any)\}?$/

/** A pattern's characters, with an `x` for each character that is none of its signs. */
function skeletonOf(tokens: readonly PatternToken[]): string {
  return tokens
    .map(({ kind, text }) => (kind === 'character' ? text : 'x'.repeat(kind === 'quoted' ? text.length : 1)))
    .join('')
}

const PIECES = /\{(\d+)(?:,(\d*))?\}|[^]/gu

/** How many parts a pattern has when its repetitions are written out: `(ab){3}c` has seven. */
function partsOf(skeleton: string): number {
  const groups = [{ parts: 0, last: 0 }]
  for (const [piece, least, most] of skeleton.matchAll(PIECES)) {
    const group = groups.at(-1)!
    if (least !== undefined) {
      const times = Math.max(Number(least), Number(most ?? 0), 1)
      group.parts += group.last * (times - 1)
      group.last *= times
    } else if (piece === '(') {
      groups.push({ parts: 0, last: 0 })
    } else if (piece === ')' && groups.length > 1) {
      const outer = groups.at(-2)!
      outer.last = group.parts + 1
      outer.parts += outer.last
      groups.pop()
    } else {
      group.last = 1
      group.parts += 1
    }
  }
  return groups.reduce((sum, { parts }) => sum + parts, 0)
}

/** Signs of which a group that they follow need not be there. */
const OPTIONAL = /^(?:[?*]|\{0)/

/** See Pattern.captures. */
function capturesOf(skeleton: string): number | undefined {
  const groups = [{ own: 0, captures: 0, alternates: false }]
  for (const { index, 0: sign } of skeleton.matchAll(/[()|]/g)) {
    const group = groups.at(-1)!
    if (sign === '|') group.alternates = true
    if (sign === '(') {
      const own = /^\((?!\?)|^\(\?P?</.test(skeleton.slice(index)) ? 1 : 0
      groups.push({ own, captures: 0, alternates: false })
    }
    if (sign !== ')') continue
    groups.pop()
    const all = group.own + group.captures
    if ((group.alternates && group.captures > 0) || (all > 0 && OPTIONAL.test(skeleton.slice(index + 1))))
      return undefined
    groups.at(-1)!.captures += all
  }
  const [whole] = groups
  return whole!.alternates && whole!.captures > 0 ? undefined : whole!.captures
}

/** Counts the parts of one more pattern of a pipeline. */
function count(parts: number, { where, patterns }: ParseContext): void {
  patterns.parts += parts
  if (patterns.parts > MOST_PARTS) {
    throw new Refusal(
      where,
      `the patterns up to here have more than ${MOST_PARTS} parts with their repetitions written out; repeat less ({n}) or search for fewer`,
    )
  }
}

/** The pattern for the engine, whose RE2 is older; `undefined` where it may not know what the pattern names. */
function forEngine(tokens: readonly PatternToken[]): string | undefined {
  const names = tokens.flatMap(({ kind, text }) =>
    kind === 'class' ? (text.match(/\\[pP](?:\{[^}]*\}|.)/gsu) ?? []) : /^\\[pP]/.test(text) ? [text] : [],
  )
  if (!names.every(name => CATEGORY.test(name))) return undefined
  // It knows named groups by their first name only.
  return tokens
    .map(({ text }, i) => (text === '<' && tokens[i - 1]?.text === '?' && tokens[i - 2]?.text === '(' ? 'P<' : text))
    .join('')
}

function* matchesOf(compiled: RE2JS, text: string): Iterable<Found> {
  const matcher = compiled.matcher(text)
  while (matcher.find()) {
    const groups = Array.from({ length: matcher.groupCount() }, (_, i) => matcher.group(i + 1) ?? undefined)
    yield { start: matcher.start(), end: matcher.end(), groups }
  }
}

/** A pattern that is a plain text once its escapes are undone (`a\.b` is `a.b`), or `undefined`. */
function plainText(source: string): string | undefined {
  const unescaped = source.replace(/\\([\\^$.|?*+()[\]{}/-])/g, '\u0000')
  if (META.test(unescaped)) return undefined
  return source.replace(/\\([\\^$.|?*+()[\]{}/-])/g, '$1')
}

/**
 * Compiles a pattern with MongoDB's options i, m, s and x.
 * @throws Refusal when it is too long, not RE2, has an unknown option, or the pipeline's patterns come to too much.
 */
export function compilePattern(source: string, options: string, context: ParseContext): Pattern {
  const { where } = context
  const { patternLength } = context.limits
  if (source.length > patternLength) throw new Refusal(where, `the pattern is longer than ${patternLength} characters`)
  if (!/^[imsx]*$/.test(options)) throw new Refusal(where, 'the options of a pattern are i, m, s and x')
  const tokens = patternTokens(source, options.includes('x'))
  // Two digits would be read as a character's number.
  if (tokens.some(({ text }) => /^\\[1-9]$/.test(text))) throw new Refusal(where, BACK_REFERENCE)
  const skeleton = skeletonOf(tokens)
  count(partsOf(skeleton), context)
  const body = tokens.map(({ text }) => text).join('')
  const flags = [...new Set(options.replaceAll('x', ''))].join('')
  const withFlags = (pattern: string) => (flags === '' ? pattern : `(?${flags})${pattern}`)
  const compiled = compileRe2(withFlags(body), skeleton, where)
  const engine = forEngine(tokens)
  return {
    test: text => compiled.matcher(text).find(),
    matches: text => matchesOf(compiled, text),
    engine: engine === undefined ? undefined : withFlags(engine),
    plain: flags === '' ? plainText(body) : undefined,
    captures: capturesOf(skeleton),
    source,
    options,
  }
}

function compileRe2(pattern: string, skeleton: string, where: string): RE2JS {
  try {
    return RE2JS.compile(pattern)
  } catch (error) {
    const known = UNSUPPORTED.find(([form]) => form.test(skeleton))?.[1]
    if (known !== undefined) throw new Refusal(where, known)
    const reason = error instanceof Error ? error.message : 'it can not be read'
    throw new Refusal(where, `the pattern is not a regular expression RE2 reads: ${reason}`)
  }
}
