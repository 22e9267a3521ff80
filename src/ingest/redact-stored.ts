import type { Threads, Turn } from '../admission/threads.js'
import { otherWork } from '../base/other-work.js'
import { addMasks, type MaskCounts, type MaskKind, maskKinds, noMasks } from '../redact/mask.js'
import { redactFeedback } from '../redact/redact-feedback.js'
import type { FeedbackPlace, FeedbackStore } from '../store/event-store.js'
import type { CallStore, StoredTexts, WrittenPlace } from '../store/store.js'
import { REDACT_TEXTS } from './redact-texts.js'

/** Calls that a thread masks in one go: some tens of milliseconds of usual ones. */
const CALLS_AT_ONCE = 64
const FEEDBACK_AT_ONCE = 500

export interface RedactStoredOptions {
  readonly calls: Pick<CallStore, 'countTexts' | 'texts' | 'writeTexts' | 'languages'>
  readonly feedback: Pick<FeedbackStore, 'page' | 'reword'>
  readonly threads: Pick<Threads, 'run'>
  readonly turn: Turn
  readonly projectId: string
  readonly kinds: readonly MaskKind[]
  /** Nothing is written: it is counted what would be. */
  readonly dryRun: boolean
  readonly onProgress: (progress: { readonly done: number; readonly total: number }) => Promise<void>
}

export interface RedactedStore {
  /** Calls that were looked at. */
  readonly looked: number
  /** Of these, calls in which something is masked now, or would be. */
  readonly masked: number
  /** Not written: under a legal hold, or replaced while they were looked at. */
  readonly left: number
  readonly feedback: number
  /** Places, and calls that have such, by kind. */
  readonly places: MaskCounts
  readonly calls: MaskCounts
}

/**
 * Masks the texts of calls that are stored already, and what people said of them, as an import with masking does. What is masked
 * is written as it goes; masked again it stays as it is, so that a run that was cut off is gone on with by running it again.
 */
export async function redactStored(options: RedactStoredOptions): Promise<RedactedStore> {
  const { calls, projectId, kinds, dryRun, threads, turn, onProgress } = options
  const { count, last } = await calls.countTexts(projectId)
  const [places, having] = [noMasks(), noMasks()]
  let looked = 0
  let masked = 0
  let left = 0
  let after: WrittenPlace | undefined
  // oxlint-disable no-await-in-loop -- some after the others
  for (;;) {
    turn.signal?.throwIfAborted()
    const page = await calls.texts(projectId, after, last)
    after = page.at(-1)
    if (after === undefined) break
    for (let from = 0; from < page.length; from += CALLS_AT_ONCE) {
      const some = page.slice(from, from + CALLS_AT_ONCE)
      const found = await threads.run(REDACT_TEXTS, { calls: some.map(({ json }) => json), kinds }, turn)
      const changed = some.flatMap((call, i): StoredTexts[] => {
        const json = found.changed[i]
        return json === undefined ? [] : [{ ...call, json }]
      })
      const written = dryRun ? changed.length : (await calls.writeTexts(projectId, changed)).length
      addMasks(places, found.places)
      addMasks(having, found.calls)
      masked += written
      left += changed.length - written
      looked += some.length
      await onProgress({ done: Math.min(looked, count), total: count })
    }
  }
  // oxlint-enable no-await-in-loop
  const feedback = await redactStoredFeedback(options, places)
  return { looked, masked, left, feedback, places, calls: having }
}

async function redactStoredFeedback(options: RedactStoredOptions, counts: MaskCounts): Promise<number> {
  const { calls, feedback, projectId, kinds, dryRun, turn } = options
  const only = new Set(kinds)
  let changed = 0
  let after: FeedbackPlace | undefined
  // oxlint-disable no-await-in-loop -- a page after the other
  for (;;) {
    turn.signal?.throwIfAborted()
    const page = await feedback.page(projectId, after, FEEDBACK_AT_ONCE)
    after = page.at(-1)
    if (after === undefined) return changed
    const languages = await calls.languages(projectId, [...new Set(page.map(({ session_id: id }) => id))])
    const reworded = []
    for (const said of page) {
      const one = noMasks()
      const kept = redactFeedback(said, languages.get(said.session_id), one, only)
      if (maskKinds.some(kind => one[kind] > 0)) reworded.push(kept)
      addMasks(counts, one)
      await otherWork()
    }
    if (!dryRun && reworded.length > 0) await feedback.reword(projectId, reworded)
    changed += reworded.length
  }
  // oxlint-enable no-await-in-loop
}
