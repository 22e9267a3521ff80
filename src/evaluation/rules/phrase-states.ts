import type { NumberWords } from './languages/language.js'
import { isNumberWord } from './numbers.js'
import type { EvaluationTime } from './evaluation-time.js'
import type { PhraseNode } from './phrase-node.js'
import { StepTable } from './step-table.js'
import { UNHEARD, type Word } from './words.js'

/**
 * Steps that are remembered, for each speaker; with more, all are forgotten and begin anew, which bounds memory whatever
 * is said.
 */
const MOST_STEPS = 150_000

/** Stands for a word nobody understood, which no phrase goes on with. */
const LOST = -1

/** All places of phrases that are alive at once. */
interface State {
  /** Its place among all states. */
  readonly number: number
  readonly nodes: readonly PhraseNode[]
  /** The sets with a phrase that ends here. */
  readonly sets: readonly number[]
  readonly ends: boolean
  /** A word may lead on from here. */
  readonly live: boolean
  /** Nothing ends here or leads on. */
  readonly silent: boolean
  /** Where a pause leads from here; its sets are those that only the pause ends. */
  paused: State | undefined
}

/**
 * Follows phrases word by word and remembers each step it has taken: what is alive after a word is the same the next
 * time, and people say the same things. It knows nothing of the names in a call; see PhraseBook.
 */
export class PhraseStates {
  readonly #root: PhraseNode
  readonly #numbers: NumberWords
  readonly #symbols = new Map<string, number>()
  readonly #known = new Map<string, State>()
  /** By their numbers. */
  #states: State[] = []
  #start: State
  /** Where words lead from states, by a word's symbol, doubled, and one more after a pause. */
  #steps: StepTable
  /** The first steps, by the word's symbol. */
  #first: (State | undefined)[] = []
  /** Symbols of the words that are being read, kept to be used again. */
  readonly #said: number[] = []

  constructor(root: PhraseNode, numbers: NumberWords) {
    this.#root = root
    this.#numbers = numbers
    this.#start = this.#state([root], true)
    this.#collect(root, new Set())
    this.#steps = this.#noSteps()
  }

  /** Calls back for every phrase said, in the order of where they begin. */
  read(words: readonly Word[], hit: (set: number, from: number, to: number) => void, time?: EvaluationTime): void {
    const symbols = this.#said
    const { length } = words
    for (let at = 0; at < length; at += 1) symbols[at] = this.#symbolOf(words[at]!.text)
    for (let from = 0; from < length; from += 1) {
      const symbol = symbols[from]!
      if (symbol === LOST) continue
      time?.step()
      // Where a phrase begins, a pause before it says nothing.
      let state = (this.#first[symbol] ??= this.#step(this.#start, words[from]!, symbol * 2))
      if (state.silent) continue
      for (let at = from + 1; ; at += 1) {
        if (state.ends) for (const set of state.sets) hit(set, from, at)
        const before = at < length ? words[at]!.before : 'stop'
        if (before !== 'none') {
          state = state.paused ?? this.#pausedOf(state)
          if (state.ends) for (const set of state.sets) hit(set, from, at)
        }
        if (!state.live || before === 'stop' || symbols[at] === LOST) break
        state = this.#step(state, words[at]!, symbols[at]! * 2 + (before === 'none' ? 0 : 1))
        if (state.silent) break
      }
    }
  }

  #symbolOf(text: string): number {
    return this.#symbols.get(text) ?? (text === UNHEARD ? LOST : isNumberWord(text, this.#numbers) ? 1 : 0)
  }

  /** @param symbol the word's, doubled, and one more after a pause */
  #step(state: State, word: Word, symbol: number): State {
    const known = this.#steps.get(state.number, symbol)
    return known === -1 ? this.#newStep(state, word, symbol) : this.#states[known]!
  }

  #newStep(state: State, word: Word, symbol: number): State {
    const isNumber = isNumberWord(word.text, this.#numbers)
    const reached: PhraseNode[] = []
    for (const { words, any, number, opens } of state.nodes) {
      const next = words?.get(word.text)
      if (next !== undefined) reached.push(next)
      // What stands for any word doesn't reach over a comma, unless the phrase has a pause there.
      if (any !== undefined && (symbol % 2 === 0 || opens)) reached.push(any)
      if (number !== undefined && isNumber) reached.push(number)
    }
    // Where all were forgotten, the one before this step has no number any more.
    if (this.#steps.size >= MOST_STEPS) {
      this.#forget()
      return this.#state(reached, false)
    }
    const next = this.#state(reached, false)
    this.#steps.add(state.number, symbol, next.number)
    return next
  }

  #forget(): void {
    this.#steps = this.#noSteps()
    this.#known.clear()
    this.#states = []
    this.#first = []
    this.#start = this.#state([this.#root], true)
  }

  #noSteps(): StepTable {
    // 0 and 1 stand for words that are in no phrase.
    return new StepTable((this.#symbols.size + 2) * 2)
  }

  /** The state of some places and of all that is reached from them without a word. */
  #state(from: readonly PhraseNode[], first: boolean): State {
    const nodes = new Set<PhraseNode>()
    for (const node of from) addFree(node, nodes, false)
    return this.#intern([...nodes], [...nodes], first ? 'start' : '')
  }

  #pausedOf(state: State): State {
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
      number: this.#states.length,
      nodes,
      sets,
      ends: sets.length > 0,
      live: nodes.some(({ goesOn }) => goesOn),
      silent: nodes.length === 0 && sets.length === 0,
      paused: undefined,
    }
    this.#known.set(key, state)
    this.#states.push(state)
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
