import type { CallRecord } from '../calls/call-record.js'

/** Which calls' outcome lift is looked at, and what of them. */
export interface LiftQuery {
  readonly evaluator: 'rules' | 'model'
  readonly rubric: string
  readonly rubricVersion: string
  /** Keys of the signals that count, in the order of their numbers, from 0. */
  readonly signals: readonly string[]
  /** Keys of the conditions that tell of the outcome, in the order of their numbers; a call without the first has none. */
  readonly parts: readonly string[]
  /** Expression whose first group says how often a condition counts, by its text; once where it does not match. */
  readonly times: string
}

/** States of a signal in `LiftCall.states`; 0 stands for one that does not apply. */
export const LIFT_STATES = { absent: 1, unclear: 2, present: 3 } as const

/** Characters below are no codes. Codes are free of digits, and in the order of what they stand for. */
const FIRST = 0x100

/** What of an evaluation is looked at, written shortly: a call's states are some twenty characters. */
export interface LiftCall {
  readonly place: LiftPlace
  /** Undefined for one that has no outcome; it is listed where it has a lift all the same. */
  readonly seen:
    | {
        readonly driver: string | undefined
        readonly direction: string | undefined
        /** A character a signal that applies, in the order of their numbers: U+0100 + 4 x number + state. */
        readonly states: string
        /** A character a condition, U+0100 + number, with how often it counts where that is not once. */
        readonly parts: string
        /** 0–4, by a hash of the session_id: the same whenever and wherever the call is looked at. */
        readonly fold: number
      }
    | undefined
  /** As it is kept, whoever wrote it. */
  readonly lift: CallRecord['outcome_lift']
}

/** Stands for a call as it was found: it is written to only while its evaluation is still that one. */
export interface LiftPlace {
  readonly key: bigint
  /** When it was evaluated, microseconds since 1970; -1 where that is not known. */
  readonly evaluated: bigint
}

export type OutcomeLift = Required<NonNullable<CallRecord['outcome_lift']>>

export interface PlacedLift {
  readonly place: LiftPlace
  /** Undefined takes it away. */
  readonly lift: OutcomeLift | undefined
}

export interface LiftStore {
  /**
   * The calls of a project that an evaluator of ours evaluated, some at a time, all of one instant: those by this rubric
   * and version that have an outcome, and those that have a lift. Alike calls (driver, direction, states) stand
   * together, in an order that depends on nothing but the calls.
   */
  liftCalls(projectId: string, query: LiftQuery, signal?: AbortSignal): AsyncIterable<readonly LiftCall[]>
  /** Writes nothing but outcome_lift. Durable when it resolves. Gives back how many calls were still as they were found. */
  writeLifts(projectId: string, query: LiftQuery, lifts: readonly PlacedLift[]): Promise<number>
}

/** Number and state of each signal in `states`. */
export function readStates(states: string): { number: number; state: number }[] {
  return Array.from(states, character => {
    const code = (character.codePointAt(0) ?? FIRST) - FIRST
    return { number: Math.floor(code / 4), state: code % 4 }
  })
}

/** Number of each condition in `parts` and how often it counts. */
export function readParts(parts: string): { number: number; times: number }[] {
  return [...parts.matchAll(/(\D)(\d*)/gu)].map(([, character = '', times = '']) => ({
    number: (character.codePointAt(0) ?? FIRST) - FIRST,
    times: times === '' ? 1 : Number(times),
  }))
}
