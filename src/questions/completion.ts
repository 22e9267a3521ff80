import type { Asker } from './asker.js'

/** Values offered to someone who is typing one, the likeliest first. */
export interface Completion {
  readonly values: readonly string[]
  /** Whether there are others beyond these. */
  readonly more: boolean
}

/** Finds values that go on from what was typed: only ever ones the asker may see. */
export type Complete = (asker: Asker, typed: string) => Promise<Completion>

/** A resource or prompt, of whose variables or arguments some can be completed. */
export interface Completable {
  readonly complete: Readonly<Record<string, Complete>>
}

/** Most values of one completion; the protocol allows no more. */
export const MOST_VALUES = 100

/** Nothing to offer. */
export const NO_VALUES: Completion = { values: [], more: false }

/** The first of some values, as a completion. */
export function firstOf(values: readonly string[]): Completion {
  return { values: values.slice(0, MOST_VALUES), more: values.length > MOST_VALUES }
}
