import type { CallRecord } from '../../calls/call-record.js'
import type { SignalFound } from './evaluate-signals.js'
import type { HeardCall } from './heard-call.js'
import type { LanguageFound } from './language-of.js'
import type { Reading } from './reading.js'

type Trust = NonNullable<CallRecord['trust']>

/** Spoken turns, and words, below which there is little to go by. */
const FEW_TURNS = 6
const FEW_WORDS = 40
const VERY_FEW_TURNS = 3
/** Shares above which not understanding, and not deciding, is worth a word. */
const MUCH_LOST = 0.1
const MUCH_UNCLEAR = 0.2

/** Something that speaks against relying on an evaluation, and how much: a part of 1. */
export interface Doubt {
  readonly less: number
  readonly reason: string
}

/**
 * How far an evaluation can be relied on: 1 less what speaks against it, each with its reason.
 * @param more what an evaluator knows of itself
 */
export function trustOf(
  call: CallRecord,
  reading: Reading,
  language: LanguageFound,
  found: readonly SignalFound[],
  more: readonly Doubt[] = [],
): Trust {
  const { heard, timing, written } = reading
  const reasons: string[] = []
  let score = 1
  const doubt = (less: number, reason: string): void => {
    score -= less
    reasons.push(reason)
  }
  if (!language.readable) doubt(0.7, `${language.doubt ?? 'Another language'}: only what needs no words was evaluated`)
  else if (language.doubt !== undefined) doubt(0.05, language.doubt)
  const lost = lostShare(reading)
  if (lost >= MUCH_LOST) doubt(0.6 * lost, `${percent(lost)} of the turns with speech can't be understood`)
  const talking = heard.by.agent.length + heard.by.customer.length
  if (heard.by.agent.length === 0 || heard.by.customer.length === 0) {
    const who = heard.by.agent.length === 0 ? 'agent' : 'customer'
    doubt(0.35, `Nothing the ${who} said is in the transcript`)
  }
  if (talking < VERY_FEW_TURNS) doubt(0.3, `The call has only ${count(talking, 'spoken turn')}`)
  else if (talking < FEW_TURNS || heard.words < FEW_WORDS) {
    doubt(0.15, `The call is very short: ${count(talking, 'spoken turn')}, ${count(heard.words, 'word')}`)
  }
  if (!written && timing === undefined)
    doubt(0.15, "Turn times are missing or can't be right: silences and interruptions are not known")
  const unclear = found.filter(({ state }) => state === 'unclear').length
  if (found.length > 0 && unclear / found.length >= MUCH_UNCLEAR) {
    doubt(0.5 * (unclear / found.length), `${unclear} of ${found.length} signals are unclear`)
  }
  if (call.session_metadata?.['speaker_roles'] === 'guessed') {
    doubt(0.15, 'Which speaker is the agent was guessed from who greets first')
  }
  for (const { less, reason } of more) doubt(less, reason)
  const rounded = Math.round(Math.max(0, score) * 100) / 100
  return { level: rounded >= 0.8 ? 'high' : rounded >= 0.5 ? 'medium' : 'low', score: rounded, reasons }
}

/** Share of the turns with speech in which nothing, or less than half, was understood. */
function lostShare({ heard }: Reading): number {
  const lost = heard.lost.agent.length + heard.lost.customer.length
  const garbled = heard.spoken.filter(turn => turn.garbled).length
  const all = heard.spoken.length + lost
  return all === 0 ? 0 : (lost + garbled) / all
}

const percent = (share: number) => `${Math.round(share * 100)} %`
const count = (number: number, what: string) => `${number} ${what}${number === 1 ? '' : 's'}`

/** Turns that are named. */
const NAMED = 3

/** "Turn 4 seems", or "Turns 4, 6, 7 and 2 more seem", of places in a transcript. */
export function turnsText(places: readonly number[], spoken: HeardCall['spoken']): string {
  const turns = places.map(place => spoken.find(one => one.place === place)?.turn ?? place)
  if (turns.length === 1) return `Turn ${turns[0]} seems`
  const more = turns.length > NAMED ? ` and ${turns.length - NAMED} more` : ''
  return `Turns ${turns.slice(0, NAMED).join(', ')}${more} seem`
}
