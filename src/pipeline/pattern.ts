import { RE2JS } from 're2js'
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
  /** The pattern as RE2 reads it, options inside. */
  readonly re2: string
  /** The text it stands for, when it is a plain text without options: a substring search. */
  readonly plain: string | undefined
  readonly source: string
  readonly options: string
}

// What RE2 has no way to run in linear time. RE2 refuses them itself; here they get their own sentence.
const UNSUPPORTED: readonly (readonly [RegExp, string])[] = [
  [/\(\?<?[=!]/, 'look-ahead and look-behind are not supported (patterns run in linear time)'],
  [/\\[1-9]/, 'back-references are not supported (patterns run in linear time)'],
  [/\(\?>|[*+?}]\+/, 'atomic groups and possessive quantifiers are not supported (patterns run in linear time)'],
]

const META = /[\\^$.|?*+()[\]{}]/

/** Option x: unescaped blanks and comments outside classes go, since RE2 has no such option. */
function withoutBlanks(source: string): string {
  let out = ''
  let inClass = false
  for (let i = 0; i < source.length; i += 1) {
    const char = source[i]!
    if (char === '\\') {
      out += char + (source[i + 1] ?? '')
      i += 1
    } else if (inClass) {
      out += char
      inClass = char !== ']'
    } else if (char === '[') {
      out += char
      inClass = true
    } else if (char === '#') {
      const end = source.indexOf('\n', i)
      i = end === -1 ? source.length : end
    } else if (!/\s/.test(char)) {
      out += char
    }
  }
  return out
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
 * @throws Refusal when it is too long, not RE2 or has an unknown option.
 */
export function compilePattern(source: string, options: string, where: string, maxLength: number): Pattern {
  if (source.length > maxLength) throw new Refusal(where, `the pattern is longer than ${maxLength} characters`)
  if (!/^[imsx]*$/.test(options)) throw new Refusal(where, 'the options of a pattern are i, m, s and x')
  for (const [form, reason] of UNSUPPORTED) if (form.test(source)) throw new Refusal(where, reason)
  const body = options.includes('x') ? withoutBlanks(source) : source
  const flags = [...new Set(options.replace('x', ''))].join('')
  const re2 = flags === '' ? body : `(?${flags})${body}`
  try {
    const compiled = RE2JS.compile(re2)
    return {
      test: text => compiled.matcher(text).find(),
      matches: text => matchesOf(compiled, text),
      re2,
      plain: flags === '' ? plainText(body) : undefined,
      source,
      options,
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'it can not be read'
    throw new Refusal(where, `the pattern is not a regular expression RE2 reads: ${reason}`)
  }
}
