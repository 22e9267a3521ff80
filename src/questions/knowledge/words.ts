import { stemmer } from 'stemmer'

const segmenter = new Intl.Segmenter('en', { granularity: 'word' })

/** A word of a text and where it stands, in UTF-16 units. */
export interface Word {
  readonly text: string
  readonly at: number
}

/** The words of a text in any script; punctuation and spaces are none. */
export function wordsOf(text: string): readonly Word[] {
  const words: Word[] = []
  for (const { segment, index, isWordLike } of segmenter.segment(text)) {
    if (isWordLike === true) words.push({ text: segment, at: index })
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
