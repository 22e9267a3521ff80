import { type Document as BsonDocument, Long, ObjectId } from 'bson'
import type { Document } from '../../../src/pipeline/index.js'
import { type Answer, commandsOn, FakeData } from './fake-data.js'
import { type Command, helloOfAny, isHello, notesOfFake } from './fake-server.js'
import { type Faults, replyWith } from './faults.js'
import { listen, type Reply, type Wire } from './wire.js'

/**
 * A replica set of fakes: members on one set of documents, of which one is the primary, or none while another is chosen. What a member
 * says and refuses is that of MongoDB 7.0: https://www.mongodb.com/docs/v7.0/reference/command/hello/, the specification of drivers for
 * "server discovery and monitoring", and of error labels src/mongo/db/error_labels.cpp of the server. Members replicate at once: what a
 * majority does not have is made by a fault (`writeConcern`).
 */
export interface FakeReplicaSet {
  readonly url: string
  /** The commands that came, whichever member they came to. */
  readonly commands: readonly Command[]
  documents(collection: string): readonly Document[]
  fault: Faults | undefined
  /** The primary is a secondary from now on, and there is none; its connections and cursors stay. */
  stepDown(): void
  /** The primary's process is gone, with its connections and cursors, and there is none. */
  kill(): void
  /** The next of the members is the primary, and one that was gone is back. */
  elect(): void
  /** What brings the documents back to how they are now. */
  remembered(): () => void
  close(): Promise<void>
}

const SET = 'rs0'
/** What any member does, whether it is the primary or not. core/replica-set-secondary/ */
const OF_ANY = new Set(['ping', 'buildInfo', 'getMore', 'killCursors', 'killSessions', 'endSessions'])
const WRITES = new Set(['insert', 'update', 'delete', 'findAndModify', 'createIndexes'])
const NOT_WRITABLE_PRIMARY = { code: 10_107, codeName: 'NotWritablePrimary', errmsg: 'not primary' }
const NO_SECONDARY_OK = {
  code: 13_435,
  codeName: 'NotPrimaryNoSecondaryOk',
  errmsg: 'not primary and secondaryOk=false',
}

interface Member {
  readonly wire: Wire
  /** What it does of commands, with the cursors of its process. */
  answer: Answer
  /** Rises with whatever it says otherwise of itself. */
  version: number
  /** Those who wait for it to. */
  readonly waiting: Set<() => void>
}

export async function fakeReplicaSet({ size = 3, mostInBatch = Infinity } = {}): Promise<FakeReplicaSet> {
  const data = new FakeData(await notesOfFake())
  const commands: Command[] = []
  const processId = new ObjectId()
  let term = 1
  let primary: number | undefined = 0
  let last = 0
  const members: Member[] = []

  const versionOf = ({ version }: Member) => ({ topologyVersion: { processId, counter: Long.fromNumber(version) } })

  const addressOf = (at: number | undefined): string | undefined =>
    at === undefined ? undefined : members[at]?.wire.address

  const helloOf = (at: number): BsonDocument => ({
    ...helloOfAny(),
    isWritablePrimary: primary === at,
    ismaster: primary === at,
    secondary: primary !== at,
    readOnly: false,
    setName: SET,
    setVersion: 1,
    hosts: members.map(one => one.wire.address),
    me: addressOf(at),
    ...(primary !== undefined && { primary: addressOf(primary) }),
    // Only a primary tells the election that made it one.
    ...(primary === at && { electionId: new ObjectId(term.toString(16).padStart(24, '0')) }),
    ...versionOf(members[at]!),
    ok: 1,
  })

  /** A driver that knows a version waits for another one: how soon it hears of an election depends on nothing else. */
  function hello(at: number, body: BsonDocument): BsonDocument | Promise<BsonDocument> {
    const member = members[at]!
    const known = body['topologyVersion'] as { readonly counter: Long } | undefined
    if (known === undefined || known.counter.toNumber() !== member.version) return helloOf(at)
    return new Promise(resolve => {
      const answer = () => {
        clearTimeout(timer)
        member.waiting.delete(answer)
        resolve(helloOf(at))
      }
      const timer = setTimeout(answer, Number(body['maxAwaitTimeMS']))
      member.waiting.add(answer)
    })
  }

  function changed(): void {
    for (const member of members) {
      member.version += 1
      for (const answer of member.waiting) answer()
    }
  }

  function end(isGone: boolean): void {
    if (primary === undefined) throw new Error('There is no primary')
    last = primary
    if (isGone) {
      members[last]!.wire.isDown = true
      members[last]!.answer = commandsOn(data, mostInBatch)
    }
    primary = undefined
    changed()
  }

  for (let at = 0; at < size; at += 1) {
    const reply = (name: string, body: BsonDocument): Reply | Promise<Reply> => {
      if (isHello(name)) return hello(at, body)
      const command = { name, body, read: 0 }
      commands.push(command)
      const read = (documents: number) => (command.read = documents)
      return replyWith(set.fault?.(name, body), () => {
        if (primary === at || OF_ANY.has(name)) return members[at]!.answer(name, body, read)
        const refused = WRITES.has(name) ? NOT_WRITABLE_PRIMARY : NO_SECONDARY_OK
        // A label says that a write may be sent again, of those that are numbered for it.
        const labels = body['txnNumber'] !== undefined && { errorLabels: ['RetryableWriteError'] }
        return { ok: 0, ...refused, ...labels, ...versionOf(members[at]!) }
      })
    }
    // oxlint-disable-next-line no-await-in-loop -- a few
    const wire = await listen(reply)
    members.push({ wire, answer: commandsOn(data, mostInBatch), version: 0, waiting: new Set() })
  }

  const set: FakeReplicaSet = {
    url: `mongodb://${members.map(one => one.wire.address).join(',')}/earshot?replicaSet=${SET}`,
    commands,
    documents: name => data.documents(name),
    fault: undefined,
    stepDown: () => end(false),
    kill: () => end(true),
    elect: () => {
      term += 1
      // Whichever was the primary is the last that is asked.
      const order = members.map((_, at) => (last + 1 + at) % size)
      primary = order.find(at => !members[at]!.wire.isDown)
      for (const { wire } of members) wire.isDown = false
      changed()
    },
    remembered: () => data.remembered(),
    close: async () => {
      for (const { waiting } of members) for (const answer of waiting) answer()
      await Promise.all(members.map(one => one.wire.close()))
    },
  }
  return set
}
