import { FairSlots, type SlotsLoad } from './fair-slots.js'
import { Shares } from './shares.js'

const MIB = 1024 * 1024

/** What an operator can set about it. */
export interface AdmissionSettings {
  /** Heavy questions that wait, of one project and of one key. */
  readonly maxWaitingQuestions: number
  readonly maxWaitingQuestionsPerKey: number
  /** Most bytes of one record of an import. */
  readonly maxImportLineBytes: number
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
  /** Bytes that uploads hold of records that are not whole, and of records that wait to be written. */
  readonly unfinishedRecords: Shares
  readonly unwrittenRecords = new Shares({
    what: 'bytes of records to be written',
    all: 128 * MIB,
    ofProject: 48 * MIB,
    ofKey: 48 * MIB,
    kept: 32 * MIB,
    first: 0,
  })

  constructor({ maxWaitingQuestions, maxWaitingQuestionsPerKey, maxImportLineBytes: record }: AdmissionSettings) {
    this.unfinishedRecords = new Shares({
      what: 'bytes of unfinished records in uploads',
      all: 8 * record,
      ofProject: 2 * record + MIB,
      ofKey: 2 * record + MIB,
      // A chunk may come on top of a record that is as long as it may be.
      first: record + MIB,
    })
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
