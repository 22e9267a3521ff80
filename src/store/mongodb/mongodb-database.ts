import { AsyncLocalStorage } from 'node:async_hooks'
import type { Document as BsonDocument } from 'bson'
import { type Collection, type Db, MongoServerError } from 'mongodb'
import { Problem } from '../../base/problem.js'
import type { Lease } from '../leases.js'
import { MongoVersions } from './mongodb-versions.js'
import { isOfServer, storeProblem } from './store-problem.js'

const DUPLICATE_KEY = 11_000

/** Whether a write was refused because its id, or what else there is one of, is taken. */
export const isDuplicateKey = (error: unknown): boolean =>
  error instanceof MongoServerError && error.code === DUPLICATE_KEY

/** Another process took over what is written while this one stalled. */
export class TakenOver extends Problem {
  constructor() {
    super('store_unavailable', 'Nothing is written to the store: another process has taken this over meanwhile')
  }
}

/**
 * What nobody wrote to under a higher fence. An insert where it does not match finds the id taken: so a process that stalled between
 * asking whether it may write and writing overwrites nothing.
 */
export const upTo = (fence: number) => ({ fence: { $not: { $gt: fence } } })

/** Of what is written up to a fence. @throws Problem `store_unavailable` where somebody wrote under a higher one */
export async function unlessTakenOver<T>(written: Promise<T>): Promise<T> {
  try {
    return await written
  } catch (error) {
    throw isDuplicateKey(error) ? new TakenOver() : error
  }
}

/** Any document with an id of ours. */
export interface Kept extends BsonDocument {
  readonly _id: string
}

/** What reads, and changes nothing. */
type Readable<T extends BsonDocument> = Pick<Collection<T>, 'find' | 'findOne' | 'countDocuments' | 'aggregate'>

/** Work that is done under a lease; what it left behind, such as a timer, is no more part of it. */
interface Guarded {
  readonly outer: Guarded | undefined
  readonly lease: Pick<Lease, 'mayWrite' | 'fence'>
  /** The turn that it is, where it is one. */
  readonly turn: string | undefined
  isOver: boolean
}

/** The collections of a store. What is written under a lease is written as long as that holds, and no longer. */
export class MongoDatabase {
  /** Numbers of the kinds of records, which whoever writes one raises. */
  readonly versions: MongoVersions
  readonly #db: Db
  readonly #guarded = new AsyncLocalStorage<Guarded>()

  constructor(db: Db) {
    this.#db = db
    this.versions = new MongoVersions(db)
  }

  reading<T extends BsonDocument = Kept>(name: string): Readable<T> {
    return this.#db.collection<T>(name)
  }

  /** Does work whose writes are all made under a lease. @param turn its name among turns, where it is one */
  async under<T>(lease: Pick<Lease, 'mayWrite' | 'fence'>, work: () => Promise<T>, turn?: string): Promise<T> {
    const guarded: Guarded = { outer: this.#guarded.getStore(), lease, turn, isOver: false }
    return await this.#guarded.run(guarded, async () => {
      try {
        return await work()
      } finally {
        guarded.isOver = true
      }
    })
  }

  /** The fence of the turn of a name, or of a project's of that name, in which this is asked. */
  fenceOf(turn: string): number | undefined {
    for (let one = this.#guarded.getStore(); one !== undefined; one = one.outer) {
      const isMeant = one.turn === turn || one.turn?.startsWith(`${turn} `) === true
      if (isMeant && !one.isOver) return one.lease.fence
    }
    return undefined
  }

  /** Asked for anew with each write. @throws Problem `store_unavailable` where a lease that it is made under is lost */
  writing<T extends BsonDocument = Kept>(name: string): Collection<T> {
    for (let one = this.#guarded.getStore(); one !== undefined; one = one.outer) {
      if (!one.isOver) one.lease.mayWrite()
    }
    return this.#db.collection<T>(name)
  }
}

/**
 * A part of the store as others see it: where its server fails, that is told in a sentence for the operator, whatever was asked.
 * @param where the store is, for the sentence
 */
export function inSentences<T extends object>(part: T, where: string): T {
  return new Proxy(part, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value === 'object' && value !== null) return inSentences(value, where)
      if (typeof value !== 'function') return value
      return (...asked: unknown[]): unknown => {
        const answer: unknown = Reflect.apply(value, target, asked)
        if (!(answer instanceof Promise)) return answer
        return answer.catch((error: unknown) => {
          throw isOfServer(error) ? storeProblem(error, where) : error
        })
      }
    },
  })
}
