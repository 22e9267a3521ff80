import { builtInCatalogs } from '../evaluation/rubric/rubric-catalogs.js'
import { type Evidence, evidenceOf } from './evidence-of.js'
import type { HeldCall } from './held-call.js'
import { rubricWeights } from './rubric-weights.js'

const OPPORTUNITIES = 2
const EXCELLENCES = 1

/** Entries of the catalog by each of their signals. */
const bySignal = { opportunity: entriesOf('opportunity'), excellence: entriesOf('excellence') }

interface Entry {
  readonly guidance: { readonly key: string; readonly kind: string; readonly priority: string; readonly text: string }
  /** The signals it speaks of, without `sig.`. */
  readonly signals: readonly string[]
}

function entriesOf(kind: 'opportunity' | 'excellence') {
  const entries = new Map<string, Entry>()
  for (const { guide_key, guidance_kind, priority, description, signal_keys } of builtInCatalogs.guidance.values()) {
    if (guidance_kind !== kind) continue
    const entry: Entry = {
      guidance: { key: guide_key, kind, priority, text: description },
      signals: signal_keys.map(key => key.slice('sig.'.length)),
    }
    for (const signal of entry.signals) if (!entries.has(signal)) entries.set(signal, entry)
  }
  return entries
}

/** The signals by weight, heaviest first: what weighs most is coached first. */
const weighty = [...rubricWeights]
  .filter(([, { weight }]) => weight > 0)
  .toSorted(([, a], [, b]) => b.weight - a.weight)
  .map(([signal, { negative }]) => ({ signal, negative }))

/** What to work on and what went well, heaviest first. */
export function guidanceOf(held: HeldCall) {
  const taken = new Set<string>()
  const guidance: (Entry['guidance'] & { readonly evidence?: Evidence })[] = []
  const take = (kind: 'opportunity' | 'excellence', most: number): void => {
    let count = 0
    for (const { signal, negative } of weighty) {
      if (count === most) return
      const state = held.observations.get(signal)?.state
      if (state === undefined || state === 'unclear') continue
      const good = (state === 'present') !== negative
      // That something bad did not happen is nothing to praise.
      if (good !== (kind === 'excellence') || (good && negative)) continue
      const entry = bySignal[kind].get(signal)
      if (entry === undefined || taken.has(entry.guidance.key)) continue
      // What is praised has to hold as a whole.
      if (good && entry.signals.some(other => held.observations.is(other, 'absent'))) continue
      const evidence = evidenceOf(held, signal)
      taken.add(entry.guidance.key)
      guidance.push(evidence === undefined ? entry.guidance : { ...entry.guidance, evidence })
      count += 1
    }
  }
  take('opportunity', OPPORTUNITIES)
  take('excellence', EXCELLENCES)
  return guidance
}
