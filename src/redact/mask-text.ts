import type { CountryCode } from 'libphonenumber-js/max'
import { digitRuns } from './digit-runs.js'
import { findCards } from './find-cards.js'
import { findEmails } from './find-emails.js'
import { findIbans } from './find-ibans.js'
import { findPhones, PHONE_LENGTHS } from './find-phones.js'
import { findNationalInsurance, findSocialSecurity } from './find-social-security.js'
import { FoundSpans } from './found-spans.js'
import type { MaskKind, Span } from './mask.js'

/** A text with its personal numbers and addresses masked, and where they stood. */
export interface MaskedText {
  readonly source: string
  readonly text: string
  /** In order, without overlaps; places in `source`. */
  readonly spans: readonly Span[]
}

export interface MaskContext {
  /** Country of telephone numbers that name none. */
  readonly region: CountryCode
  /** Name of the field the text stands in, which may say what a number is. */
  readonly label?: string
  /** Places that are to be masked whatever stands there: what was asked for. */
  readonly answers?: readonly Span[]
  /** Places that say a name or an address, but for what is found there otherwise. */
  readonly identity?: readonly Span[]
  /** Only these kinds; all when absent. What is found as another kind stays as it is. */
  readonly only?: ReadonlySet<MaskKind> | undefined
}

const DIGIT = /\p{Nd}/u
/** A spoken number or address has one of these words; most turns have neither these nor a digit, and are done. */
const WORTH_A_LOOK =
  /\p{Nd}|@|\b(?:zero|oh|one|two|three|four|five|six|seven|eight|nine|ten|twenty|thirty|forty|fifty|hundred|double|triple)\b| dot /iu

/** Masks card, telephone, social security and bank account numbers and e-mail addresses in a text. */
export function maskText(source: string, context: MaskContext): MaskedText {
  const { identity = [], only } = context
  // Told by what was asked for, not by their form: one that is not asked to be masked may yet have that of another kind.
  const answers = (context.answers ?? []).filter(({ kind }) => only?.has(kind) ?? true)
  const worth = answers.length > 0 || identity.length > 0 || WORTH_A_LOOK.test(source)
  const found = worth ? findSpans(source, { ...context, answers }) : []
  const spans = only === undefined ? found : found.filter(({ kind }) => only.has(kind))
  return { source, spans, text: spans.length === 0 ? source : maskedSlice(source, spans, 0, source.length) }
}

/** A part of a text with the given places masked, each of which lies within it. */
export function maskedSlice(source: string, spans: readonly Span[], start: number, end: number): string {
  let text = ''
  let at = start
  for (const span of spans) {
    text += `${source.slice(at, span.start)}[${span.kind}]`
    at = span.end
  }
  return text + source.slice(at, end)
}

function findSpans(text: string, { region, label, answers = [], identity = [] }: MaskContext): readonly Span[] {
  const announced = label === undefined ? '' : `${label.replaceAll(/[_-]+|(?<=[a-z])(?=[A-Z])/g, ' ')}: `
  const before = (at: number, length: number): string => {
    const from = Math.max(0, at - length)
    return `${from === 0 ? announced : ''}${text.slice(from, at)}`
  }
  const found = new FoundSpans(text.length)
  for (const { start, end, kind } of answers) found.take({ start, end, kind })
  for (const span of findEmails(text, before)) found.take(span)
  if (DIGIT.test(text)) {
    for (const span of findIbans(text)) found.take(span)
    for (const span of findNationalInsurance(text)) found.take(span)
  }
  // Each kind is looked for in the whole text before the next, which leaves alone what it found.
  const runs = digitRuns(text, PHONE_LENGTHS.least)
  for (const run of runs) findCards(run, found)
  for (const run of runs) findSocialSecurity(run, text, found, before)
  for (const run of runs) findPhones(run, { text, found, region, before })
  for (const span of identity) found.takeRest(span, text)
  return found.sorted()
}
