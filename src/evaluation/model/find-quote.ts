import { UNHEARD } from '../rules/words.js'
import type { HeardTurn } from '../rules/heard-call.js'

/** A part of a turn's text, UTF-16 units. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** Longest quote that is looked for; the model is asked for at most 200 characters. */
const LONGEST = 1_000
const LETTER = /[\p{L}\p{M}\p{N}]/u
const APOSTROPHE = /['’‘ʼ]/u
/** What a model writes where it leaves something out. */
const LEFT_OUT = /…|\.{3,}/u

/**
 * Where a quote stands in a turn: its words in their order, whatever the case, the signs, and the white space. What a quote leaves
 * out ("I forgot … password") may be anything of that turn. Undefined where it does not stand there, or where it holds no word that
 * was understood: half a word, or a comma, proves nothing.
 */
export function findQuote({ text, said }: HeardTurn, quote: string): Span | undefined {
  if (quote.length > LONGEST) return undefined
  const parts = quote.split(LEFT_OUT).flatMap(part => {
    const { letters } = lettersOf(part)
    return letters === '' ? [] : [letters]
  })
  if (parts.length === 0) return undefined
  const read = lettersOf(text)
  let from = 0
  let start: number | undefined
  let end = 0
  for (const part of parts) {
    const at = placeOf(read.letters, part, from)
    if (at === undefined) return undefined
    start ??= read.places[at]!
    from = at + part.length
    end = read.ends[from - 1]!
  }
  const span = { start: start ?? 0, end }
  const holdsWord = said.words.some(word => word.text !== UNHEARD && word.start >= span.start && word.end <= span.end)
  return holdsWord ? span : undefined
}

/** Where words stand among others, from a place on; none of them is cut. */
function placeOf(letters: string, part: string, from: number): number | undefined {
  for (let at = letters.indexOf(part, from); at >= 0; at = letters.indexOf(part, at + 1)) {
    const cuts = (place: number) =>
      place > 0 && place < letters.length && letters[place - 1] !== ' ' && letters[place] !== ' '
    if (!cuts(at) && !cuts(at + part.length)) return at
  }
  return undefined
}

interface Letters {
  /** Letters and digits in lower case, words apart by one space. */
  readonly letters: string
  /** Where each begins and ends in the text. */
  readonly places: readonly number[]
  readonly ends: readonly number[]
}

function lettersOf(text: string): Letters {
  let letters = ''
  const places: number[] = []
  const ends: number[] = []
  const add = (units: string, at: number, length: number) => {
    letters += units
    for (let unit = 0; unit < units.length; unit += 1) {
      places.push(at)
      ends.push(at + length)
    }
  }
  let apart = false
  let at = 0
  for (const character of text) {
    if (LETTER.test(character)) {
      if (apart && letters !== '') add(' ', at, 0)
      apart = false
      add(character.toLowerCase(), at, character.length)
    } else if (!APOSTROPHE.test(character)) apart = true
    at += character.length
  }
  return { letters, places, ends }
}
