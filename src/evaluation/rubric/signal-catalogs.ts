import { compiledFile } from './compiled-file.js'
import type { KindRubric, Rubric, RubricSignal } from './rubric.js'

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
  const made = byVerticals.get(verticals) ?? addedToKinds(added(rubric, verticals), verticals)
  byVerticals.set(verticals, made)
  return made
}

function addedToKinds(rubric: Rubric, verticals: readonly string[]): Rubric {
  const kinds = rubric.kinds?.map(kind => ({ ...kind, rubric: added(kind.rubric, verticals) }))
  return verticals.length === 0 || kinds === undefined ? rubric : { ...rubric, kinds }
}

function added<Of extends KindRubric>(rubric: Of, verticals: readonly string[]): Of {
  const own = new Set(rubric.signals.map(({ key }) => key))
  const wanted = new Set(verticals.map(vertical => vertical.toLowerCase()))
  const more = signalCatalogs
    .get(rubric.language)
    ?.filter(({ key, verticals: its }) => !own.has(key) && its.some(vertical => wanted.has(vertical)))
  return more === undefined || more.length === 0 ? rubric : { ...rubric, signals: [...rubric.signals, ...more] }
}
