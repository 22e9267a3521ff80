import { stemmer } from 'stemmer'

const segmenter = new Intl.Segmenter('en', { granularity: 'word' })

/** A word of a text and where it stands, in UTF-16 units. */
export interface Word {
  readonly text: string
  readonly at: number
}

/** UTF-16 units segmented at a time: the segmenter's time grows with the square of its text. */
const STRETCH_UNITS = 1_000

/** The words of a text in any script; punctuation and spaces are none. */
export function wordsOf(text: string): readonly Word[] {
  const words: Word[] = []
  for (let from = 0; from < text.length;) {
    // Cut at a space, so that no word is; where there is none, a script without spaces may lose one.
    const space = text.length <= from + STRETCH_UNITS ? text.length : text.lastIndexOf(' ', from + STRETCH_UNITS) + 1
    const until = space > from ? space : from + STRETCH_UNITS
    for (const { segment, index, isWordLike } of segmenter.segment(text.slice(from, until))) {
      if (isWordLike === true) words.push({ text: segment, at: from + index })
    }
    from = until
  }
  return words
}

/** What a word is indexed and looked for as: without case and accents, and down to its stem (Porter, English). */
export function termOf(word: string): string {
  return stemmer(
    word
      .normalize('NFKD')
      .replace(/\p{Mn}/gu, '')
      .toLowerCase(),
  )
}
