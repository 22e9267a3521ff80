import type { EvaluationTime } from './evaluation-time.js'
import type { Form } from './form-table.js'
import type { PhraseNode } from './phrase-node.js'
import { OfWords } from './of-words.js'
import { StepTable } from './step-table.js'
import { UNHEARD, type Word, type Words } from './words.js'

/**
 * Steps that are remembered, for each speaker; with more, all are forgotten and begin anew, which bounds memory whatever
 * is said.
 */
const MOST_STEPS = 150_000

/** Stands for a word nobody understood, which no phrase goes on with. */
const LOST = -1
/** Stands for what no word of any phrase is, and for a word of a number that is in none. */
const OTHER = 0
const OTHER_NUMBER = 1

/** All places of phrases that are alive at once. */
interface State {
  readonly nodes: readonly PhraseNode[]
  /** The sets with a phrase that ends here. */
  readonly sets: readonly number[]
  readonly mark: Mark
  /** Where a pause leads from here, whose sets are those that only the pause ends. */
  paused: Mark
}

/** A state as steps name it: its number, and what has to be known of it at every word, so that most are never looked at. */
type Mark = number
const ENDS = 1
/** A word may lead on from there. */
const LIVE = 2
const FLAG_BITS = 2
const UNKNOWN = -1
/** Nothing ends there or leads on. */
const SILENT = -2

/**
 * Follows phrases word by word and remembers each step it has taken: what is alive after a word is the same the next
 * time, and people say the same things. It knows nothing of the names in a call; see PhraseBook.
 */
export class PhraseStates {
  /** Where all phrases begin. */
  readonly #start: readonly PhraseNode[]
  readonly #symbols = new Map<string, number>()
  readonly #byNodes = new Map<string, State>()
  /** By their numbers. */
  #states: State[] = []
  /** Where words lead from states, by a word's symbol, doubled, and one more after a pause. */
  #steps = new StepTable()
  /** The first steps, by the word's symbol. */
  #first: Mark[] = []
  /** Words that were met, by their numbers, and their symbols. */
  readonly #forms: Form[] = []
  readonly #formSymbols: number[] = []
  /** What is said in texts that are said often, and in the last other one; see `read`. */
  readonly #known = new OfWords<readonly number[]>()
  readonly #hits: number[] = []
  /** Symbols of the words that are being read, kept to be used again. */
  readonly #said: number[] = []

  constructor(root: PhraseNode) {
    const start = new Set<PhraseNode>()
    addFree(root, start, false)
    this.#start = [...start]
    this.#collect(root, new Set())
    this.#forget()
  }

  /**
   * Every phrase said: its set, its first word, and the word after its last, one after the other, in the order of where they
   * begin. What is given back is only good until the next text is read, unless its words are kept.
   */
  read(said: Words, time?: EvaluationTime): readonly number[] {
    if (said.kept >= 0) return this.#known.of(said, ({ words }) => this.#follow(words, [], time))
    this.#hits.length = 0
    return this.#follow(said.words, this.#hits, time)
  }

  #follow(words: readonly Word[], hits: number[], time?: EvaluationTime): number[] {
    const symbols = this.#said
    const { length } = words
    for (let at = 0; at < length; at += 1) symbols[at] = this.#symbolOf(words[at]!.form)
    for (let from = 0; from < length; from += 1) {
      const symbol = symbols[from]!
      if (symbol === LOST) continue
      time?.step()
      // Where a phrase begins, a pause before it says nothing.
      let mark = this.#first[symbol]!
      if (mark === UNKNOWN) mark = this.#firstStep(words[from]!, symbol)
      if (mark === SILENT) continue
      for (let at = from + 1; ; at += 1) {
        if ((mark & ENDS) !== 0) this.#tell(mark, from, at, hits)
        const before = at < length ? words[at]!.before : 'stop'
        if (before !== 'none') {
          mark = this.#pausedOf(mark)
          if ((mark & ENDS) !== 0) this.#tell(mark, from, at, hits)
        }
        if ((mark & LIVE) === 0 || before === 'stop' || symbols[at] === LOST) break
        const state = mark >> FLAG_BITS
        const step = symbols[at]! * 2 + (before === 'none' ? 0 : 1)
        mark = this.#steps.get(state, step)
        if (mark === UNKNOWN) mark = this.#newStep(state, words[at]!, step)
        if (mark === SILENT) break
      }
    }
    return hits
  }

  #tell(mark: Mark, from: number, to: number, hits: number[]): void {
    for (const set of this.#states[mark >> FLAG_BITS]!.sets) hits.push(set, from, to)
  }

  #symbolOf(form: Form): number {
    const { number } = form
    if (number >= 0 && this.#forms[number] === form) return this.#formSymbols[number]!
    const { text, kind } = form
    const symbol = this.#symbols.get(text) ?? (text === UNHEARD ? LOST : kind === 'number' ? OTHER_NUMBER : OTHER)
    if (number >= 0) {
      // Without gaps: a list with gaps is a map.
      for (let next = this.#forms.length; next < number; next += 1) {
        this.#forms.push(form)
        this.#formSymbols.push(symbol)
      }
      this.#forms[number] = form
      this.#formSymbols[number] = symbol
    }
    return symbol
  }

  #firstStep(word: Word, symbol: number): Mark {
    const mark = this.#reached(this.#start, word, false)
    this.#first[symbol] = mark
    return mark
  }

  /** @param step the word's symbol, doubled, and one more after a pause */
  #newStep(state: number, word: Word, step: number): Mark {
    const { nodes } = this.#states[state]!
    const pause = step % 2
    // Where all were forgotten, the one before this step has no number any more.
    if (this.#steps.size >= MOST_STEPS) {
      this.#forget()
      return this.#reached(nodes, word, pause === 1)
    }
    const other = (word.form.kind === 'number' ? OTHER_NUMBER : OTHER) * 2 + pause
    // Most words are none that leads on from there, and one of them is as the other.
    const isOther = step !== other && !nodes.some(({ words }) => words?.has(word.text) === true)
    let next = isOther ? this.#steps.get(state, other) : UNKNOWN
    if (next === UNKNOWN) {
      next = this.#reached(nodes, word, pause === 1)
      if (isOther) this.#steps.add(state, other, next)
    }
    this.#steps.add(state, step, next)
    return next
  }

  /** Where a word leads from some places. */
  #reached(nodes: readonly PhraseNode[], word: Word, pause: boolean): Mark {
    const reached: PhraseNode[] = []
    for (const { words, any, number, opens } of nodes) {
      const next = words?.get(word.text)
      if (next !== undefined) reached.push(next)
      // What stands for any word doesn't reach over a comma, unless the phrase has a pause there.
      if (any !== undefined && (!pause || opens)) reached.push(any)
      if (number !== undefined && word.form.kind === 'number') reached.push(number)
    }
    return this.#state(reached)
  }

  #forget(): void {
    this.#steps = new StepTable()
    this.#byNodes.clear()
    this.#states = []
    this.#first = Array.from({ length: this.#symbols.size + 2 }, () => UNKNOWN)
  }

  /** The state of some places and of all that is reached from them without a word. */
  #state(from: readonly PhraseNode[]): Mark {
    const nodes = new Set<PhraseNode>()
    for (const node of from) addFree(node, nodes, false)
    return this.#intern([...nodes], [...nodes], '')
  }

  #pausedOf(mark: Mark): Mark {
    const state = this.#states[mark >> FLAG_BITS]!
    if (state.paused !== UNKNOWN) return state.paused
    const before = new Set(state.nodes)
    const nodes = new Set<PhraseNode>()
    for (const node of state.nodes) addFree(node, nodes, true)
    const added = [...nodes].filter(node => !before.has(node))
    state.paused = this.#intern([...nodes], added, 'paused')
    return state.paused
  }

  /** @param ending those whose sets it tells */
  #intern(nodes: readonly PhraseNode[], ending: readonly PhraseNode[], kind: string): Mark {
    const ids = (all: readonly PhraseNode[]) =>
      all
        .map(({ id }) => id)
        .toSorted((a, b) => a - b)
        .join(' ')
    const key = `${kind}:${ids(nodes)}${kind === 'paused' ? `:${ids(ending)}` : ''}`
    const known = this.#byNodes.get(key)
    if (known !== undefined) return known.mark
    const sets = [...new Set(ending.flatMap(one => one.sets ?? []))]
    if (nodes.length === 0 && sets.length === 0) return SILENT
    const live = nodes.some(({ goesOn }) => goesOn)
    const mark = (this.#states.length << FLAG_BITS) | (sets.length > 0 ? ENDS : 0) | (live ? LIVE : 0)
    const state: State = { nodes, sets, mark, paused: UNKNOWN }
    this.#byNodes.set(key, state)
    this.#states.push(state)
    return mark
  }

  /** Gives every word of the phrases a symbol. */
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
