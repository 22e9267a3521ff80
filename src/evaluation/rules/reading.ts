import type { Backchannels } from './backchannels.js'
import type { Finding, Spot } from './finding.js'
import type { HeardCall } from './heard-call.js'
import type { Timing } from './timing.js'

export type SignalState = 'present' | 'absent' | 'unclear'

/** A phrase said: in which turn (by its place among the spoken turns), and which of its words. */
export interface Said {
  readonly index: number
  readonly from: number
  readonly to: number
}

/** Everything a rule may look at in one call. */
export interface Reading {
  readonly heard: HeardCall
  readonly backchannels: Backchannels
  /** Undefined where times are missing. */
  readonly timing: Timing | undefined
  /** The call is written, so that its times say nothing. */
  readonly written: boolean
  /** The words are in a language the rubric reads. */
  readonly readable: boolean
  /** What was said of each set of phrases, in the order of the turns. */
  readonly said: readonly (readonly Said[])[]
  readonly driver: DriverFound
  /** States of the signals evaluated so far; those left out are not in it. */
  readonly states: ReadonlyMap<string, SignalState>
  /** What rules found in it so far, by their number. */
  readonly found: (Finding | undefined)[]
}

export interface DriverFound {
  /** What the record brings, else what was heard. */
  readonly driver: string | undefined
  /** What the customer says; `hinted` when only a hint of the table says it. */
  readonly heard: { readonly driver: string; readonly spot: Spot; readonly hinted: boolean } | undefined
  /** Other reasons of the table that the customer gives, in its order. */
  readonly further: readonly { readonly driver: string; readonly spot: Spot }[]
  /** The turns that would say it can't be understood. */
  readonly unknown: boolean
}
