import { compiledFile } from './compiled-file.js'
import type { Rubric, RubricSignal } from './rubric.js'

/** Signals that a project may choose, by the language they are found in. They are in no rubric that does not take them. */
export type SignalCatalogs = ReadonlyMap<string, readonly RubricSignal[]>

export const signalCatalogs: SignalCatalogs = new Map([['en', compiledFile('catalog/english') as RubricSignal[]]])

const known = new WeakMap<Rubric, WeakMap<readonly string[], Rubric>>()

/**
 * A rubric with the signals that its language's catalog has for one of a project's lines of business. The same object for the same
 * two, and the rubric itself where there are none.
 */
export function withVerticals(rubric: Rubric, verticals: readonly string[]): Rubric {
  const byVerticals = known.get(rubric) ?? new WeakMap<readonly string[], Rubric>()
  known.set(rubric, byVerticals)
  const made = byVerticals.get(verticals) ?? added(rubric, verticals)
  byVerticals.set(verticals, made)
  return made
}

function added(rubric: Rubric, verticals: readonly string[]): Rubric {
  const own = new Set(rubric.signals.map(({ key }) => key))
  const wanted = new Set(verticals.map(vertical => vertical.toLowerCase()))
  const more = signalCatalogs
    .get(rubric.language)
    ?.filter(({ key, verticals: its }) => !own.has(key) && its.some(vertical => wanted.has(vertical)))
  return more === undefined || more.length === 0 ? rubric : { ...rubric, signals: [...rubric.signals, ...more] }
}
