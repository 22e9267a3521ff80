import { foldedText, normalName } from '../base/text.js'

/** Something that is looked for in the words of calls: a word, or a phrase that stood in quotes. */
export interface SearchTerm {
  readonly term: string
  /** The filter for the calls in whose title, summary or transcript it stands. */
  readonly condition: object
}

const ESCAPED = /[\\^$.|?*+()[\]{}]/g
/** A phrase in straight or typographic quotes, or a word; a quote without its partner is a character like others. */
const TERM = /"([^"]*)"|“([^”]*)”|([^\s"“]+|["“])/gu
/** The words of a phrase may stand any blanks apart, but in one turn: turns are lines of the text that is searched. */
const BETWEEN_WORDS = '[\\t\\p{Zs}]+'

/** Letters that are others in capitals, and small again: Greek has two small sigmas and one capital, and "Straße" is "STRASSE". */
const VARIANTS: Readonly<Record<string, string>> = { σ: '[σς]', ς: '[σς]', ß: '(?:ß|ss)' }
const VARIED = new RegExp(`[${Object.keys(VARIANTS).join('')}]`, 'g')

/** The words and phrases of a text search, each a substring taken literally, in any case, with or without accents. */
export function searchTerms(text: string): readonly SearchTerm[] {
  return joined([...normalName(text).matchAll(TERM)]).flatMap(term => {
    const words = term.split(/\s+/u).filter(word => word !== '')
    if (words.length === 0) return []
    const folded = words.map(word => foldedText(word).replace(ESCAPED, '\\$&'))
    const patterns = folded.map(word => word.replace(VARIED, letter => VARIANTS[letter]!))
    // Plain texts are found faster than patterns, and words than a phrase: where one is missing there is none of what it is in.
    const plain = folded
      .filter((word, i) => word !== patterns[i])
      .map(longestUnvaried)
      .filter(part => part !== '')
    const phrase = words.length === 1 ? [] : [patterns.join(BETWEEN_WORDS)]
    const found = [...plain, ...patterns, ...phrase].map($regex => ({ search_text: { $regex } }))
    return [{ term: words.join(' '), condition: found.length === 1 ? found[0]! : { $and: found } }]
  })
}

function longestUnvaried(word: string): string {
  const [longest = ''] = word.split(VARIED).toSorted((a, b) => b.length - a.length)
  return longest
}

/** Phrases as they are, and what stands without a blank between as one word: a lone quote belongs to the word at it. */
function joined(matches: readonly RegExpExecArray[]): readonly string[] {
  const terms: string[] = []
  let end = -1
  for (const match of matches) {
    const [whole, straight, typographic, plain = ''] = match
    const phrase = straight ?? typographic
    if (phrase === undefined && match.index === end) terms.push(`${terms.pop() ?? ''}${plain}`)
    else terms.push(phrase ?? plain)
    end = phrase === undefined ? match.index + whole.length : -1
  }
  return terms
}
