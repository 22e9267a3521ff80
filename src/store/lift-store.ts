import type { CallRecord } from '../calls/call-record.js'
import type { LiftBand } from '../calls/lift-band.js'
import type { LiftFitRecord } from './records/lift-fit.js'

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
  /** Field of session_metadata that says how a call came out, in place of `parts`; calls without it have no outcome. */
  readonly outcomeField?: string | undefined
}

/** States of a signal in `LiftCall.states`; 0 stands for one that does not apply. */
export const LIFT_STATES = { absent: 1, unclear: 2, present: 3 } as const

/** Characters below are no codes. Codes are free of digits, and in the order of what they stand for. */
const FIRST = 0x100

/** What of an evaluation is looked at, written shortly: a call's states are some twenty characters. */
export interface LiftSeen {
  readonly driver: string | undefined
  readonly direction: string | undefined
  /** A character a signal that applies, in the order of their numbers: U+0100 + 4 x number + state. */
  readonly states: string
  /** 0–4, by a hash of the session_id: the same whenever and wherever the call is looked at. */
  readonly fold: number
}

/** Calls that are alike in what is looked at, and in their outcome. */
export interface AlikeCalls extends LiftSeen {
  /** Whose calls they are: id and name, as JSON. */
  readonly agent: string
  /** JSON of the outcome field, where one is asked for and the call has it; what is long is cut. */
  readonly outcome: string | undefined
  /** A character a condition, U+0100 + number, with how often it counts where that is not once. */
  readonly parts: string
  readonly calls: number
  /** Exclusive or of their keys. */
  readonly keys: bigint
}

export interface LiftCall {
  readonly place: LiftPlace
  /** Undefined for one that is not compared with others; it is listed where it has a lift all the same. */
  readonly seen: LiftSeen | undefined
  /** As it is kept, whoever wrote it. */
  readonly lift: CallRecord['outcome_lift']
}

/** Calls that lie together in the store, from a place to a place. */
export interface LiftPage {
  readonly from: bigint
  readonly to: bigint
  readonly calls: readonly LiftCall[]
}

/** Stands for a call as it was found: it is written to only while its evaluation is still that one. */
export interface LiftPlace {
  readonly key: bigint
  /** When it was evaluated, microseconds since 1970; -1 where that is not known. */
  readonly evaluated: bigint
}

export interface OutcomeLift {
  readonly lift: number
  /** Absent where the lift can't be told from none. */
  readonly lift_band?: LiftBand
  readonly p_behavioral: number
  readonly p_context: number
}

export interface PlacedLift {
  readonly place: LiftPlace
  /** Undefined takes it away. */
  readonly lift: OutcomeLift | undefined
}

/** Parts of the calls that a fit can be made of: by their keys, the same ones each time. */
export const LIFT_PARTS = 4_096

/** The turn in which lifts of a project are fitted and written. */
export const liftTurn = (projectId: string): string => `lift:${projectId}`

/** What is written in a project's turn for lift is refused once another has the turn. */
export interface LiftStore {
  /** How many calls `alikeCalls` counts, of all parts. */
  countLiftCalls(projectId: string, query: LiftQuery, signal?: AbortSignal): Promise<number>
  /**
   * The calls of a project that an evaluator of ours evaluated by this rubric and version and that have an outcome - all of them
   * where a field tells it, which not every call has -, counted
   * by what is looked at, all of one instant. Alike ones (driver, direction, states, agent) stand together, in an order that
   * depends on nothing but the calls.
   * @param parts how many of LIFT_PARTS are counted: those of the calls whose key % LIFT_PARTS is less
   */
  alikeCalls(
    projectId: string,
    query: LiftQuery,
    parts: number,
    signal?: AbortSignal,
  ): AsyncIterable<readonly AlikeCalls[]>
  /**
   * The same calls one by one, and others of this evaluator that have a lift, some at a time: each page as it is when it
   * is asked for. The store may move calls while it is written to, so that one is in no page or in two.
   */
  liftPages(projectId: string, query: LiftQuery, signal?: AbortSignal): AsyncIterable<LiftPage>
  /**
   * Writes nothing but outcome_lift, of calls of one page. Durable when it resolves. Gives back how many of them were still
   * as they were found.
   */
  writeLifts(
    projectId: string,
    query: LiftQuery,
    page: Pick<LiftPage, 'from' | 'to'>,
    lifts: readonly PlacedLift[],
  ): Promise<number>
  /** What the lifts of a project were made of, by evaluator; none of a store whose lifts are older than that. */
  liftFits(projectId: string): Promise<readonly LiftFitRecord[]>
  /** Keeps it in place of the one of this evaluator before. Durable when it resolves. */
  writeLiftFit(projectId: string, fit: LiftFitRecord): Promise<void>
}

/** Puts the state of each signal in `states` to its number; what is there already stays for those that do not apply. */
export function readStates(states: string, into: Uint8Array): void {
  for (let at = 0; at < states.length; at += 1) {
    const code = states.charCodeAt(at) - FIRST
    into[code >>> 2] = code & 3
  }
}

/** Number of each condition in `parts` and how often it counts. */
export function readParts(parts: string): { number: number; times: number }[] {
  return [...parts.matchAll(/(\D)(\d*)/gu)].map(([, character = '', times = '']) => ({
    number: (character.codePointAt(0) ?? FIRST) - FIRST,
    times: times === '' ? 1 : Number(times),
  }))
}
