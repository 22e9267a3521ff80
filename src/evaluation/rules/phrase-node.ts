import type { Phrase } from './phrase.js'

/** A place in a phrase, and what may come next. */
export interface PhraseNode {
  /** Tells it from every other. */
  readonly id: number
  words: Map<string, PhraseNode> | undefined
  any: PhraseNode | undefined
  number: PhraseNode | undefined
  company: PhraseNode | undefined
  agent: PhraseNode | undefined
  pause: PhraseNode | undefined
  /** Places reached without a word. */
  free: PhraseNode[] | undefined
  /** Reached by a pause that the phrase asks for. */
  opens: boolean
  /** The sets with a phrase that ends here. */
  sets: number[] | undefined
  /** Several words lead here: what comes after one of them alone has no place behind it. */
  shared: boolean
  /** There is a word that leads on from here. */
  goesOn: boolean
  /** The step of reading in which this place was last reached. */
  reached: number
}

let made = 0

export function phraseNode(): PhraseNode {
  made += 1
  return {
    id: made,
    words: undefined,
    any: undefined,
    number: undefined,
    company: undefined,
    agent: undefined,
    pause: undefined,
    free: undefined,
    opens: false,
    sets: undefined,
    shared: false,
    goesOn: false,
    reached: 0,
  }
}

/** Adds a phrase behind a place, and gives back where it ends. */
export function addPhrase(from: PhraseNode, phrase: Phrase): PhraseNode {
  let at = from
  for (const piece of phrase) {
    if (piece.kind !== 'one_of' && piece.kind !== 'pause') at.goesOn = true
    if (piece.kind === 'word') {
      at.words ??= new Map()
      const known = at.words.get(piece.word)
      const next = known === undefined || known.shared ? phraseNode() : known
      if (next !== known) at.words.set(piece.word, next)
      if (known?.shared === true) next.free = [known]
      at = next
    } else if (piece.kind === 'one_of') {
      // All ways meet again in a place of their own.
      const meeting = phraseNode()
      meeting.shared = true
      for (const sequence of piece.sequences) {
        const [first] = sequence
        if (sequence.length === 1 && first?.kind === 'word' && at.words?.has(first.word) !== true) {
          // Most are single words, and lead straight there: with places of their own there were twice as many.
          at.words ??= new Map()
          at.words.set(first.word, meeting)
          at.goesOn = true
          continue
        }
        const end = addPhrase(at, sequence)
        // Most have one: a list that is pushed to has room for 17, which was a third of a rubric's memory.
        if (end.free === undefined) end.free = [meeting]
        else end.free.push(meeting)
      }
      at = meeting
    } else {
      at = at[piece.kind] ??= phraseNode()
      if (piece.kind === 'pause') at.opens = true
    }
  }
  return at
}
