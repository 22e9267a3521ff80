import type { CallRecord } from '../../calls/call-record.js'
import { companyGreeted } from './company-greeted.js'
import type { Language } from './languages/language.js'
import type { Names } from './phrase-book.js'
import { TextsAgain } from './texts-again.js'
import { UNHEARD, type Word, type Words, wordsOf } from './words.js'

export type Actor = 'agent' | 'customer' | 'system'

/** The words of a turn, and what is known of it whoever says it. */
export interface TurnWords extends Words {
  /** Words that were understood. */
  readonly heard: number
  /** How many of the words are among the commonest of the language. */
  readonly common: number
  /** Of the longer words; see `Form`. */
  readonly stems: readonly string[]
  /** It ends with a question mark. */
  readonly asks: boolean
  /** Lines of it may begin with who speaks. */
  readonly labelled: boolean
  /** It holds signs that people don't say and machines write. */
  readonly signs: boolean
}

/** A turn in which something was understood. */
export interface HeardTurn {
  /** Its place in the transcript. */
  readonly place: number
  /** Its place among the spoken turns of all, and of its speaker. */
  readonly index: number
  readonly own: number
  /** The number the record gives it. */
  readonly turn: number
  readonly actor: Actor
  readonly text: string
  readonly said: TurnWords
  /** Half or more of it was not understood. */
  readonly garbled: boolean
  readonly start: number | undefined
  readonly end: number | undefined
}

/** A call as the rules read it: the turns in which somebody speaks, cut into words. */
export interface HeardCall {
  readonly spoken: readonly HeardTurn[]
  readonly by: Readonly<Record<Actor, readonly HeardTurn[]>>
  /** Places of turns that hold speech nobody understood, by speaker. */
  readonly lost: Readonly<Record<Actor, readonly number[]>>
  /** Somewhere something was not understood. */
  readonly partlyLost: boolean
  readonly language: Language
  readonly names: Names
  /** Words that were understood. */
  readonly words: number
}

/** Reads a transcript. Turns that hold only markers such as `[noise]` or `<unk>` are not spoken turns. */
export function hearCall(call: CallRecord, language: Language): HeardCall {
  const spoken: HeardTurn[] = []
  const by: Record<Actor, HeardTurn[]> = { agent: [], customer: [], system: [] }
  const lost: Record<Actor, number[]> = { agent: [], customer: [], system: [] }
  let words = 0
  let partlyLost = false
  let names: readonly string[] | undefined
  const turns = call.transcript ?? []
  const again = textsAgain(language)
  const cut = (text: string, kept: number): TurnWords => turnWords(text, wordsOf(text, language), language, kept)
  for (let place = 0; place < turns.length; place += 1) {
    const { turn, actor, text, start_s: start, end_s: end } = turns[place]!
    let said = again.of(text, cut)
    if (said.labelled) {
      const own = withoutLabels(text, said.words, (names ??= speakersOf(call)))
      if (own !== said.words) said = turnWords(text, { words: own, unheard: said.unheard }, language, -1)
    }
    partlyLost ||= said.unheard > 0
    const { heard } = said
    if (heard === 0) {
      if (said.unheard > 0) lost[actor].push(place)
      continue
    }
    words += heard
    const own = by[actor]
    const garbled = said.unheard >= heard
    const one = { place, index: spoken.length, own: own.length, turn, actor, text, said, garbled, start, end }
    spoken.push(one)
    own.push(one)
  }
  return { spoken, by, lost, partlyLost, language, names: namesOf(call, by.agent[0], language), words }
}

const textsByLanguage = new WeakMap<Language, TextsAgain<TurnWords>>()

function textsAgain(language: Language): TextsAgain<TurnWords> {
  const known = textsByLanguage.get(language) ?? new TextsAgain<TurnWords>()
  textsByLanguage.set(language, known)
  return known
}

const SIGNS = /[<[#={]/u

function turnWords(text: string, { words, unheard }: Omit<Words, 'kept'>, language: Language, kept: number): TurnWords {
  let lost = 0
  let common = 0
  const stems: string[] = []
  for (const { text: word, form } of words) {
    if (word === UNHEARD) lost += 1
    else if (language.common.has(word)) common += 1
    if (form.stem !== undefined) stems.push(form.stem)
  }
  return {
    words,
    unheard,
    kept,
    heard: words.length - lost,
    common,
    stems,
    asks: text.trimEnd().endsWith('?'),
    labelled: text.includes(':'),
    signs: SIGNS.test(text),
  }
}

/** What transcripts write before what somebody says, in whatever language the program speaks that made them. */
const ROLES: ReadonlySet<string> = new Set(
  (
    'agent, customer, caller, client, representative, rep, advisor, adviser, operator, assistant, associate, employee, user, speaker, bot, system, ' +
    'agentin, berater, beraterin, mitarbeiter, mitarbeiterin, kunde, kundin, anrufer, anruferin, sprecher, ' +
    'agente, asesor, asesora, operador, operadora, ejecutivo, ejecutiva, cliente, clienta, usuario, usuaria, hablante'
  ).split(', '),
)
/** Longest beginning of a line that may be a label, characters. */
const LONGEST_LABEL = 60

/** Names of those who speak, whole and the first word. */
function speakersOf({ agent_name: agent, customer_display_name: customer }: CallRecord): readonly string[] {
  return [agent, customer].flatMap(name => {
    if (name === undefined) return []
    const whole = name.toLowerCase()
    return [whole, whole.split(' ')[0]!]
  })
}

/** Words without the labels that lines begin with: "Agent:" and "Ana Ruiz:" say who speaks, and nobody says them. */
function withoutLabels(text: string, said: readonly Word[], names: readonly string[]): readonly Word[] {
  let words = said
  for (let from = 0; from !== -1 && from < text.length;) {
    const colon = text.indexOf(':', from)
    if (colon === -1) break
    const start = from
    if (colon - start <= LONGEST_LABEL) {
      const label = text
        .slice(start, colon)
        .trim()
        .toLowerCase()
        .replace(/ ?\d{1,3}$/u, '')
      if (ROLES.has(label) || names.includes(label)) {
        words = words.filter(word => word.start < start || word.start >= colon)
      }
    }
    const line = text.indexOf('\n', from)
    from = line === -1 ? -1 : line + 1
  }
  return words
}

function namesOf(call: CallRecord, greeting: HeardTurn | undefined, language: Language): Names {
  const named = (name = ''): readonly string[] => wordsOf(name, language).words.map(({ text }) => text)
  const agent = named(call.agent_name)
  const company = named(call.session_metadata?.company_name)
  const isSaid = company.length > 0 || greeting === undefined
  return { company: isSaid ? company : companyGreeted(greeting, agent, language), agent }
}
