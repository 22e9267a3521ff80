import { setTimeout } from 'node:timers/promises'
import { Problem } from '../../base/problem.js'
import { StoreHeld } from '../store-held.js'
import type { AuditChainStore } from '../audit-chains.js'
import type { Fingerprint } from '../shared-extras.js'
import { connectStore, type StoreConnection } from './connect.js'
import { MongoAuditChains } from './mongodb-audit-chains.js'
import { inSentences, MongoDatabase } from './mongodb-database.js'
import { MongoFingerprints } from './mongodb-fingerprints.js'
import { MongoStore, type MongoStoreOptions } from './mongodb-store.js'
import { StoreLease } from './store-lease.js'

/** Between two looks whether a store is free, in milliseconds. */
const HELD_RETRY_MS = 1_000

interface OpenOptions extends Pick<MongoStoreOptions, 'rest'> {
  /** Refuses a database in which no store was begun: most likely it is the wrong one. */
  readonly mustBeThere?: boolean
  /** How long a store that another process has is waited for, in milliseconds; absent = not at all. */
  readonly heldWaitMs?: number
  /** Hears who has it, when it has to be waited for. */
  readonly onWait?: (sentence: string) => void
}

/**
 * Opens the store of a MongoDB server's address for this process alone. Rejects with a Problem whose sentence is for the operator:
 * see `connectStore`; another process has the store; there is none.
 */
export async function openMongoStore(
  url: string,
  { mustBeThere = false, heldWaitMs = 0, onWait = () => undefined, ...options }: OpenOptions = {},
): Promise<MongoStore> {
  const connection = await connectStore(url)
  try {
    if (mustBeThere && !(await MongoStore.isBegun(connection))) {
      throw new Problem(
        'not_found',
        `There is no store at ${connection.where}. Name yours with EARSHOT_STORE_URL; "earshot project create" and "earshot serve" begin a new one`,
      )
    }
    const lease = await taken(connection, heldWaitMs, onWait)
    const ending = () => lease.release()
    return await MongoStore.open(connection, { ...options, mayWrite: lease.mayWrite, ending }).catch(
      async (error: unknown) => {
        await ending()
        throw error
      },
    )
  } catch (error) {
    await connection.client.close()
    throw error
  }
}

/** What there is at an address; nothing is taken or made. Rejects as `connectStore` does. */
export async function lookAtMongoStore(url: string): Promise<{
  readonly where: string
  readonly isBegun: boolean
  /** Who has it, in a sentence. */
  readonly heldBy: string | undefined
  readonly fingerprints: ReadonlyMap<string, Fingerprint>
}> {
  const connection = await connectStore(url)
  try {
    const isBegun = await MongoStore.isBegun(connection)
    const fingerprints = await new MongoFingerprints(new MongoDatabase(connection.db)).all()
    return { where: connection.where, isBegun, heldBy: (await StoreLease.heldBy(connection))?.message, fingerprints }
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

async function taken(
  connection: StoreConnection,
  waitMs: number,
  onWait: (sentence: string) => void,
): Promise<StoreLease> {
  const until = performance.now() + waitMs
  for (let isTold = false; ; isTold = true) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- until it is free
      return await StoreLease.take(connection)
    } catch (error) {
      if (!(error instanceof StoreHeld) || performance.now() >= until) throw error
      if (!isTold) onWait(error.message)
    }
    // oxlint-disable-next-line no-await-in-loop -- until it is free
    await setTimeout(HELD_RETRY_MS)
  }
}
