import { isNumberWord } from './numbers.js'
import type { PhraseNode } from './phrase-node.js'
import { UNHEARD, type Word } from './words.js'

/**
 * Steps that are remembered, for each speaker; with more, all are forgotten and begin anew, which bounds memory whatever
 * is said.
 */
const MOST_STEPS = 150_000

/** All places of phrases that are alive at once. */
interface State {
  readonly nodes: readonly PhraseNode[]
  /** The sets with a phrase that ends here. */
  readonly sets: readonly number[]
  /** A word may lead on from here. */
  readonly live: boolean
  /** Nothing ends here or leads on. */
  readonly silent: boolean
  /** Where a pause leads from here; its sets are those that only the pause ends. */
  paused: State | undefined
  /** Where words lead from here, by their symbol. */
  readonly next: Map<number, State>
}

/**
 * Follows phrases word by word and remembers each step it has taken: what is alive after a word is the same the next
 * time, and people say the same things. It knows nothing of the names in a call; see PhraseBook.
 */
export class PhraseStates {
  readonly #root: PhraseNode
  readonly #symbols = new Map<string, number>()
  readonly #known = new Map<string, State>()
  #start: State
  /** The first steps, by the word's symbol. */
  #first: (State | undefined)[] = []
  /** Symbols of the words that are being read, kept to be used again. */
  readonly #said: number[] = []
  #steps = 0

  constructor(root: PhraseNode) {
    this.#root = root
    this.#start = this.#state([root], true)
    this.#collect(root, new Set())
  }

  /** Calls back for every phrase said, in the order of where they begin. */
  read(words: readonly Word[], hit: (set: number, from: number, to: number) => void): void {
    const symbols = this.#said
    for (let at = 0; at < words.length; at += 1) {
      const { text } = words[at]!
      symbols[at] = this.#symbols.get(text) ?? (isNumberWord(text) ? 1 : 0)
    }
    for (let from = 0; from < words.length; from += 1) {
      if (words[from]!.text === UNHEARD) continue
      // Where a phrase begins, a pause before it says nothing.
      const symbol = symbols[from]!
      let state = (this.#first[symbol] ??= this.#step(this.#start, words[from]!, symbol * 2))
      if (state.silent) continue
      for (let at = from + 1; ; at += 1) {
        for (const set of state.sets) hit(set, from, at)
        const word = words[at]
        const pauses = word === undefined || word.before !== 'none'
        if (pauses) {
          state = this.#pausedOf(state)
          for (const set of state.sets) hit(set, from, at)
        }
        if (!state.live || word === undefined || word.text === UNHEARD || word.before === 'stop') break
        state = this.#step(state, word, symbols[at]! * 2 + (pauses ? 1 : 0))
        if (state.silent) break
      }
    }
  }

  /** @param symbol the word's, doubled, and one more after a pause */
  #step(state: State, word: Word, symbol: number): State {
    const known = state.next.get(symbol)
    if (known !== undefined) return known
    const isNumber = isNumberWord(word.text)
    const reached: PhraseNode[] = []
    for (const { words, any, number, opens } of state.nodes) {
      const next = words?.get(word.text)
      if (next !== undefined) reached.push(next)
      // What stands for any word doesn't reach over a comma, unless the phrase has a pause there.
      if (any !== undefined && (symbol % 2 === 0 || opens)) reached.push(any)
      if (number !== undefined && isNumber) reached.push(number)
    }
    if (this.#steps >= MOST_STEPS) this.#forget()
    this.#steps += 1
    const next = this.#state(reached, false)
    state.next.set(symbol, next)
    return next
  }

  #forget(): void {
    this.#steps = 0
    this.#known.clear()
    this.#first = []
    this.#start = this.#state([this.#root], true)
  }

  /** The state of some places and of all that is reached from them without a word. */
  #state(from: readonly PhraseNode[], first: boolean): State {
    const nodes = new Set<PhraseNode>()
    for (const node of from) addFree(node, nodes, false)
    return this.#intern([...nodes], [...nodes], first ? 'start' : '')
  }

  #pausedOf(state: State): State {
    if (state.paused !== undefined) return state.paused
    const before = new Set(state.nodes)
    const nodes = new Set<PhraseNode>()
    for (const node of state.nodes) addFree(node, nodes, true)
    const added = [...nodes].filter(node => !before.has(node))
    state.paused = this.#intern([...nodes], added, 'paused')
    return state.paused
  }

  /** @param ending those whose sets it tells */
  #intern(nodes: readonly PhraseNode[], ending: readonly PhraseNode[], kind: string): State {
    const ids = (all: readonly PhraseNode[]) =>
      all
        .map(({ id }) => id)
        .toSorted((a, b) => a - b)
        .join(' ')
    const key = `${kind}:${ids(nodes)}${kind === 'paused' ? `:${ids(ending)}` : ''}`
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const sets = [...new Set(ending.flatMap(one => one.sets ?? []))]
    const state: State = {
      nodes,
      sets,
      live: nodes.some(({ goesOn }) => goesOn),
      silent: nodes.length === 0 && sets.length === 0,
      paused: undefined,
      next: new Map(),
    }
    this.#known.set(key, state)
    return state
  }

  /** Gives every word of the phrases a symbol: 0 and 1 stand for words that are in none. */
  #collect(node: PhraseNode, seen: Set<PhraseNode>): void {
    if (seen.has(node)) return
    seen.add(node)
    for (const [word, next] of node.words ?? []) {
      if (!this.#symbols.has(word)) this.#symbols.set(word, this.#symbols.size + 2)
      this.#collect(next, seen)
    }
    for (const next of [node.any, node.number, node.company, node.agent, node.pause, ...(node.free ?? [])]) {
      if (next !== undefined) this.#collect(next, seen)
    }
  }
}

/** Adds a place and what is reached from it without a word. */
function addFree(node: PhraseNode, nodes: Set<PhraseNode>, pause: boolean): void {
  if (nodes.has(node)) return
  nodes.add(node)
  for (const free of node.free ?? []) addFree(free, nodes, pause)
  if (pause && node.pause !== undefined) addFree(node.pause, nodes, pause)
}
