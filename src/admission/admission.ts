import { FairSlots, type SlotsLoad } from './fair-slots.js'
import { Shares } from './shares.js'

/** What an operator can set about it. */
export interface AdmissionSettings {
  /** Heavy questions that wait, of one project and of one key. */
  readonly maxWaitingQuestions: number
  readonly maxWaitingQuestionsPerKey: number
}

/** Heavy questions answered at once: two of one project, and one for who has none. */
export const HEAVY_PLACES = 3

/**
 * Everything scarce that callers share, in one place: each is taken by project first and by key second, and a project
 * that has none of it finds some.
 */
export class Admission {
  /** Places for questions that read much. */
  readonly heavyQuestions: FairSlots
  /** Uploads of calls under way. */
  readonly uploads = new Shares({ what: 'uploads of calls at once', all: 24, ofProject: 6, ofKey: 6, kept: 6 })

  constructor({ maxWaitingQuestions, maxWaitingQuestionsPerKey }: AdmissionSettings) {
    this.heavyQuestions = new FairSlots({
      what: 'heavy questions',
      places: HEAVY_PLACES,
      placesOfKey: 1,
      waitingOfKey: maxWaitingQuestionsPerKey,
      waitingOfProject: maxWaitingQuestions,
    })
  }

  /** What runs and waits, by what it is, for the metrics: nothing here tells of a project or a key. */
  slots(): Readonly<Record<string, SlotsLoad>> {
    return { heavy_questions: this.heavyQuestions.load }
  }
}
