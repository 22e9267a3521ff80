import type { TlsOptions } from 'node:tls'
import type { Document as BsonDocument } from 'bson'
import type { Document } from '../../../src/pipeline/index.js'
import { connectStore } from '../../../src/store/mongodb/connect.js'
import { MongoStore } from '../../../src/store/mongodb/mongodb-store.js'
import { commandsOn, FakeData } from './fake-data.js'
import { type Faults, replyWith } from './faults.js'
import type { ShardKey } from './mongos-rules.js'
import { listen, MOST_MESSAGE_BYTES, type Wire } from './wire.js'

export type { Fault } from './faults.js'

/**
 * A fake of a MongoDB server for tests: it speaks OP_MSG to the real driver on a real socket, keeps documents in memory, and answers
 * with our own evaluator. It shows how the driver is used: types, bounds, aborts, broken connections. It shows nothing of what
 * MongoDB means by a pipeline, nor of its locks, its durability or its speed.
 */
export interface FakeServer {
  readonly url: string
  /** The commands that came, by name, with their bodies. */
  readonly commands: readonly Command[]
  /** Documents of a collection of the database `earshot`. */
  documents(collection: string): readonly Document[]
  fault: Faults | undefined
  /** Where the connection itself can break. */
  readonly wire: Pick<Wire, 'breaksAbove'>
  /** What it says of itself beside what it always says. */
  hello: BsonDocument
  close(): Promise<void>
}

export interface Command {
  readonly name: string
  readonly body: BsonDocument
  /** Documents that its filter let through, where it reads. */
  readonly read: number
}

interface FakeOptions {
  /** false where it answers for hours: what came is many times what is there. */
  readonly keepsCommands?: boolean
  /** Listens with TLS alone. */
  readonly tls?: TlsOptions
  /** It is a router of a sharded cluster that has these collections sharded. */
  readonly sharded?: Readonly<Record<string, ShardKey>>
  /** No store has found out yet what it answers. */
  readonly isNew?: boolean
}

let notes: Promise<readonly Document[]> | undefined

/** What a store found out of a fake: more than a hundred questions, a second of the processor for each file that asked anew. Every fake answers them alike. */
export const notesOfFake = (): Promise<readonly Document[]> => (notes ??= askFirst())

async function askFirst(): Promise<readonly Document[]> {
  const server = await fakeServer({ isNew: true })
  const store = await MongoStore.open(await connectStore(server.url))
  await store.close()
  await server.close()
  return server.documents('probes')
}

/** Writes of several steps that are noted as under way. */
export const unfinishedWrites = (server: Pick<FakeServer, 'documents'>): readonly Document[] =>
  server.documents('write_lanes').filter(one => one['unfinished'] !== undefined)

/** What a command changes of the note of a write. */
export function noteStep(name: string, body: BsonDocument): 'begun' | 'committed' | 'ended' | undefined {
  if (name !== 'update' || body['update'] !== 'write_lanes') return undefined
  const [{ u }] = body['updates'] as readonly [{ readonly u: BsonDocument }]
  const set = (u['$set'] as BsonDocument | undefined)?.['unfinished'] as BsonDocument | undefined
  if (set === undefined) return 'ended'
  return set['committed'] === true ? 'committed' : 'begun'
}

/** What asks a server for itself, under its names of today and before. */
export const isHello = (name: string): boolean => ['hello', 'ismaster', 'isMaster'].includes(name)

/** What every server says of itself. */
export const helloOfAny = () => ({
  helloOk: true,
  maxBsonObjectSize: 16 * 1024 * 1024,
  maxMessageSizeBytes: MOST_MESSAGE_BYTES,
  maxWriteBatchSize: 100_000,
  localTime: new Date(),
  logicalSessionTimeoutMinutes: 30,
  minWireVersion: 0,
  maxWireVersion: 21,
})

export async function fakeServer({
  keepsCommands = true,
  tls,
  sharded,
  isNew = false,
}: FakeOptions = {}): Promise<FakeServer> {
  const data = new FakeData(isNew ? [] : await notesOfFake(), sharded)
  const answer = commandsOn(data)
  const commands: Command[] = []
  const wire = await listen((name, body) => {
    const command = { name, body, read: 0 }
    if (keepsCommands) commands.push(command)
    const read = (documents: number) => (command.read = documents)
    return replyWith(fake.fault?.(name, body), () => (isHello(name) ? hello() : answer(name, body, read)))
  }, tls)
  const { address } = wire
  const hello = (): BsonDocument => ({
    ...helloOfAny(),
    ismaster: true,
    isWritablePrimary: true,
    readOnly: false,
    ...(sharded === undefined
      ? { setName: 'rs0', hosts: [address], me: address, primary: address }
      : // core/sharded-cluster-query-router/#confirm-connection-to-mongos-instances
        { msg: 'isdbgrid' }),
    ...fake.hello,
    ok: 1,
  })
  const fake: FakeServer = {
    url: `mongodb://${address}/earshot${sharded === undefined ? '?directConnection=true' : ''}`,
    commands,
    documents: name => data.documents(name),
    fault: undefined,
    wire,
    hello: {},
    close: () => wire.close(),
  }
  return fake
}
