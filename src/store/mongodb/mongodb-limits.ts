import type { Db } from 'mongodb'
import { RateLimiterMemory, RateLimiterMongo, RateLimiterRes } from 'rate-limiter-flexible'
import { z } from 'zod'
import type { DayBudget, DaySpent } from '../../admission/day-budgets.js'
import type { LimiterOf } from '../../admission/limiters.js'
import type { SpentStore } from '../../admission/shared-limits.js'
import { within } from '../../base/within.js'
import { isDuplicateKey, type MongoDatabase } from './mongodb-database.js'

const SPENT = 'day_spent'
export const RATES = 'request_rates'

/** Longest that a request waits to be counted, in milliseconds: beyond it this process counts by itself. */
const COUNT_MS = 1_000
/** A day, wherever it begins, and time to be read after it. Milliseconds. */
const KEPT_MS = 3 * 24 * 60 * 60 * 1000

/**
 * Counts requests in the store, of all processes together. Who is over the limit is remembered here until the window ends, and
 * where the store does not answer each process counts by itself: it is what else a request needs that says so.
 */
export function mongoLimiters(db: Db): LimiterOf {
  // A count that is lost with a server lets a few more in; the answer must not wait for a majority.
  const counting = db.client.db(db.databaseName, { writeConcern: { w: 1 } })
  return ({ name, points, duration }) => {
    const together = new RateLimiterMongo({
      storeClient: counting,
      tableName: RATES,
      keyPrefix: name,
      points,
      duration,
      inMemoryBlockOnConsumed: points + 1,
      disableIndexesCreation: true,
    })
    const alone = new RateLimiterMemory({ points, duration })
    return {
      consume: async key => {
        const counted = together.consume(key).catch((error: unknown) => {
          if (error instanceof RateLimiterRes) throw error
          return undefined
        })
        return (await within(COUNT_MS, counted, () => undefined)) ?? (await alone.consume(key))
      },
    }
  }
}

const kept = z.object({ questions: z.number(), bytes: z.number(), work_ms: z.number() })

const idOf = (keyId: string, day: string) => `${keyId} ${day}`

/** Keeps what keys spent of a day. */
export class MongoSpent implements SpentStore {
  readonly #database: MongoDatabase

  constructor(database: MongoDatabase) {
    this.#database = database
  }

  async take(
    keyId: string,
    day: string,
    budget: DayBudget,
  ): Promise<{ readonly spent: DaySpent; readonly may: boolean }> {
    const _id = idOf(keyId, day)
    const under: Readonly<Record<string, object>> = Object.fromEntries(
      Object.entries(budget).map(([what, bound]) => [what, { $lt: bound }]),
    )
    for (;;) {
      try {
        // oxlint-disable-next-line no-await-in-loop -- once more where two began the day at once
        const found = await this.#database.writing(SPENT).findOneAndUpdate(
          { _id, ...under },
          {
            $inc: { questions: 1 },
            $setOnInsert: { bytes: 0, work_ms: 0, until: new Date(Date.now() + KEPT_MS) },
          },
          { upsert: true, returnDocument: 'after' },
        )
        return { spent: { day, ...kept.parse(found) }, may: true }
      } catch (error) {
        if (!isDuplicateKey(error)) throw error
      }
      // oxlint-disable-next-line no-await-in-loop -- as above
      const spent = (await this.#of(keyId, day)) ?? { day, questions: 0, bytes: 0, work_ms: 0 }
      const isOver = (['questions', 'bytes', 'work_ms'] as const).some(
        what => spent[what] >= (budget[what] ?? Infinity),
      )
      if (isOver) return { spent, may: false }
    }
  }

  async add(keyId: string, { day, ...counts }: DaySpent): Promise<void> {
    const set = { $inc: { ...counts }, $setOnInsert: { until: new Date(Date.now() + KEPT_MS) } }
    await this.#database.writing(SPENT).updateOne({ _id: idOf(keyId, day) }, set, { upsert: true })
  }

  /** What a key has had of a day, undefined where that is nothing. */
  async #of(keyId: string, day: string): Promise<DaySpent | undefined> {
    const found = await this.#database.reading(SPENT).findOne({ _id: idOf(keyId, day) })
    return found === null ? undefined : { day, ...kept.parse(found) }
  }
}
