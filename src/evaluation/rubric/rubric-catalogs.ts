import type { Catalogs, GuidanceEntry, SignalEntry } from '../../calls/catalogs.js'
import { builtInRubrics, defaultRubric } from './built-in-rubrics.js'
import type { Rubric, RubricGuide, RubricSignal } from './rubric.js'
import type { Rule } from './rule.js'
import { signalCatalogs } from './signal-catalogs.js'
import { signalsIn } from './signals-in.js'

/** The catalogs a rubric holds: its signals, and its guidance with the signals that trigger it. */
export function rubricCatalogs(rubric: Rubric): Catalogs {
  // Of a key that several kinds of calls have, the entry of the project's own rubric.
  const all = [rubric, ...(rubric.kinds ?? []).map(kind => kind.rubric)]
  const keyed = <Of extends { readonly key: string }>(entries: readonly Of[]): ReadonlyMap<string, Of> => {
    const byKey = new Map<string, Of>()
    for (const entry of entries) if (!byKey.has(entry.key)) byKey.set(entry.key, entry)
    return byKey
  }
  const signals = keyed(all.flatMap(one => one.signals))
  const guidance = keyed(all.flatMap(one => one.guidance))
  return {
    signals: new Map([...signals].map(([key, signal]) => [key, signalEntryOf(signal)])),
    guidance: new Map([...guidance].map(([key, guide]) => [key, guidanceEntryOf(guide)])),
  }
}

/** The catalogs every installation starts with: those of the default rubric. */
export const builtInCatalogs: Catalogs = rubricCatalogs(defaultRubric.rubric)

/** Every signal that is built in: those of the built-in rubrics, of what several have the first one's, and those projects may choose. */
export const builtInSignals: Catalogs['signals'] = new Map([
  ...[...builtInRubrics.values()].toReversed().flatMap(({ rubric }) => [...rubricCatalogs(rubric).signals]),
  ...[...signalCatalogs.values()].flat().map(signal => [signal.key, signalEntryOf(signal)] as const),
])

function signalEntryOf({ key, name, description, category, verticals, active }: RubricSignal): SignalEntry {
  return { signal_key: key, display_name: name, description, category, applicable_verticals: verticals, active }
}

function guidanceEntryOf(guide: RubricGuide): GuidanceEntry {
  return {
    guide_key: guide.key,
    display_name: guide.name,
    description: guide.description,
    guidance_kind: guide.kind,
    priority: guide.priority,
    actionability: guide.actionability,
    signal_keys: [...signalsIn(withoutNot(guide.when))],
    applicable_verticals: guide.verticals,
    active: guide.active,
  }
}

/** A rule without what must not be: that triggers nothing. */
function withoutNot(rule: Rule): Rule {
  const { not: _not, all, any, ...others } = rule
  return { ...others, all: all?.map(one => withoutNot(one)), any: any?.map(one => withoutNot(one)) }
}
