import type { ThreadWork } from '../admission/threads.js'
import { addMasks, type MaskCounts, type MaskKind, maskKinds, noMasks } from '../redact/mask.js'
import { redactRecord } from '../redact/redact-record.js'

/** Texts of stored calls, as JSON. */
interface RedactTask {
  readonly calls: readonly string[]
  readonly kinds: readonly MaskKind[]
}

export interface RedactedTexts {
  /** Of each call, in their order: its texts as JSON where something was masked. */
  readonly changed: readonly (string | undefined)[]
  /** Places that were masked, and calls that have such, by kind. */
  readonly places: MaskCounts
  readonly calls: MaskCounts
}

/** Masks what is stored, in a thread. */
export const REDACT_TEXTS: ThreadWork<RedactTask, RedactedTexts> = { name: 'redactTexts', deadlineMs: 60_000 }

/** What a thread runs. */
export function redactTexts({ calls, kinds }: RedactTask): RedactedTexts {
  const only = new Set(kinds)
  const [places, having] = [noMasks(), noMasks()]
  const changed = calls.map(json => {
    const record = JSON.parse(json) as Record<string, unknown>
    const counts = redactRecord(record, only)
    addMasks(places, counts)
    for (const kind of maskKinds) if (counts[kind] > 0) having[kind] += 1
    return maskKinds.some(kind => counts[kind] > 0) ? JSON.stringify(record) : undefined
  })
  return { changed, places, calls: having }
}
