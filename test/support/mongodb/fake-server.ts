import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import {
  deserialize,
  type Document as BsonDocument,
  Double as BsonDouble,
  Int32,
  Long,
  ObjectId,
  serialize,
} from 'bson'
import {
  type Document,
  Double,
  double,
  evaluate,
  isArray,
  isDocument,
  parsePipeline,
  type Value,
} from '../../../src/pipeline/index.js'
import { toBson } from '../../../src/store/mongodb/values.js'

/**
 * A fake of a MongoDB server for tests: it speaks OP_MSG to the real driver on a real socket, keeps documents in memory, and answers
 * with our own evaluator. It shows how the driver is used: types, bounds, aborts, broken connections. It shows nothing of what
 * MongoDB means by a pipeline, nor of its locks, its durability or its speed.
 */
export interface FakeServer {
  readonly url: string
  /** The commands that came. */
  readonly commands: readonly Readonly<Command>[]
  /** Documents of a collection of the database `earshot`. */
  documents(collection: string): readonly Document[]
  /** What a command comes to before it is done, which a promise lets it wait for: an error of that code, a closed connection (before it is done, or behind it),
   * or no answer at all. */
  fault: ((name: string, body: BsonDocument) => Fault | undefined) | undefined
  /** What it says of itself beside what it always says. */
  hello: BsonDocument
  close(): Promise<void>
}

/** Writes of several steps that are noted as under way. */
export const unfinishedWrites = (server: FakeServer): readonly Document[] =>
  server.documents('write_lanes').filter(one => one['unfinished'] !== undefined)

/** What a command changes of the note of a write. */
export function noteStep(name: string, body: BsonDocument): 'begun' | 'committed' | 'ended' | undefined {
  if (name !== 'update' || body['update'] !== 'write_lanes') return undefined
  const [{ u }] = body['updates'] as readonly [{ readonly u: BsonDocument }]
  const set = (u['$set'] as BsonDocument | undefined)?.['unfinished'] as BsonDocument | undefined
  if (set === undefined) return 'ended'
  return set['committed'] === true ? 'committed' : 'begun'
}

export type Fault =
  | Promise<void>
  | 'drop'
  | 'answer lost'
  | 'hang'
  | { readonly code: number; readonly message: string; readonly labels?: readonly string[] }

const OP_REPLY = 1
const OP_QUERY = 2004
const OP_MSG = 2013
const HEADER = 16
/** More than any pipeline of ours is. */
const LIMITS = { stages: 1_000, depth: 100, bytes: 1e9, patternLength: 10_000 }

interface Command {
  readonly name: string
  readonly body: BsonDocument
  /** Documents that its filter let through, where it reads. */
  read: number
}

class DuplicateKey extends Error {}

type Collection = Map<string, Document>

/** @param options.keepsCommands false where it answers for hours: what came is many times what is there */
export async function fakeServer({ keepsCommands = true } = {}): Promise<FakeServer> {
  const collections = new Map<string, Collection>()
  const cursors = new Map<string, Document[]>()
  let lastCursor = 0
  const commands: Command[] = []
  const sockets = new Set<Socket>()
  const of = (body: BsonDocument, command: string): Collection => {
    const name = `${String(body['$db'])}.${String(body[command])}`
    const found = collections.get(name) ?? new Map<string, Document>()
    collections.set(name, found)
    return found
  }
  const server: Server = createServer(socket => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => undefined)
    let pending = Buffer.alloc(0)
    socket.on('data', chunk => {
      pending = Buffer.concat([pending, chunk])
      while (pending.length >= HEADER && pending.length >= pending.readInt32LE(0)) {
        const length = pending.readInt32LE(0)
        const message = pending.subarray(0, length)
        pending = pending.subarray(length)
        const body = readMessage(message)
        const name = Object.keys(body)[0] ?? ''
        const command = { name, body, read: 0 }
        if (keepsCommands) commands.push(command)
        const fault = fake.fault?.(name, body)
        if (fault === 'hang') continue
        if (fault === 'drop') {
          socket.destroy()
          return
        }
        if (fault instanceof Promise) void fault.then(() => respond(socket, message, command, undefined))
        else respond(socket, message, command, fault)
      }
    })
  })

  function respond(
    socket: Socket,
    message: Buffer,
    command: Command,
    fault: Exclude<Fault, Promise<void>> | undefined,
  ): void {
    let reply: BsonDocument
    try {
      reply =
        typeof fault === 'object'
          ? { ok: 0, code: fault.code, errmsg: fault.message, ...(fault.labels && { errorLabels: fault.labels }) }
          : answer(command)
    } catch (error) {
      reply = {
        ok: 0,
        code: error instanceof DuplicateKey ? 11_000 : 9,
        errmsg: error instanceof Error ? error.message : String(error),
      }
    }
    if (fault === 'answer lost') socket.destroy()
    else if (!socket.destroyed) socket.write(writeMessage(message, reply))
  }

  function answer(command: Command): BsonDocument {
    const { name, body } = command
    const through = (filter: object, documents: readonly Document[]) => {
      const found = run([{ $match: filter }], documents)
      command.read = found.length
      return found
    }
    switch (name) {
      case 'hello':
      case 'ismaster':
      case 'isMaster':
        return {
          helloOk: true,
          ismaster: true,
          isWritablePrimary: true,
          maxBsonObjectSize: 16 * 1024 * 1024,
          maxMessageSizeBytes: 48_000_000,
          maxWriteBatchSize: 100_000,
          localTime: new Date(),
          logicalSessionTimeoutMinutes: 30,
          minWireVersion: 0,
          maxWireVersion: 21,
          readOnly: false,
          setName: 'rs0',
          hosts: [address()],
          me: address(),
          primary: address(),
          ...fake.hello,
          ok: 1,
        }
      case 'buildInfo':
        return { version: '6.0.1', ok: 1 }
      case 'dbStats':
        return { storageSize: 4096, indexSize: 4096, ok: 1 }
      case 'find': {
        const { filter = {}, sort, skip, limit, projection } = body
        const stages = [
          ...(sort === undefined ? [] : [{ $sort: sort as object }]),
          ...(skip === undefined ? [] : [{ $skip: skip as number }]),
          ...(limit === undefined || Number(limit) === 0 ? [] : [{ $limit: Math.abs(Number(limit)) }]),
          ...(projection === undefined ? [] : [{ $project: projection as object }]),
        ]
        const found = through(filter as object, candidates(of(body, 'find'), filter as BsonDocument))
        return firstBatch(body, run(stages, found))
      }
      case 'aggregate': {
        const pipeline = body['pipeline'] as readonly BsonDocument[]
        const { $match: filter } = pipeline[0] ?? {}
        const found = through((filter ?? {}) as object, [...of(body, 'aggregate').values()])
        return firstBatch(body, run(filter === undefined ? pipeline : pipeline.slice(1), found))
      }
      case 'getMore': {
        const id = String(body['getMore'])
        const left = cursors.get(id) ?? []
        const batch = left.splice(0, Number(body['batchSize'] ?? 101))
        if (left.length === 0) cursors.delete(id)
        return {
          cursor: { id: Long.fromString(left.length === 0 ? '0' : id), ns: 'x.y', nextBatch: batch.map(toBson) },
          ok: 1,
        }
      }
      case 'killCursors':
        for (const id of body['cursors'] as readonly unknown[]) cursors.delete(String(id))
        return { ok: 1 }
      case 'insert': {
        const collection = of(body, 'insert')
        const writeErrors: BsonDocument[] = []
        let n = 0
        for (const [index, one] of (body['documents'] as readonly BsonDocument[]).entries()) {
          const document = valueOf(one) as Document
          const key = keyOf(document)
          if (collection.has(key)) {
            writeErrors.push({ index, code: 11_000, errmsg: 'E11000 duplicate key', keyPattern: { _id: 1 } })
            break
          }
          collection.set(key, document)
          n += 1
        }
        return { n, ...(writeErrors.length > 0 && { writeErrors }), ok: 1 }
      }
      case 'update': {
        const collection = of(body, 'update')
        const results = (body['updates'] as readonly BsonDocument[]).map(({ q, u, upsert, multi }) =>
          update(collection, q as BsonDocument, u as BsonDocument, { upsert: upsert === true, multi: multi === true }),
        )
        const sum = (pick: (one: Updated) => number) => results.reduce((total, one) => total + pick(one), 0)
        const upserted = results.flatMap(({ upserted: id }, index) => (id === undefined ? [] : [{ index, _id: id }]))
        const matched = sum(one => one.matched) + upserted.length
        return { n: matched, nModified: sum(one => one.matched), ...(upserted.length > 0 && { upserted }), ok: 1 }
      }
      case 'delete': {
        const collection = of(body, 'delete')
        let n = 0
        for (const { q, limit } of body['deletes'] as readonly BsonDocument[]) {
          const found = match(collection, q as BsonDocument)
          for (const one of Number(limit) === 1 ? found.slice(0, 1) : found) {
            collection.delete(keyOf(one))
            n += 1
          }
        }
        return { n, ok: 1 }
      }
      case 'findAndModify': {
        const collection = of(body, 'findAndModify')
        const query = body['query'] as BsonDocument
        const sorted = run(
          [{ $match: query }, ...(body['sort'] === undefined ? [] : [{ $sort: body['sort'] as object }])],
          [...collection.values()],
        )
        const before = sorted[0]
        if (body['remove'] === true) {
          if (before !== undefined) collection.delete(keyOf(before))
          return { value: before === undefined ? null : toBson(before), ok: 1 }
        }
        const narrowed = before === undefined ? query : { _id: toBson(before['_id']!) }
        const { id } = update(collection, narrowed, body['update'] as BsonDocument, {
          upsert: body['upsert'] === true,
          multi: false,
        })
        const after = id === undefined ? undefined : collection.get(JSON.stringify(plainId(id)))
        const shown = body['new'] === true ? after : before
        return {
          value: shown === undefined ? null : toBson(shown),
          lastErrorObject: { n: after === undefined ? 0 : 1 },
          ok: 1,
        }
      }
      case 'createIndexes':
      case 'ping':
      case 'endSessions':
      case 'killSessions':
        return { ok: 1 }
      default:
        return { ok: 0, code: 59, errmsg: `no such command: '${name}'` }
    }
  }

  function firstBatch(body: BsonDocument, found: readonly Document[]): BsonDocument {
    const size = Number((body['cursor'] as BsonDocument | undefined)?.['batchSize'] ?? body['batchSize'] ?? 101)
    const left = [...found]
    const first = left.splice(0, size)
    const single = body['singleBatch'] === true || left.length === 0
    const id = single ? '0' : String((lastCursor += 1))
    if (!single) cursors.set(id, left)
    return { cursor: { id: Long.fromString(id), ns: 'x.y', firstBatch: first.map(toBson) }, ok: 1 }
  }

  const address = () => `127.0.0.1:${(server.address() as AddressInfo).port}`
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const fake: FakeServer = {
    url: `mongodb://${address()}/earshot?directConnection=true`,
    commands,
    documents: name => [...(collections.get(`earshot.${name}`)?.values() ?? [])],
    fault: undefined,
    hello: {},
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise(resolve => server.close(resolve))
    },
  }
  return fake
}

function readMessage(message: Buffer): BsonDocument {
  const read = (bytes: Buffer): BsonDocument => deserialize(bytes, { promoteValues: false, promoteBuffers: true })
  if (message.readInt32LE(12) === OP_QUERY) {
    const end = message.indexOf(0, HEADER + 4)
    return unwrapped(read(message.subarray(end + 9)))
  }
  if (message.readInt32LE(12) !== OP_MSG) throw new Error('Not a message of the protocol')
  const body: BsonDocument = {}
  for (let at = HEADER + 4; at < message.length;) {
    const kind = message[at]
    at += 1
    const size = message.readInt32LE(at)
    if (kind === 0) Object.assign(body, read(message.subarray(at, at + size)))
    else {
      const nameEnd = message.indexOf(0, at + 4)
      const items: BsonDocument[] = []
      for (let inner = nameEnd + 1; inner < at + size;) {
        const length = message.readInt32LE(inner)
        items.push(read(message.subarray(inner, inner + length)))
        inner += length
      }
      body[message.toString('utf8', at + 4, nameEnd)] = items
    }
    at += size
  }
  return unwrapped(body)
}

/** The parts of a command that are no documents, as plain numbers. */
function unwrapped(body: BsonDocument): BsonDocument {
  return Object.fromEntries(
    Object.entries(body).map(([name, value]: [string, unknown]) => [
      name,
      value instanceof Int32 ? value.value : value,
    ]),
  )
}

let replies = 0

function writeMessage(request: Buffer, reply: BsonDocument): Buffer {
  const body = Buffer.from(serialize(reply))
  const isQuery = request.readInt32LE(12) === OP_QUERY
  const between = isQuery ? Buffer.alloc(20) : Buffer.alloc(5)
  if (isQuery) between.writeInt32LE(1, 16)
  const header = Buffer.alloc(HEADER)
  replies += 1
  header.writeInt32LE(HEADER + between.length + body.length, 0)
  header.writeInt32LE(replies, 4)
  header.writeInt32LE(request.readInt32LE(4), 8)
  header.writeInt32LE(isQuery ? OP_REPLY : OP_MSG, 12)
  return Buffer.concat([header, between, body])
}

/** A value of BSON as pipelines have it; ids of the driver's own are texts. */
function valueOf(value: unknown): Value {
  if (value instanceof Int32) return value.value
  if (value instanceof BsonDouble) return double(value.value)
  if (value instanceof Long) return value.toBigInt()
  if (value instanceof ObjectId) return value.toHexString()
  if (Array.isArray(value)) return value.map(valueOf)
  if (value === null || typeof value !== 'object' || value instanceof Date) return value as Value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, valueOf(inner)]))
}

/** Stages as JSON that the guard reads: whole doubles where a number is an option are numbers. */
function run(stages: readonly object[], documents: readonly Document[]): readonly Document[] {
  if (stages.length === 0) return documents
  const json = stages.map(stage => valueOf(stage))
  const parsed = parsePipeline(json, { limits: LIMITS, derivedFields: true })
  return evaluate(parsed, documents)
}

const plainId = (id: Value): unknown => (id instanceof Double ? id.value : typeof id === 'bigint' ? Number(id) : id)
const keyOf = (document: Document): string => JSON.stringify(plainId(document['_id'] ?? null))

/** Documents that a filter by id can only mean, or all. */
function candidates(collection: Collection, filter: BsonDocument): readonly Document[] {
  const parts = [filter, ...((filter['$and'] as readonly BsonDocument[] | undefined) ?? [])]
  const id = parts.map(one => valueOf(one['_id'])).find(one => one !== undefined)
  const among = isDocument(id) ? id['$in'] : id
  if (among === undefined || isDocument(among)) return [...collection.values()]
  const ids = isArray(among) ? among : [among]
  return [...new Set(ids.map(one => JSON.stringify(plainId(one))))].flatMap((key): Document[] => {
    const found = collection.get(key)
    return found === undefined ? [] : [found]
  })
}

const match = (collection: Collection, filter: BsonDocument) => {
  const found = candidates(collection, filter)
  return Object.keys(filter).length === 0 || found.length === 0 ? found : run([{ $match: filter }], found)
}

interface Updated {
  readonly matched: number
  readonly upserted?: unknown
  readonly id?: Value
}

function update(
  collection: Collection,
  filter: BsonDocument,
  change: BsonDocument,
  { upsert, multi }: { readonly upsert: boolean; readonly multi: boolean },
): Updated {
  const found = match(collection, filter).slice(0, multi ? undefined : 1)
  for (const one of found) {
    const after = changed(one, change, false)
    collection.set(keyOf(after), after)
  }
  if (found.length > 0 || !upsert) return { matched: found.length, ...(found[0] && { id: found[0]['_id']! }) }
  const equal = Object.entries(filter).filter(([name, value]) => !name.startsWith('$') && !isDocument(valueOf(value)))
  const base = Object.fromEntries(equal.map(([name, value]): [string, Value] => [name, valueOf(value)]))
  const made = changed({ _id: new ObjectId().toHexString(), ...base }, change, true)
  if (collection.has(keyOf(made))) throw new DuplicateKey('E11000 duplicate key')
  collection.set(keyOf(made), made)
  return { matched: 0, upserted: toBson(made['_id']!), id: made['_id']! }
}

const isPipeline = (change: BsonDocument | readonly BsonDocument[]): change is readonly BsonDocument[] =>
  Array.isArray(change)

/** What the fake knows of updates; of any other it says so, as of any other command. */
const UPDATES = new Set(['$set', '$setOnInsert', '$unset', '$inc', '$max'])

function changed(before: Document, change: BsonDocument | readonly BsonDocument[], isNew: boolean): Document {
  if (isPipeline(change)) return run([...change], [before])[0]!
  const unknown = Object.keys(change).find(name => name.startsWith('$') && !UPDATES.has(name))
  if (unknown !== undefined) throw new Error(`the fake has no update ${unknown}`)
  if (!Object.keys(change).some(name => name.startsWith('$'))) {
    return { _id: before['_id']!, ...(valueOf(change) as Document) }
  }
  const after: Record<string, Value> = { ...before }
  const fields = (name: string) => Object.entries(valueOf(change[name] ?? {}) as Document)
  for (const [name, value] of fields('$set')) after[name] = value
  if (isNew) for (const [name, value] of fields('$setOnInsert')) after[name] = value
  for (const [name] of fields('$unset')) delete after[name]
  for (const [name, value] of fields('$max')) {
    if (Number(value) > Number(after[name] ?? -Infinity)) after[name] = value
  }
  for (const [name, value] of fields('$inc')) {
    const [a, b] = [after[name] ?? 0, value]
    after[name] =
      typeof a === 'bigint' || typeof b === 'bigint' ? BigInt(a as number) + BigInt(b as number) : Number(a) + Number(b)
  }
  return after
}
