import type { phrases } from './phrases.js'

/** What an agent may or may not do in a call. */
export type Habit =
  | 'greets'
  | 'names_company'
  | 'names_self'
  | 'offers_help'
  | 'cuts_in'
  | 'cares'
  | 'is_willing'
  | 'verifies'
  | 'asks_again'
  | 'reads_back'
  | 'takes_time'
  | 'announces_waits'
  | 'thanks_for_waiting'
  | 'snaps'
  | 'explains_next'
  | 'offers_more'
  | 'takes_leave'

/** Wordings of what is said whatever the call is about. */
export type Phrases = Readonly<Record<Exclude<keyof typeof phrases, 'smallTalk' | 'readBackValues'>, readonly string[]>>

/** How an agent talks to customers: nothing else makes one agent's calls better than another's. */
export interface Manner {
  readonly name: string
  /** What a listener would say of such an agent. */
  readonly about: string
  /** How often the agent does each thing where it would be in place, 0–1. */
  readonly habits: Readonly<Record<Habit, number>>
  /** Added to the share of calls of a kind that end well. */
  readonly solves: number
  /** Wordings of this manner's own, in place of the common ones. */
  readonly words: Partial<Phrases>
}
