import type { EvaluationTime } from './evaluation-time.js'
import type { Phrase, Piece } from './phrase.js'
import { addPhrase, phraseNode, type PhraseNode } from './phrase-node.js'
import { PhraseStates } from './phrase-states.js'
import { UNHEARD, type Words } from './words.js'

/** Names that phrases may ask for, as words in lower case. */
export interface Names {
  readonly company: readonly string[]
  readonly agent: readonly string[]
}

/** First words of names up to this length, such as "the", say nothing by themselves. */
const SHORT_WORD_CHARACTERS = 3

type OnHit = (set: number, from: number, to: number) => void

interface Hit {
  readonly set: number
  readonly from: number
  readonly to: number
}

/**
 * Phrases in one automaton, so that a turn is read once whatever their number: at each word the phrases that begin there
 * are followed word by word, all at the same time and each place once. The work is bounded by words times places that can
 * be alive at once, whatever the phrases look like. Names differ from call to call: phrases that ask for one are kept
 * apart and followed anew where one may be said; the others are read by remembered steps.
 */
export class PhraseBook {
  readonly #root = phraseNode()
  readonly #named = phraseNode()
  #step = 0
  #starts: { readonly root: Starts; readonly named: Starts } | undefined
  #states: PhraseStates | undefined
  /** Places alive before and after a word, kept to be used again. */
  #alive: PhraseNode[] = []
  #next: PhraseNode[] = []
  /** Places reached by a name of several words, by the word they are reached at. */
  readonly #later: { readonly at: number; readonly place: PhraseNode }[] = []

  /** Adds phrases of a set. */
  add(set: number, phrases: readonly Phrase[]): void {
    this.#starts = undefined
    this.#states = undefined
    for (const phrase of phrases) {
      if (asksForName(phrase)) addTo(this.#named, phrase, set)
      // Where no name is said, what may be said instead of one is looked for all the same.
      const nameless = withoutNames(phrase)
      if (nameless !== undefined) addTo(this.#root, nameless, set)
    }
  }

  /**
   * Every phrase said: its set, its first word, and the word after its last, one after the other, in the order of where they
   * begin. What is given back is only good until the next text is read.
   */
  read(said: Words, names: Names, time?: EvaluationTime): readonly number[] {
    const states = (this.#states ??= new PhraseStates(this.#root))
    const plain = states.read(said, time)
    if (!isAnySaid(said.words, names.company[0], names.agent[0])) return plain
    const named: number[] = []
    const { named: starts } = (this.#starts ??= this.#startsOf())
    for (let from = 0; from < said.words.length; from += 1) {
      time?.step()
      this.#follow(starts, said, names, from, (set, begin, end) => named.push(set, begin, end))
    }
    return named.length === 0 ? plain : merged(plain, named)
  }

  /** The same without remembering anything; what `read` is held against. */
  readAnew(said: Words, names: Names): readonly number[] {
    const { root, named } = (this.#starts ??= this.#startsOf())
    const hits: number[] = []
    const hit: OnHit = (set, from, to) => hits.push(set, from, to)
    for (let from = 0; from < said.words.length; from += 1) {
      this.#follow(root, said, names, from, hit)
      this.#follow(named, said, names, from, hit)
    }
    return hits
  }

  #startsOf(): { readonly root: Starts; readonly named: Starts } {
    return { root: startsOf(this.#root), named: startsOf(this.#named) }
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
  #pass(place: PhraseNode, said: Words, names: Names, from: number, at: number, hit: OnHit): void {
    const word = said.words[at]!
    // What stands for any word doesn't reach over a comma, unless the phrase has a pause there.
    if (place.any !== undefined && (at === from || place.opens || word.before === 'none')) {
      this.#reach(place.any, said, from, at + 1, hit)
    }
    if (place.number !== undefined && word.form.kind === 'number') this.#reach(place.number, said, from, at + 1, hit)
    if (place.company !== undefined) this.#name(place.company, names.company, said, from, at, hit)
    if (place.agent !== undefined) this.#name(place.agent, names.agent, said, from, at, hit)
  }

  /** Comes to a place before the word `at`. */
  #reach(place: PhraseNode, said: Words, from: number, at: number, hit: OnHit): void {
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
  #name(place: PhraseNode, name: readonly string[], said: Words, from: number, at: number, hit: OnHit): void {
    let length = 0
    while (length < name.length && said.words[at + length]?.text === name[length]) length += 1
    const [first = ''] = name
    if (length === 0 || (length === 1 && name.length > 1 && first.length <= SHORT_WORD_CHARACTERS)) return
    if (length === 1) this.#reach(place, said, from, at + 1, hit)
    else this.#later.push({ at: at + length, place })
  }
}

/** What was found both ways, in the order of where it begins and ends, each once. */
function merged(plain: readonly number[], named: readonly number[]): readonly number[] {
  const hits: Hit[] = []
  for (const all of [plain, named]) {
    for (let at = 0; at < all.length; at += 3) hits.push({ set: all[at]!, from: all[at + 1]!, to: all[at + 2]! })
  }
  hits.sort((a, b) => a.from - b.from || a.to - b.to || a.set - b.set)
  const both: number[] = []
  let last: Hit | undefined
  for (const one of hits) {
    const { set, from, to } = one
    if (set !== last?.set || from !== last.from || to !== last.to) both.push(set, from, to)
    last = one
  }
  return both
}

/** Whether one of two words is said; looking at their lengths first spares most comparisons. */
function isAnySaid(words: Words['words'], one = '', other = ''): boolean {
  for (const { text } of words) {
    const { length } = text
    if ((length === one.length && text === one) || (length === other.length && text === other)) return true
  }
  return false
}

function addTo(root: PhraseNode, phrase: Phrase, set: number): void {
  const end = addPhrase(root, phrase)
  if (end.sets === undefined) end.sets = [set]
  else if (!end.sets.includes(set)) end.sets.push(set)
}

/** The ways of following a phrase that ask for no name; undefined where there is none. */
function withoutNames(phrase: Phrase): Phrase | undefined {
  if (!asksForName(phrase)) return phrase
  const pieces: Piece[] = []
  for (const piece of phrase) {
    if (piece.kind === 'company' || piece.kind === 'agent') return undefined
    if (piece.kind === 'one_of') {
      const sequences = piece.sequences.flatMap(sequence => {
        const nameless = withoutNames(sequence)
        return nameless === undefined ? [] : [nameless]
      })
      if (sequences.length === 0) return undefined
      pieces.push({ kind: 'one_of', sequences })
    } else pieces.push(piece)
  }
  return pieces
}

/** Whether what a phrase asks for differs from call to call. */
function asksForName(phrase: Phrase): boolean {
  return phrase.some(piece =>
    piece.kind === 'one_of'
      ? piece.sequences.some(sequence => asksForName(sequence))
      : piece.kind === 'company' || piece.kind === 'agent',
  )
}

/** Where phrases begin: by their first word, and those that begin with something else. */
interface Starts {
  readonly words: ReadonlyMap<string, readonly PhraseNode[]>
  readonly others: readonly PhraseNode[]
}

function startsOf(root: PhraseNode): Starts {
  const words = new Map<string, PhraseNode[]>()
  const others: PhraseNode[] = []
  const seen = new Set<PhraseNode>()
  const collect = (place: PhraseNode): void => {
    if (seen.has(place)) return
    seen.add(place)
    for (const [word, next] of place.words ?? []) words.set(word, [...(words.get(word) ?? []), next])
    if (place.any ?? place.number ?? place.company ?? place.agent) others.push(place)
    for (const free of place.free ?? []) collect(free)
  }
  collect(root)
  return { words, others }
}
