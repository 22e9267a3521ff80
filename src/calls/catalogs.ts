import { builtInGuidance } from './catalog/built-in-guidance.js'
import { builtInSignals } from './catalog/built-in-signals.js'
import type { GuidanceEntry } from './catalog/guidance-entry.js'
import type { SignalEntry } from './catalog/signal-entry.js'

export { guidanceEntry, type GuidanceEntry } from './catalog/guidance-entry.js'
export { signalCategory, signalEntry, type SignalEntry } from './catalog/signal-entry.js'

/** What calls can show and what can be said about it, by key, in the order to list them. */
export interface Catalogs {
  readonly signals: ReadonlyMap<string, SignalEntry>
  readonly guidance: ReadonlyMap<string, GuidanceEntry>
}

/** Entries that are added to a catalog, or replace its entry of the same key. */
export interface CatalogOverrides {
  readonly signals?: readonly SignalEntry[]
  readonly guidance?: readonly GuidanceEntry[]
}

const bySignal = (entries: readonly SignalEntry[]) => entries.map(entry => [entry.signal_key, entry] as const)
const byGuide = (entries: readonly GuidanceEntry[]) => entries.map(entry => [entry.guide_key, entry] as const)

/** The catalogs every installation starts with: those of the default rubric for support calls. */
export const builtInCatalogs: Catalogs = {
  signals: new Map(bySignal(builtInSignals)),
  guidance: new Map(byGuide(builtInGuidance)),
}

/** Catalogs with entries added and overridden; an overridden entry keeps its place in the order. */
export function withOverrides(base: Catalogs, overrides: CatalogOverrides): Catalogs {
  return {
    signals: new Map([...base.signals, ...bySignal(overrides.signals ?? [])]),
    guidance: new Map([...base.guidance, ...byGuide(overrides.guidance ?? [])]),
  }
}

/**
 * The catalogs as one project sees them: the base with the project's own entries, narrowed to its lines of business.
 * An entry without verticals applies to all; a project without verticals sees every entry.
 */
export function projectCatalogs(
  project: { readonly verticals: readonly string[] },
  overrides: CatalogOverrides = {},
  base: Catalogs = builtInCatalogs,
): Catalogs {
  const all = withOverrides(base, overrides)
  if (project.verticals.length === 0) return all
  const wanted = new Set(project.verticals.map(vertical => vertical.toLowerCase()))
  const applies = (entry: { applicable_verticals: readonly string[] }) =>
    entry.applicable_verticals.length === 0 ||
    entry.applicable_verticals.some(vertical => wanted.has(vertical.toLowerCase()))
  return {
    signals: new Map([...all.signals].filter(([, entry]) => applies(entry))),
    guidance: new Map([...all.guidance].filter(([, entry]) => applies(entry))),
  }
}
