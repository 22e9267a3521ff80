import { Problem } from '../../base/problem.js'
import type { AuditChainStore } from '../audit-chains.js'
import type { Fingerprint } from '../shared-extras.js'
import { connectStore } from './connect.js'
import { MongoAuditChains } from './mongodb-audit-chains.js'
import { inSentences, MongoDatabase } from './mongodb-database.js'
import { MongoFingerprints } from './mongodb-fingerprints.js'
import { selectionMs } from './mongodb-leases.js'
import { MongoStore, type MongoStoreOptions } from './mongodb-store.js'
import { isOfServer, storeProblem } from './store-problem.js'

interface OpenOptions extends Pick<MongoStoreOptions, 'rest' | 'leaseMs'> {
  /** Refuses a database in which no store was begun: most likely it is the wrong one. */
  readonly mustBeThere?: boolean
}

/**
 * Opens the store of a MongoDB server's address, beside whoever else has it. Rejects with a Problem whose sentence is for the
 * operator: see `connectStore`; there is none.
 */
export async function openMongoStore(
  url: string,
  { mustBeThere = false, ...options }: OpenOptions = {},
): Promise<MongoStore> {
  const isSaid = /[?&]serverSelectionTimeoutMS=/i.test(url)
  const connection = await connectStore(url, isSaid ? {} : { selectionMs: selectionMs(options.leaseMs) })
  try {
    if (mustBeThere && !(await MongoStore.isBegun(connection))) {
      throw new Problem(
        'not_found',
        `There is no store at ${connection.where}. Name yours with EARSHOT_STORE_URL; "earshot project create" and "earshot serve" begin a new one`,
      )
    }
    return await MongoStore.open(connection, options)
  } catch (error) {
    await connection.client.close()
    // As in an election, where nothing is made.
    throw isOfServer(error) ? storeProblem(error, connection.where) : error
  }
}

/** What there is at an address; nothing is taken or made. Rejects as `connectStore` does. */
export async function lookAtMongoStore(url: string): Promise<{
  readonly where: string
  readonly isBegun: boolean
  readonly fingerprints: ReadonlyMap<string, Fingerprint>
}> {
  const connection = await connectStore(url)
  try {
    const isBegun = await MongoStore.isBegun(connection)
    const fingerprints = await new MongoFingerprints(new MongoDatabase(connection.db)).all()
    return { where: connection.where, isBegun, fingerprints }
  } finally {
    await connection.client.close()
  }
}

/** Reads the audit trail of a store, whoever writes it meanwhile. Rejects as `connectStore` does. */
export async function readAuditChains<T>(url: string, read: (chains: AuditChainStore) => Promise<T>): Promise<T> {
  const connection = await connectStore(url)
  try {
    return await read(inSentences(new MongoAuditChains(new MongoDatabase(connection.db)), connection.where))
  } finally {
    await connection.client.close()
  }
}
