/** Who somebody is in a conversation, where the source says so. A bot is the agent of a call that no person took. */
export type Role = 'agent' | 'customer' | 'bot' | 'system'

/** Something said, as a transcript tells it. */
export interface Speech {
  /** The transcript's label of who speaks; undefined where it gives none. */
  readonly speaker: string | undefined
  /** Who that is, where the source says so and the label does not. */
  readonly role?: Role | undefined
  /** The source's id of an agent who speaks. */
  readonly agentId?: string | undefined
  readonly text: string
  /** Seconds from the start of the call. */
  readonly start: number | undefined
  readonly end: number | undefined
  /** It stands behind what was said before it without a space, such as punctuation, whoever is said to speak it. */
  readonly attached?: boolean
}
