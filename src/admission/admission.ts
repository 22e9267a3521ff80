import type { Budgets } from './budgets.js'
import { DayBudgets } from './day-budgets.js'
import { FairSlots, type Places, type SlotsLoad } from './fair-slots.js'
import { inMemory, type LimiterOf } from './limiters.js'
import { LoopShare } from './loop-share.js'
import { LoopTurns } from './loop-turns.js'
import { RateLimit } from './rate-limit.js'
import { RequestRate, type RequestRateSettings } from './request-rate.js'
import type { Requester } from './requester.js'
import { SharedDayBudgets } from './shared-day-budgets.js'
import type { SharedLimits } from './shared-limits.js'
import { OneOfAKey } from './one-of-a-key.js'
import { type Share, Shares } from './shares.js'
import { takeShared } from './take-shared.js'

const MIB = 1024 * 1024

/** What an operator can set about it. */
export interface AdmissionSettings extends RequestRateSettings {
  /** Heavy questions that wait, of one project and of one key. */
  readonly maxWaitingQuestions: number
  readonly maxWaitingQuestionsPerKey: number
  /** Most bytes of one record of an import. */
  readonly maxImportLineBytes: number
  /** Open MCP sessions and streams: of all, of one project (default half of all) and of one key. */
  readonly maxSessions: number
  readonly maxSessionsPerProject?: number | undefined
  readonly maxSessionsPerKey: number
  /** Bytes of the largest body of a question, and of all bodies under way together. */
  readonly maxBodyBytes: number
  readonly maxBodyBytesUnderWay: number
}

/**
 * Light questions of one project answered at once. The thread that answers works on one at a time, and what one waits for is
 * mostly the engine: more at once answers no more of them (measured with 1, 2, 3 and any number), but each keeps the engine, and its pieces on
 * that thread are ahead of what others ask.
 */
const LIGHT_PLACES_OF_PROJECT = 2

/** Heavy questions answered at once: two of one project, and one for who has none. */
const HEAVY_PLACES = 3

/** Uploads of calls of one project at once. */
const UPLOADS_OF_PROJECT = 6

/** Of what is counted, one in so many is kept for projects that have none. */
const ONE_KEPT_OF = 8

/** A document of a knowledge base, the largest body there is. */
const LARGEST_BODY_BYTES = 34 * 1024 * 1024

/** A body that who has none under way may always send: any call of a tool. */
const SMALL_BODY_BYTES = 256 * 1024

/** Seconds: sessions last longer than questions. */
const SESSION_RETRY_S = 30

/**
 * Everything scarce that callers share, in one place: each is taken by project first and by key second, and a project
 * that has none of it finds some.
 */
export class Admission {
  /** Places for questions, until they turn out to read much; and for those that do. */
  readonly lightQuestions = new FairSlots({
    what: 'questions',
    places: Infinity,
    placesOfProject: LIGHT_PLACES_OF_PROJECT,
    // How many there are is bounded by the connections and by the rate.
    waitingOfKey: Infinity,
    waitingOfProject: Infinity,
  })
  readonly heavyQuestions: Places
  readonly #heavyHere: FairSlots
  /** Uploads of calls under way. */
  readonly #uploads = new Shares({
    what: 'uploads of calls at once',
    all: 24,
    ofProject: UPLOADS_OF_PROJECT,
    ofKey: UPLOADS_OF_PROJECT,
    kept: 6,
  })
  /** Readings of all calls under way: each holds a page of them while its client takes it. */
  readonly bulkReads = new Shares({ what: 'bulk reads at once', all: 16, ofProject: 4, ofKey: 2, kept: 4 })
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

  /** Time of the thread that answers, for reading pipelines of callers. */
  readonly pipelineReading = new LoopShare('pipelines to be read')

  /** Turns of the thread that answers. */
  readonly turns = new LoopTurns()

  /** Requests a minute. */
  readonly rate: RequestRate

  /** What keys with a budget of their own have had today. */
  readonly budgets: Budgets
  readonly #sharedBudgets: SharedDayBudgets | undefined
  readonly #shared: SharedLimits | undefined
  readonly #limiterOf: LimiterOf

  /** Open MCP sessions and streams. */
  readonly sessions: Shares

  /** People signed in to the console: many may share a key, and nobody signs everyone else out. */
  readonly consoleSessions = new Shares({
    what: 'people signed in to the console',
    all: 4_096,
    ofProject: 1_024,
    ofKey: 128,
    kept: 512,
    retryAfterSeconds: SESSION_RETRY_S,
  })

  /** Pages of the console that are told of new calls. */
  readonly livePages = new Shares({
    what: 'pages that are told of new calls',
    all: 512,
    ofProject: 128,
    ofKey: 32,
    kept: 64,
    retryAfterSeconds: SESSION_RETRY_S,
  })

  /** Bytes of bodies that are being read or worked on, in memory. */
  readonly bodies: Shares

  /** @param shared what is counted of all processes of a store together; absent: all of it of this one */
  constructor(settings: AdmissionSettings, shared?: SharedLimits) {
    const { maxWaitingQuestions, maxWaitingQuestionsPerKey, maxSessions, maxImportLineBytes: record } = settings
    this.#shared = shared
    this.#limiterOf = shared?.limiterOf ?? inMemory
    this.#sharedBudgets = shared && new SharedDayBudgets(shared.spent)
    this.budgets = this.#sharedBudgets ?? new DayBudgets()
    this.rate = new RequestRate(settings, this.#limiterOf)
    this.unfinishedRecords = new Shares({
      what: 'bytes of unfinished records in uploads',
      all: 8 * record,
      ofProject: 2 * record + MIB,
      ofKey: 2 * record + MIB,
      // A chunk may come on top of a record that is as long as it may be.
      first: record + MIB,
    })
    this.sessions = new Shares({
      what: 'open sessions',
      all: maxSessions,
      ofProject: settings.maxSessionsPerProject ?? Math.ceil(maxSessions / 2),
      ofKey: settings.maxSessionsPerKey,
      kept: Math.floor(maxSessions / ONE_KEPT_OF),
      retryAfterSeconds: SESSION_RETRY_S,
    })
    const all = settings.maxBodyBytesUnderWay
    const largest = Math.max(settings.maxBodyBytes, LARGEST_BODY_BYTES)
    this.bodies = new Shares({
      what: 'bytes of requests under way',
      all,
      ofProject: Math.max(Math.floor(all / 2), largest),
      ofKey: Math.max(Math.floor(all / 4), largest),
      kept: Math.floor(all / ONE_KEPT_OF),
      first: SMALL_BODY_BYTES,
    })
    const queues = { waitingOfKey: maxWaitingQuestionsPerKey, waitingOfProject: maxWaitingQuestions }
    this.#heavyHere = new FairSlots({ what: 'heavy questions', places: HEAVY_PLACES, placesOfKey: 1, ...queues })
    this.heavyQuestions =
      shared === undefined ? this.#heavyHere : new OneOfAKey('heavy questions', queues, this.#heavyHere, shared.leases)
  }

  /** So many takes a minute of what is named by a key. @param what as messages say it: see RateLimit */
  rateLimit(limit: number, what: string): RateLimit {
    return new RateLimit(limit, what, this.#limiterOf)
  }

  /** A place for an upload of calls. @throws Problem as Shares do */
  async takeUpload(requester: Requester): Promise<Share> {
    const here = this.#uploads.take(requester)
    if (this.#shared === undefined) return here
    return await takeShared(here, this.#shared.leases, {
      prefix: `uploads ${requester.project}`,
      places: UPLOADS_OF_PROJECT,
      refusal: () => this.#uploads.refusal('project'),
    })
  }

  /** Tells the store what it was not told of yet. */
  async close(): Promise<void> {
    await this.#sharedBudgets?.flush()
  }

  /** What is taken of what is counted, by what it is, for the metrics too. */
  shares(): Readonly<Record<string, number>> {
    return {
      sessions: this.sessions.taken,
      console_sessions: this.consoleSessions.taken,
      live_pages: this.livePages.taken,
      uploads: this.#uploads.taken,
      body_bytes: this.bodies.taken,
    }
  }

  /** What runs and waits, by what it is, for the metrics: nothing here tells of a project or a key. */
  slots(): Readonly<Record<string, SlotsLoad>> {
    return { light_questions: this.lightQuestions.load, heavy_questions: this.#heavyHere.load }
  }
}
