/**
 * Which phrases of a rubric labelled calls and sentences need. A phrase *occurs* in an item (a call, or a sentence in the
 * call it is said in) where it is said by one of whom it is looked for; it is *needed* there when without it alone something
 * that is right becomes wrong, and it *harms* there when something wrong becomes right. What must not be said (`not`) *voids*
 * something there when it stands over it.
 */
import type { CallRecord } from '../../src/calls/call-record.js'
import type { Rubric } from '../../src/evaluation/rubric/rubric.js'
import { ADDRESSING } from '../../src/evaluation/rules/addressing-patterns.js'
import { compileRubric, type CompiledRubric } from '../../src/evaluation/rules/compile-rubric.js'
import { evaluateSignals } from '../../src/evaluation/rules/evaluate-signals.js'
import { type Actor, hearCall, type HeardCall } from '../../src/evaluation/rules/heard-call.js'
import type { Language } from '../../src/evaluation/rules/languages/language.js'
import { languageNamed } from '../../src/evaluation/rules/languages/languages.js'
import { readCall } from '../../src/evaluation/rules/read-call.js'
import type { Said } from '../../src/evaluation/rules/reading.js'
import { expand, Vocabulary, type WordingSet } from '../../src/evaluation/rules/vocabulary.js'

/** A call with what is right of it: the state of signals by their key, and the reason as `driver`. */
export interface LabelledItem {
  readonly id: string
  readonly call: CallRecord
  readonly labels: Readonly<Record<string, string | null>>
}

/** Ids of items, by what a phrase does in them. */
export interface PhraseSupport {
  readonly occurs: string[]
  readonly needed: string[]
  readonly harms: string[]
  /** Of a phrase of `not` only. */
  readonly voids?: string[]
}

/** A phrase with its lists in place, and where it is written: `$list: phrase`, or `: phrase` in a rule or the driver table. */
interface Sourced {
  readonly text: string
  readonly source: string
}

/** Holds a rubric against labelled items, phrase by phrase. */
export class Support {
  /** By their source. What is needed and harms stands there once `measureNeed` was asked for. */
  readonly phrases: ReadonlyMap<string, PhraseSupport>
  readonly #items: ReadonlyMap<string, LabelledItem>
  readonly #language: Language
  readonly #vocabulary: AttributingVocabulary
  readonly #compiled: CompiledRubric
  readonly #voiding: readonly { readonly any: WordingSet; readonly not: readonly Sourced[] }[]
  /** By item: which labels are right with every phrase, once that was asked for. */
  readonly #right = new Map<string, readonly boolean[]>()

  constructor(rubric: Rubric, items: readonly LabelledItem[]) {
    this.#items = new Map(items.map(item => [item.id, item]))
    this.#language = languageNamed(rubric.language)
    const vocabulary = new AttributingVocabulary(rubric.lists, this.#language)
    this.#vocabulary = vocabulary
    this.#compiled = compileRubric(rubric, [], vocabulary)
    this.#voiding = voidingIn(rubric).map(({ any, not, speakers }) => ({
      any: vocabulary.add(any, speakers),
      not: vocabulary.phrasesOf(vocabulary.add(not, speakers)),
    }))
    const voiding = new Set(this.#voiding.flatMap(({ not }) => not.map(({ source }) => source)))
    this.phrases = new Map(
      vocabulary
        .sources()
        .map(source => [source, { occurs: [], needed: [], harms: [], ...(voiding.has(source) && { voids: [] }) }]),
    )
    for (const item of items) this.#look(item)
  }

  /** Leaves out each phrase in turn where it occurs: a minute for the default rubric and all its sentences. */
  measureNeed(): this {
    for (const [source, { occurs, needed, harms }] of this.phrases) {
      for (const id of occurs) {
        const right = this.#rightWithAll(id)
        const without = this.#rightOf(this.#items.get(id)!, new Set([source]))
        if (right.some((was, at) => was && !without[at])) needed.push(id)
        if (right.some((was, at) => !was && without[at])) harms.push(id)
      }
    }
    return this
  }

  /**
   * Of some phrases, those without which, all together, every label that is right stays right: in the order given, each is
   * given up if what is left makes up for what it does.
   */
  dispensable(sources: readonly string[]): readonly string[] {
    const without = new Set<string>()
    for (const source of sources) {
      without.add(source)
      const spoilt = this.phrases.get(source)!.occurs.some(id => {
        const right = this.#rightOf(this.#items.get(id)!, without)
        return this.#rightWithAll(id).some((was, at) => was && !right[at])
      })
      if (spoilt) without.delete(source)
    }
    return [...without]
  }

  #look(item: LabelledItem): void {
    // Reads the item, which tells what is said in it.
    const voiding = this.#voidedBy(item)
    for (const source of this.#vocabulary.saidIn(item.id)) this.phrases.get(source)!.occurs.push(item.id)
    for (const source of voiding) this.phrases.get(source)!.voids!.push(item.id)
  }

  #rightWithAll(id: string): readonly boolean[] {
    const right = this.#right.get(id) ?? this.#rightOf(this.#items.get(id)!, NONE)
    this.#right.set(id, right)
    return right
  }

  /** The phrases of `not` that stand over something said in an item. */
  #voidedBy({ id, call }: LabelledItem): ReadonlySet<string> {
    const voiding = new Set<string>()
    const said = this.#vocabulary.readItem(id, hearCall(call, this.#language))
    for (const { any, not } of this.#voiding) {
      if (said[any]!.length === 0) continue
      for (const { text, source } of not) {
        const over = this.#vocabulary
          .hitsOf(id, text)
          .some(one => said[any]!.some(({ index, from, to }) => index === one.index && from < one.to && to > one.from))
        if (over) voiding.add(source)
      }
    }
    return voiding
  }

  /** Label by label, whether it is what is found without some phrases. */
  #rightOf({ id, call, labels }: LabelledItem, without: ReadonlySet<string>): readonly boolean[] {
    this.#vocabulary.item = id
    this.#vocabulary.without = without
    const read = readCall(call, this.#compiled)
    if (typeof read === 'string') return []
    evaluateSignals(this.#compiled, read.reading, read.states)
    const driver = read.reading.driver.heard?.driver ?? null
    return Object.entries(labels).map(([key, label]) => {
      if (key === 'driver') return driver === label
      return (read.states.get(key) ?? 'absent') === (label === 'n/a' ? 'absent' : label)
    })
  }
}

/** A rubric without some phrases, by their source; a list of nothing else stays as it is. */
export function withoutPhrases(rubric: Rubric, sources: Iterable<string>): Rubric {
  const gone = new Set(sources)
  const left = (phrases: readonly string[], within = ''): string[] => {
    const kept = phrases.filter(phrase => !gone.has(`${within}: ${phrase}`))
    return [...(kept.length === 0 ? phrases : kept)]
  }
  const { lists, drivers } = rubric
  const table = drivers.table.map(({ driver, any, not, hints }) => ({
    driver,
    any: left(any),
    ...(not !== undefined && { not: left(not) }),
    ...(hints !== undefined && { hints: left(hints) }),
  }))
  const changed = Object.entries(lists).map(([name, phrases]) => [name, left(phrases, `$${name}`)] as const)
  return { ...rubric, lists: Object.fromEntries(changed), drivers: { ...drivers, table } }
}

const NOTHING: readonly Said[] = []
const NONE: ReadonlySet<string> = new Set()
const EVERYONE: readonly Actor[] = ['agent', 'customer', 'system']

/** A vocabulary that knows which phrase each hit is of, so that phrases can be passed over. */
class AttributingVocabulary extends Vocabulary {
  /** Id of the item that is read: what is said in it is looked for once. */
  item = ''
  /** Sources of the phrases that are passed over. */
  without = NONE
  readonly #sets: { readonly phrases: readonly Sourced[]; readonly speakers: Set<Actor> }[] = []
  readonly #listed: Readonly<Record<string, readonly string[]>>
  readonly #byPhrase: Vocabulary
  readonly #texts: string[] = []
  readonly #hits = new Map<string, ReadonlyMap<string, readonly Said[]>>()

  constructor(lists: Readonly<Record<string, readonly string[]>>, language: Language) {
    super(lists, language)
    this.#byPhrase = new Vocabulary({}, language)
    this.#listed = lists
  }

  override add(wording: readonly string[], speakers: readonly Actor[]): WordingSet {
    const set = super.add(wording, speakers)
    // What every rubric is compiled with is no phrase of it.
    const phrases = wording === ADDRESSING ? [] : sourcesOf(wording, this.#listed)
    const known = (this.#sets[set] ??= { phrases, speakers: new Set() })
    for (const speaker of speakers) known.speakers.add(speaker)
    for (const { text } of known.phrases) this.#texts[this.#byPhrase.add([text], speakers)] = text
    return set
  }

  /** Wordings are asked for after the rubric is whole, too. */
  override complete(): void {}

  override read(heard: HeardCall): readonly (readonly Said[])[] {
    return this.#sets.map(({ phrases, speakers }) => {
      const said = phrases.flatMap(({ text, source }) => {
        if (this.without.has(source)) return NOTHING
        return this.#hitsIn(heard, text).filter(({ index }) => speakers.has(heard.spoken[index]!.actor))
      })
      if (said.length < 2) return said
      said.sort((a, b) => a.index - b.index || a.from - b.from || a.to - b.to)
      return said.filter((one, at) => {
        const last = said[at - 1]
        return last?.index !== one.index || last.from !== one.from || last.to !== one.to
      })
    })
  }

  /** What is said of each set in an item, nothing passed over. */
  readItem(id: string, heard: HeardCall): readonly (readonly Said[])[] {
    this.item = id
    this.without = NONE
    return this.read(heard)
  }

  /** Where a phrase is said in an item that was read. */
  hitsOf(id: string, text: string): readonly Said[] {
    return this.#hits.get(id)?.get(text) ?? NOTHING
  }

  /** The phrases, by their source, that are said in an item that was read. */
  saidIn(id: string): ReadonlySet<string> {
    const hits = this.#hits.get(id)
    if (hits === undefined) return NONE
    const said = this.#sets.flatMap(({ phrases }) => phrases.filter(({ text }) => hits.has(text)))
    return new Set(said.map(({ source }) => source))
  }

  phrasesOf(set: WordingSet): readonly Sourced[] {
    return this.#sets[set]!.phrases
  }

  sources(): readonly string[] {
    return [...new Set(this.#sets.flatMap(({ phrases }) => phrases.map(({ source }) => source)))]
  }

  #hitsIn(heard: HeardCall, text: string): readonly Said[] {
    let hits = this.#hits.get(this.item)
    if (hits === undefined) {
      const said = [...this.#byPhrase.read(heard).entries()]
      hits = new Map(said.filter(([, one]) => one.length > 0).map(([set, one]) => [this.#texts[set]!, one]))
      this.#hits.set(this.item, hits)
    }
    return hits.get(text) ?? NOTHING
  }
}

/** The phrases of a wording with its lists in place of their names, each with where it is written. */
function sourcesOf(
  wording: readonly string[],
  lists: Readonly<Record<string, readonly string[]>>,
  within = '',
): readonly Sourced[] {
  return wording.flatMap(entry => {
    const name = /^\$([a-z][a-z0-9_]*)$/.exec(entry)?.[1]
    if (name !== undefined) return sourcesOf(lists[name]!, lists, `$${name}`)
    return expand([entry], lists).map(text => ({ text, source: `${within}: ${entry}` }))
  })
}

interface Voiding {
  readonly any: readonly string[]
  readonly not: readonly string[]
  readonly speakers: readonly Actor[]
}

/** What is looked for beside what voids it: in the driver table of a rubric, and in its rules. */
function voidingIn({ drivers, ...rules }: Rubric): readonly Voiding[] {
  const table = drivers.table.flatMap(({ any, not, hints = [] }) =>
    not === undefined ? [] : [{ any: [...any, ...hints], not, speakers: ['customer'] as const }],
  )
  return [...table, ...saysIn(rules)]
}

function saysIn(value: unknown): readonly Voiding[] {
  if (typeof value !== 'object' || value === null) return []
  const found = Object.values(value).flatMap(one => saysIn(one))
  if (!('say' in value)) return found
  const { by, any, not } = value.say as NonNullable<Rubric['signals'][number]['present']['say']>
  // Without `any`, anything at all is looked for.
  if (any === undefined || not === undefined) return found
  return [...found, { any, not, speakers: by === 'anyone' ? EVERYONE : [by] }]
}
