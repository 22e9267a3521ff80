import { type Db, MongoClient, type MongoClientOptions, ReadPreference } from 'mongodb'
import { Problem } from '../../base/problem.js'
import { checkShardKeys } from './check-shard-keys.js'
import { storeProblem } from './store-problem.js'

/** Where a server's wire protocol is that of MongoDB 7.0. */
const LEAST_WIRE_VERSION = 21
/** Milliseconds until a store that does not answer is said not to. */
const SELECTION_MS = 10_000
/** How far a server's clock may be from ours, in milliseconds: leases are told to be over by both. */
const CLOCK_MS = 60_000
const DEFAULT_DATABASE = 'earshot'

/** A store's server, with the one database of it that Earshot keeps everything in. */
export interface StoreConnection {
  readonly client: MongoClient
  readonly db: Db
  /** Where it is, as an operator may read it: hosts and database, no name and no password. */
  readonly where: string
}

export interface ConnectOptions {
  /** Milliseconds until a server that does not answer is given up. */
  readonly selectionMs?: number | undefined
}

/**
 * Opens a client of a store's server and asks whether it can be the store. Rejects with a Problem whose sentence is for the
 * operator and holds no password: the address is wrong, nobody answers, the name or the password is not taken, the server is
 * too old, lets anybody in, or has another time. What is written is acknowledged by a majority, and read from where it was.
 */
export async function connectStore(url: string, { selectionMs }: ConnectOptions = {}): Promise<StoreConnection> {
  const client = clientOf(url, selectionMs)
  const hosts = client.options.srvHost ?? client.options.hosts.map(String).join(', ')
  // The driver's own default is "test".
  const db = client.db(namesDatabase(url) ? client.options.dbName : DEFAULT_DATABASE)
  const where = `${hosts}/${db.databaseName}`
  try {
    await client.connect()
    await check(db, where)
    return { client, db, where }
  } catch (error) {
    await client.close().catch(() => undefined)
    throw error instanceof Problem ? error : storeProblem(error, where)
  }
}

function clientOf(url: string, selectionMs: number | undefined): MongoClient {
  const options: MongoClientOptions = {
    appName: 'earshot',
    writeConcern: { w: 'majority' },
    readPreference: ReadPreference.primary,
    ignoreUndefined: true,
    ...((selectionMs !== undefined || !/[?&]serverSelectionTimeoutMS=/i.test(url)) && {
      serverSelectionTimeoutMS: selectionMs ?? SELECTION_MS,
    }),
  }
  try {
    return new MongoClient(url, options)
  } catch {
    // What the driver says of it may repeat it.
    throw new Problem(
      'invalid_input',
      'The address of the store is not one of MongoDB, such as mongodb://user:password@db1.example.com,db2.example.com/earshot?replicaSet=rs0&tls=true; special characters in a name or password are written as in %40, and options are those of its connection strings',
    )
  }
}

const namesDatabase = (url: string) => /^mongodb(?:\+srv)?:\/\/[^/?]*\/[^?]/i.test(url)

/** What a server says of itself, as far as it is looked at; others say less than MongoDB does. */
interface Hello {
  readonly maxWireVersion?: number
  readonly isWritablePrimary?: boolean
  readonly localTime?: Date
  /** "isdbgrid" of a router of a sharded cluster. */
  readonly msg?: string
}

async function check(db: Db, where: string): Promise<void> {
  const admin = db.client.db('admin')
  const asked = Date.now()
  const hello = (await admin.command({ hello: 1 })) as Hello
  const answered = Date.now()
  if ((hello.maxWireVersion ?? 0) < LEAST_WIRE_VERSION) {
    const version = await versionOf(db)
    throw new Problem(
      'store_unavailable',
      `The store at ${where} is ${version}; it has to be MongoDB 7.0 or later, or one that speaks as it does`,
    )
  }
  const clock = hello.localTime?.getTime() ?? asked
  const ahead = clock > answered ? clock - answered : Math.min(0, clock - asked)
  if (Math.abs(ahead) > CLOCK_MS) {
    throw new Problem(
      'store_unavailable',
      `The clock of the store at ${where} is ${Math.round(Math.abs(ahead) / 1000)} s ${ahead > 0 ? 'ahead of' : 'behind'} this machine's; set both by the network's time`,
    )
  }
  // Who may not read it is told so here, not by the first question.
  await db.command({ find: 'projects', limit: 1, singleBatch: true })
  if (hello.msg === 'isdbgrid') await checkShardKeys(db, where)
  if (db.client.options.credentials === undefined && !isHere(db.client)) {
    throw new Problem(
      'forbidden',
      `The store at ${where} lets in whoever reaches it. Turn its authentication on, and give name and password in the address`,
    )
  }
}

/** Every server of it is on this machine. */
function isHere(client: MongoClient): boolean {
  const { hosts, srvHost } = client.options
  return (
    srvHost === undefined &&
    hosts.every(({ host, isIPv6, socketPath }) => {
      return (
        socketPath !== undefined ||
        host === 'localhost' ||
        (isIPv6 ? host === '::1' : host?.startsWith('127.') === true)
      )
    })
  )
}

export async function versionOf(db: Db): Promise<string> {
  const info = await db.command({ buildInfo: 1 }).catch(() => ({}))
  const version: unknown = 'version' in info ? info['version'] : undefined
  return typeof version === 'string' && /^[\w.+-]{1,40}$/.test(version) ? `of version ${version}` : 'of an old version'
}
