import { isNumberWord } from './numbers.js'
import type { Phrase } from './phrase.js'
import { UNHEARD, type Words } from './words.js'

/** Names that phrases may ask for, as words in lower case. */
export interface Names {
  readonly company: readonly string[]
  readonly agent: readonly string[]
}

/** A place in a phrase, and what may come next. */
interface Node {
  words: Map<string, Node> | undefined
  any: Node | undefined
  number: Node | undefined
  company: Node | undefined
  agent: Node | undefined
  pause: Node | undefined
  /** Places reached without a word. */
  free: Node[] | undefined
  /** Reached by a pause that the phrase asks for. */
  opens: boolean
  /** The sets with a phrase that ends here. */
  sets: number[] | undefined
  /** There is a word that leads on from here. */
  goesOn: boolean
  /** The step of reading in which this place was last reached. */
  reached: number
}

const node = (): Node => ({
  words: undefined,
  any: undefined,
  number: undefined,
  company: undefined,
  agent: undefined,
  pause: undefined,
  free: undefined,
  opens: false,
  sets: undefined,
  goesOn: false,
  reached: 0,
})

/** First words of names up to this length, such as "the", say nothing by themselves. */
const SHORT = 3

type OnHit = (set: number, from: number, to: number) => void

/**
 * All phrases of a rubric in one automaton, so that a turn is read once whatever the number of phrases: at each word the
 * phrases that begin there are followed word by word, all at the same time and each place once. The work is bounded by
 * words times places that can be alive at once, whatever the phrases look like.
 */
export class PhraseBook {
  readonly #root = node()
  #sets = 0
  #step = 0
  #starts: Starts | undefined
  /** Places alive before and after a word, kept to be used again. */
  #alive: Node[] = []
  #next: Node[] = []
  /** Places reached by a name of several words, by the word they are reached at. */
  readonly #later: { readonly at: number; readonly place: Node }[] = []

  /** Adds a set of phrases and gives back its number. */
  add(phrases: readonly Phrase[]): number {
    const set = this.#sets
    this.#sets += 1
    this.#starts = undefined
    for (const phrase of phrases) {
      const end = add(this.#root, phrase)
      end.sets ??= []
      if (!end.sets.includes(set)) end.sets.push(set)
    }
    return set
  }

  get size(): number {
    return this.#sets
  }

  /** Calls back for every phrase said, in the order of where they begin. */
  read(said: Words, names: Names, hit: OnHit): void {
    const starts = (this.#starts ??= startsOf(this.#root))
    for (let from = 0; from < said.words.length; from += 1) this.#follow(starts, said, names, from, hit)
  }

  #follow(starts: Starts, said: Words, names: Names, from: number, hit: OnHit): void {
    const { words } = said
    const first = words[from]!.text
    if (first === UNHEARD) return
    this.#step += 1
    this.#next.length = 0
    const literal = starts.words.get(first)
    if (literal !== undefined) for (const place of literal) this.#reach(place, said, from, from + 1, hit)
    for (const place of starts.others) this.#pass(place, said, names, from, from, hit)
    for (let at = from + 1; this.#next.length > 0 || this.#later.length > 0; at += 1) {
      const word = words[at]
      if (word === undefined || word.text === UNHEARD || word.before === 'stop') break
      const alive = this.#next
      this.#next = this.#alive
      this.#alive = alive
      this.#next.length = 0
      this.#step += 1
      for (const place of alive) {
        const next = place.words?.get(word.text)
        if (next !== undefined) this.#reach(next, said, from, at + 1, hit)
        this.#pass(place, said, names, from, at, hit)
      }
      for (let later = this.#later.length - 1; later >= 0; later -= 1) {
        if (this.#later[later]!.at !== at + 1) continue
        this.#reach(this.#later[later]!.place, said, from, at + 1, hit)
        this.#later.splice(later, 1)
      }
    }
    this.#later.length = 0
  }

  /** Goes on from a place by what stands for a word. */
  #pass(place: Node, said: Words, names: Names, from: number, at: number, hit: OnHit): void {
    const word = said.words[at]!
    // What stands for any word doesn't reach over a comma, unless the phrase has a pause there.
    if (place.any !== undefined && (at === from || place.opens || word.before === 'none')) {
      this.#reach(place.any, said, from, at + 1, hit)
    }
    if (place.number !== undefined && isNumberWord(word.text)) this.#reach(place.number, said, from, at + 1, hit)
    if (place.company !== undefined) this.#name(place.company, names.company, said, from, at, hit)
    if (place.agent !== undefined) this.#name(place.agent, names.agent, said, from, at, hit)
  }

  /** Comes to a place before the word `at`. */
  #reach(place: Node, said: Words, from: number, at: number, hit: OnHit): void {
    if (place.reached === this.#step) return
    place.reached = this.#step
    if (place.goesOn) this.#next.push(place)
    if (place.sets !== undefined) for (const set of place.sets) hit(set, from, at)
    if (place.free !== undefined) for (const free of place.free) this.#reach(free, said, from, at, hit)
    if (place.pause !== undefined) {
      const word = said.words[at]
      if (word === undefined || word.before !== 'none') this.#reach(place.pause, said, from, at, hit)
    }
  }

  /** A name fits when its first word is said, and after a short first word the second; what is said of the rest belongs to it. */
  #name(place: Node, name: readonly string[], said: Words, from: number, at: number, hit: OnHit): void {
    let length = 0
    while (length < name.length && said.words[at + length]?.text === name[length]) length += 1
    const [first = ''] = name
    if (length === 0 || (length === 1 && name.length > 1 && first.length <= SHORT)) return
    if (length === 1) this.#reach(place, said, from, at + 1, hit)
    else this.#later.push({ at: at + length, place })
  }
}

/** Where phrases begin: by their first word, and those that begin with something else. */
interface Starts {
  readonly words: ReadonlyMap<string, readonly Node[]>
  readonly others: readonly Node[]
}

function startsOf(root: Node): Starts {
  const words = new Map<string, Node[]>()
  const others: Node[] = []
  const seen = new Set<Node>()
  const collect = (place: Node): void => {
    if (seen.has(place)) return
    seen.add(place)
    for (const [word, next] of place.words ?? []) words.set(word, [...(words.get(word) ?? []), next])
    if (place.any ?? place.number ?? place.company ?? place.agent) others.push(place)
    for (const free of place.free ?? []) collect(free)
  }
  collect(root)
  return { words, others }
}

/** Adds a phrase behind a place, and gives back where it ends. */
function add(from: Node, phrase: Phrase): Node {
  let at = from
  for (const piece of phrase) {
    if (piece.kind !== 'one_of' && piece.kind !== 'pause') at.goesOn = true
    if (piece.kind === 'word') {
      at.words ??= new Map()
      const known = at.words.get(piece.word) ?? node()
      at.words.set(piece.word, known)
      at = known
    } else if (piece.kind === 'one_of') {
      // All ways meet again in a place of their own.
      const meeting = node()
      for (const sequence of piece.sequences) {
        const end = add(at, sequence)
        end.free ??= []
        end.free.push(meeting)
      }
      at = meeting
    } else {
      at = at[piece.kind] ??= node()
      if (piece.kind === 'pause') at.opens = true
    }
  }
  return at
}
