import { otherWork } from '../base/other-work.js'
import type { Projects } from '../access/projects.js'
import type { Events, NewFeedback } from '../events/events.js'
import type { FeedbackRecord } from '../store/records/feedback.js'
import type { FeedbackRestored, KeptFeedback } from '../store/event-store.js'
import type { Store } from '../store/store.js'
import { maskingOf } from '../store/records/project.js'
import { type MaskCounts, type Masking, noMasks, onlyKinds } from '../redact/mask.js'

interface Parts {
  readonly store: {
    readonly calls: Pick<Store['calls'], 'languages'>
    readonly events: Pick<Store['events'], 'feedback'>
  }
  readonly events: Pick<Events, 'addFeedback'>
  readonly projects: Pick<Projects, 'get'>
}

/** What somebody says of a call. */
type Said = Pick<KeptFeedback, 'session_id'> & { readonly text?: string | undefined }

/**
 * The one way of feedback into a project: as people give it, and out of the export of a project. What is masked in calls
 * is masked in it, before anything is stored.
 */
export class FeedbackIntake {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /**
   * Keeps feedback on a call as the project's setting says, and raises feedback.created, both or neither. Undefined when
   * the call is not there.
   */
  async give(feedback: NewFeedback): Promise<FeedbackRecord | undefined> {
    const { events, projects } = this.#parts
    const project = projects.get(feedback.project_id)
    const redact = maskingOf(project)
    if (redact === false) return await events.addFeedback(feedback)
    const mask = await this.#masking(project.project_id, [feedback], redact, noMasks())
    return await events.addFeedback(mask(feedback))
  }

  /**
   * Keeps feedback as it was given once, and tells nobody. What is there already stays as it is.
   *
   * @param redact which personal data the import masks, as with its calls
   */
  async restore(
    projectId: string,
    feedback: readonly KeptFeedback[],
    redact: Masking,
  ): Promise<FeedbackRestored & { readonly masked?: MaskCounts }> {
    const restoring = this.#parts.store.events.feedback
    if (redact === false) return await restoring.restore(projectId, feedback)
    const masked = noMasks()
    const mask = await this.#masking(projectId, feedback, redact, masked)
    const kept: KeptFeedback[] = []
    for (const one of feedback) {
      kept.push(mask(one))
      // Up to 25 ms for a text that is made to take long (measured).
      // oxlint-disable-next-line no-await-in-loop
      await otherWork()
    }
    return { ...(await restoring.restore(projectId, kept)), masked }
  }

  /** What masks feedback on these calls. @param counts grows by the places it masks */
  async #masking(
    projectId: string,
    feedback: readonly Pick<KeptFeedback, 'session_id'>[],
    redact: Exclude<Masking, false>,
    counts: MaskCounts,
  ): Promise<<T extends Said>(one: T) => T> {
    // What it takes to know telephone numbers, a service that masks nothing does without.
    const { redactFeedback } = await import('../redact/redact-feedback.js')
    const ids = new Set(feedback.map(({ session_id }) => session_id))
    const languages = await this.#parts.store.calls.languages(projectId, [...ids])
    const only = onlyKinds(redact)
    return one => redactFeedback(one, languages.get(one.session_id), counts, only)
  }
}
