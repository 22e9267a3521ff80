import { digitRuns } from './digit-runs.js'
import { type Answer, type AskedKind, askedFor, DIGITS_OF, findAnswers } from './find-answers.js'
import type { Span } from './mask.js'

const ASKS_EMAIL = /\be-?mail|\bcorreo\b/i

/** Digits of an answer that is known again. */
const LEAST_AGAIN = 3

const MASK = /\[(\w+)\]/g

/** Turns of the agent through which an answer goes on, at most. */
const MOST_TURNS = 8

/** What an agent says while somebody dictates, or to be told again. */
const GOES_ON =
  /^(?:[^\p{L}]*(?:mhm+|uh[- ]?huh|m+|okay|ok|yes|yeah|yep|right|sure|go on|go ahead|got (?:it|that)|and|then|alright|all right|sorry|pardon|ja|gut|genau|weiter|sí|si|bueno|siga)(?!\p{L})[^\p{L}]*){1,4}$/iu
const AGAIN = /\b(?:again|once more|repeat|where|on the back|signature|catch|hear|slower|noch ?mal|otra vez|repita)\b/i

/**
 * Hears a call turn by turn: what the agent asks for, until it is answered or something else is talked about. The answer of
 * the customer is a number whose kind only the question says, and may come in pieces.
 */
export class Dialogue {
  #asked: readonly AskedKind[] = []
  #digits = 0
  #turns = 0

  /** Numbers that were answers, by their digits: whoever says them again says the same. */
  readonly #said = new Map<string, AskedKind>()
  #asksEmail = false

  /**
   * What is known of a turn by those before it: the places that answer a question or repeat an answer, and what it was asked
   * for where that is told by its form. Turns are heard in their order, each once.
   */
  hear(actor: unknown, text: string): { readonly answers: readonly Span[]; readonly label?: string } {
    const answers = actor === 'customer' ? this.#answer(text) : []
    if (actor === 'customer') this.#answerBefore(text)
    const label = actor === 'customer' && this.#asksEmail ? { label: 'email' } : {}
    const again = this.#said.size === 0 ? [] : this.#repeated(text)
    for (const { start, end, kind } of answers) {
      for (const { digits } of digitRuns(text.slice(start, end), LEAST_AGAIN)) this.#said.set(digits, kind)
    }
    if (actor === 'agent') this.#ask(text)
    return { answers: [...answers, ...again], ...label }
  }

  #repeated(text: string): readonly Span[] {
    return digitRuns(text, LEAST_AGAIN).flatMap(({ digits, places }) => {
      const kind = this.#said.get(digits)
      return kind === undefined ? [] : [{ start: places[0]?.start ?? 0, end: places.at(-1)?.end ?? 0, kind }]
    })
  }

  #answer(text: string): readonly Answer[] {
    const answers = findAnswers(text, this.#asked, this.#digits > 0)
    for (const { kind, digits } of answers) {
      this.#digits += digits
      // What is whole is answered; another that was asked for with it may come.
      if (this.#digits < DIGITS_OF[kind].whole) continue
      this.#asked = this.#asked.filter(one => one !== kind)
      this.#digits = 0
    }
    return answers
  }

  /** What was masked before is answered: of a call that is masked again, what comes after it is no answer. */
  #answerBefore(text: string): void {
    if (this.#asked.length === 0) return
    const masked = new Set(Array.from(text.matchAll(MASK), ([, kind]) => kind))
    this.#asked = this.#asked.filter(kind => !masked.has(kind))
  }

  #ask(text: string): void {
    this.#asksEmail = ASKS_EMAIL.test(text)
    const asked = askedFor(text)
    this.#turns += 1
    if (asked.length > 0) {
      // "The security code from the back of your card": the card is where it stands.
      this.#asked = asked
      this.#digits = 0
      this.#turns = 0
    } else if (this.#turns > MOST_TURNS || !(GOES_ON.test(text) || AGAIN.test(text))) {
      this.#asked = []
      this.#digits = 0
    }
  }
}
