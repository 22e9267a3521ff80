/** A question of one side and the other's answer, in some wordings each. */
export interface Exchange {
  readonly ask: readonly string[]
  readonly answer: readonly string[]
}

/** Why a customer calls. */
export interface Reason {
  /** What the call would be filed under before anyone listened to it. */
  readonly title: string
  readonly says: string
  /** What is said is trouble by itself, so that a word of sympathy is in place. */
  readonly hurts?: boolean
}

/**
 * What calls of one driver are made of. Words in braces are the values of the call, the same all through it: see
 * `Values`.
 */
export interface Scenario {
  readonly driver: string
  readonly company: string
  readonly queue: string
  /** Share of calls, relative to the other scenarios. */
  readonly weight: number
  /** How often such calls end well in general, 0–1: the context a call's lift is measured against. */
  readonly ease: number
  /** The customer says why they call. */
  readonly reasons: readonly Reason[]
  /** The customer voices trouble. */
  readonly trouble: readonly string[]
  /** The agent asks, the customer answers. */
  readonly steps: readonly Exchange[]
  /** The agent repeats two or more values; said only when the customer gave them. */
  readonly readBack: readonly string[]
  readonly resolve: readonly string[]
  readonly refuse: readonly string[]
  readonly next: readonly string[]
  /** The customer asks, the agent answers. */
  readonly asides: readonly Exchange[]
}

/** The names and numbers a call is about. */
export type ValueName =
  | 'account'
  | 'agent'
  | 'amount'
  | 'branch'
  | 'case'
  | 'company'
  | 'customer'
  | 'day'
  | 'days'
  | 'email'
  | 'first'
  | 'last4'
  | 'order'
  | 'product'
  | 'time'
