import { isObject } from '../base/is-object.js'
import { Dialogue } from './dialogue.js'
import { customerNames, Identity } from './identity.js'
import { type MaskContext, type MaskedText, maskText } from './mask-text.js'
import { type MaskCounts, type MaskKind, noMasks } from './mask.js'
import { MaskedNumbers } from './masked-numbers.js'
import { maskedQuote } from './masked-quote.js'
import { phoneRegionOf } from './phone-region.js'

type Fields = Record<string, unknown>

/**
 * Fields that are no free text: what identifies a call or agent, keys of catalogs, and names of things of the service.
 * agent_name is what access is narrowed by, and by recording_url a recording is found and erased.
 */
const KEPT: ReadonlySet<string> = new Set([
  'session_id',
  'agent_id',
  'agent_name',
  'recording_url',
  'created_dt',
  'language_primary',
  'interaction_direction',
  'channel',
  'key',
  'state',
  'kind',
  'priority',
  'actor',
  'level',
  'lift_band',
  'evaluation',
  'transcript',
])

/**
 * Masks card, telephone, social security and bank account numbers and e-mail addresses in every free text of a record,
 * in place: transcript, title, driver, names of customers, coaching, quotes, conditions, and all of session_metadata
 * but the names of its fields. Of turns and their quotes the same is masked, so that quotes stay verbatim.
 *
 * @param only these kinds; all when absent
 * @returns how many places were masked
 */
export function redactRecord(record: Fields, only?: ReadonlySet<MaskKind>): MaskCounts {
  return new Redaction(record, only).run()
}

class Redaction {
  readonly #record: Fields
  readonly #context: MaskContext
  readonly #counts = noMasks()
  readonly #dialogue = new Dialogue()
  readonly #identity: Identity
  readonly #turns: (MaskedText | undefined)[] = []
  /** The turns in which something was masked. */
  readonly #masked: MaskedText[] = []
  /** What was masked in them; all turns are before the first quote. */
  #numbers: MaskedNumbers | undefined

  constructor(record: Fields, only: ReadonlySet<MaskKind> | undefined) {
    this.#record = record
    this.#identity = new Identity(customerNames(record))
    this.#context = { region: phoneRegionOf(record['language_primary']), only }
  }

  run(): MaskCounts {
    const transcript = this.#record['transcript']
    if (Array.isArray(transcript)) for (const turn of transcript) this.#turn(turn)
    this.#fields(this.#record, false)
    return this.#counts
  }

  #turn(turn: unknown): void {
    const text = isObject(turn) ? turn['text'] : undefined
    const masked = typeof text === 'string' ? this.#heard((turn as Fields)['actor'], text) : undefined
    this.#turns.push(masked)
    if (masked === undefined || masked.spans.length === 0) return
    this.#masked.push(masked)
    ;(turn as Fields)['text'] = this.#counted(masked)
  }

  #heard(actor: unknown, text: string): MaskedText {
    const identity = this.#identity.hear(actor, text)
    return maskText(text, { ...this.#context, ...this.#dialogue.hear(actor, text), identity })
  }

  /** @param open inside session_metadata, where every field is the user's own */
  #fields(fields: Fields, open: boolean): void {
    for (const [name, value] of Object.entries(fields)) {
      if (!open && KEPT.has(name)) continue
      const isOpen = open || name === 'session_metadata'
      const kept = this.#value(value, name, fields, isOpen)
      if (kept !== value) fields[name] = kept
    }
  }

  #value(value: unknown, name: string, parent: Fields, open: boolean): unknown {
    if (typeof value === 'string') {
      if (!open && (name === 'quote' || name === 'text')) return this.#quoted(value, parent)
      // Whose call it is stays findable: by the name as a record has it, and by fields of one's own.
      const again = open || name === 'customer_display_name' ? [] : this.#identity.again(value)
      return this.#counted(maskText(value, { ...this.#context, label: name, identity: again }))
    }
    if (typeof value === 'number') return open ? this.#number(value, name) : value
    if (Array.isArray(value)) {
      for (const [index, inner] of value.entries()) {
        const kept = this.#value(inner, name, parent, open)
        if (kept !== inner) value[index] = kept
      }
    } else if (isObject(value)) this.#fields(value, open)
    return value
  }

  /** A quote, or an event's or entry's text, which may be one too. */
  #quoted(text: string, parent: Fields): string {
    const { turn } = parent
    const quotes = typeof turn === 'number' ? this.#turns[turn] : undefined
    this.#numbers ??= new MaskedNumbers(this.#masked)
    return this.#counted(
      maskedQuote(text, quotes, this.#numbers, { ...this.#context, identity: this.#identity.again(text) }),
    )
  }

  /** A number in session_metadata that says a card or telephone number. */
  #number(value: number, name: string): unknown {
    if (!Number.isSafeInteger(value) || name === 'audio_length_seconds') return value
    const masked = maskText(String(value), { ...this.#context, label: name })
    return masked.spans.length === 0 ? value : this.#counted(masked)
  }

  #counted({ text, spans }: MaskedText): string {
    for (const { kind } of spans) this.#counts[kind] += 1
    return text
  }
}
