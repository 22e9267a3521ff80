import type { GuidanceEntry } from './catalog/guidance-entry.js'
import type { SignalEntry } from './catalog/signal-entry.js'

export { guidanceEntry, type GuidanceEntry } from './catalog/guidance-entry.js'
export { signalCategory, signalEntry, type SignalEntry } from './catalog/signal-entry.js'

/** What calls can show and what can be said about it, by key, in the order to list them. */
export interface Catalogs {
  readonly signals: ReadonlyMap<string, SignalEntry>
  readonly guidance: ReadonlyMap<string, GuidanceEntry>
}

/**
 * The catalogs as one project sees them: narrowed to its lines of business. An entry without verticals applies to all; a
 * project without verticals sees every entry.
 */
export function projectCatalogs(project: { readonly verticals: readonly string[] }, all: Catalogs): Catalogs {
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
