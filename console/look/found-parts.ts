/** The words and "phrases in quotes" of a search, as search_calls reads them. */
function termsOf(search: string): readonly string[] {
  return [...search.matchAll(/"([^"]+)"|(\S+)/g)]
    .map(([, phrase, word = '']) => (phrase ?? word).replaceAll('"', ''))
    .filter(Boolean)
}

const MARKS = /\p{M}+/gu
/** Putting more of them in order, as no script writes them on a letter, would keep the page waiting. */
const TOO_MANY_MARKS = /\p{M}{31}/u
const SYNTAX = /[.*+?^${}()|[\]\\/]/

/** Letters and their accents apart. Hangul stays as it is: its parts are letters. */
function apart(text: string): string {
  return text.replaceAll(/[^\p{Script=Hangul}]+/gu, part => part.normalize('NFD'))
}

/** What a word or phrase is found by in a text whose accents are apart: with any, and any blanks between words, as search_calls does. */
function patternOf(term: string): string {
  const words = apart(term).replaceAll(MARKS, '').split(/\s+/u).filter(Boolean)
  // In capitals, and small again, it is two letters.
  const patternOfLetter = (letter: string) => (letter === 'ß' ? '(?:ß|ss)' : letter.replace(SYNTAX, String.raw`\$&`))
  const letters = (word: string) => Array.from(word, letter => String.raw`${patternOfLetter(letter)}\p{M}*`).join('')
  return words.map(letters).join(String.raw`[\t\p{Zs}]+`)
}

/** A text in parts, of which every second is what was searched for. */
export function foundParts(text: string, search: string): readonly string[] {
  const patterns = termsOf(search).map(patternOf).filter(Boolean)
  if (patterns.length === 0 || TOO_MANY_MARKS.test(text)) return [text]
  return apart(text)
    .split(new RegExp(`(${patterns.join('|')})`, 'giu'))
    .map(part => part.normalize('NFC'))
}
