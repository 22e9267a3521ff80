import type { Document as BsonDocument } from 'bson'
import { type Collection, type Db, MongoError, MongoServerError } from 'mongodb'
import { storeProblem } from './connect.js'
import { MongoVersions } from './mongodb-versions.js'

const DUPLICATE_KEY = 11_000

/** Whether a write was refused because its id, or what else there is one of, is taken. */
export const isDuplicateKey = (error: unknown): boolean =>
  error instanceof MongoServerError && error.code === DUPLICATE_KEY

/** Any document with an id of ours. */
export interface Kept extends BsonDocument {
  readonly _id: string
}

/** What reads, and changes nothing. */
type Readable<T extends BsonDocument> = Pick<Collection<T>, 'find' | 'findOne' | 'countDocuments' | 'aggregate'>

/** The collections of a store, of which this process may read all, and write as long as the store is its own. */
export class MongoDatabase {
  /** Numbers of the kinds of records, which whoever writes one raises. */
  readonly versions: MongoVersions
  readonly #db: Db
  readonly #mayWrite: () => void

  /** @param mayWrite throws where this process may not write any more */
  constructor(db: Db, mayWrite: () => void = () => undefined) {
    this.#db = db
    this.versions = new MongoVersions(db)
    this.#mayWrite = mayWrite
  }

  reading<T extends BsonDocument = Kept>(name: string): Readable<T> {
    return this.#db.collection<T>(name)
  }

  /** Asked for anew with each write. @throws Problem `store_unavailable` */
  writing<T extends BsonDocument = Kept>(name: string): Collection<T> {
    this.#mayWrite()
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
          throw error instanceof MongoError ? storeProblem(error, where) : error
        })
      }
    },
  })
}
