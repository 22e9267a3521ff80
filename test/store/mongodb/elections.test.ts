import type { Document as BsonDocument } from 'bson'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Problem } from '../../../src/base/problem.js'
import { narrow, parsePipeline } from '../../../src/pipeline/index.js'
import { scope } from '../../../src/pipeline/scope.js'
import type { NewDelivery } from '../../../src/store/event-store.js'
import { connectStore } from '../../../src/store/mongodb/connect.js'
import { MongoStore } from '../../../src/store/mongodb/mongodb-store.js'
import { openMongoStore } from '../../../src/store/mongodb/open-mongodb-store.js'
import type { RunOptions } from '../../../src/store/store.js'
import { type FakeReplicaSet, fakeReplicaSet } from '../../support/mongodb/fake-replica-set.js'
import { unfinishedWrites } from '../../support/mongodb/fake-server.js'
import type { Fault } from '../../support/mongodb/faults.js'
import { isTried } from '../../support/whole.js'
import { call } from '../duckdb/support.js'

/** A primary that ends in the midst of something, on a replica set of fakes; another is chosen after a while, which is short here. */

const ELECTION_MS = 150
const OPTIONS: RunOptions = { lane: 'heavy', deadlineMs: 60_000, maxDocuments: 100 }

/** Whether it is what is answered where a primary ended, and the driver did not try again, or not long enough. */
const isRefusal = (error: unknown): boolean =>
  error instanceof Problem &&
  error.code === 'store_unavailable' &&
  /^The (store|connection to the store) at 127.* (is choosing another primary; ask again|broke)/.test(error.message)

let set: FakeReplicaSet
let store: MongoStore
let projects = 0
let project: string

beforeAll(async () => {
  set = await fakeReplicaSet({ mostInBatch: 3 })
  store = await open()
  return async () => {
    await store.close()
    await set.close()
  }
})

beforeEach(() => {
  project = `p${(projects += 1)}`
})

const open = async () => await MongoStore.open(await connectStore(set.url))

/** Of writes that are numbered servers say that they may be sent again. */
const labelled = (body: BsonDocument) => (body['txnNumber'] === undefined ? {} : { labels: ['RetryableWriteError'] })

/** How a primary ends before a command, in it, or behind it. */
const ENDS = {
  'steps down before': () => {
    set.stepDown()
    return undefined
  },
  'steps down in': body => {
    set.stepDown()
    return { code: 11_602, message: 'operation was interrupted', ...labelled(body) }
  },
  'steps down behind, with what no majority has,': body => {
    const undo = set.remembered()
    set.stepDown()
    return { writeConcern: 189, undo, ...labelled(body) }
  },
  'is killed before': () => {
    set.kill()
    return 'drop'
  },
  'is killed behind': () => {
    // It is done when its process ends.
    queueMicrotask(() => set.kill())
    return 'answer lost'
  },
} satisfies Readonly<Record<string, (body: BsonDocument) => Fault | undefined>>

type End = keyof typeof ENDS
const ends = Object.keys(ENDS) as End[]
const isKill = (end: End) => end.startsWith('is killed')

/** The primary ends at the next command for a collection, and another is there after a while. */
function endsAt(end: End, command: string, collection?: string): { readonly over: Promise<void> } {
  let isOver = (): void => undefined
  const over = new Promise<void>(resolve => (isOver = resolve))
  set.fault = (name, body) => {
    if (name !== command || (collection !== undefined && body[command] !== collection)) return undefined
    set.fault = undefined
    setTimeout(() => {
      set.elect()
      isOver()
    }, ELECTION_MS)
    return ENDS[end](body)
  }
  return { over }
}

/** What came of it, asked again once another primary is there where it was refused. @throws what is no refusal of that kind */
async function askedAgain<T>(
  ask: () => Promise<T>,
  over: Promise<void>,
): Promise<{ readonly refused: boolean; readonly answer: T }> {
  try {
    return { refused: false, answer: await ask() }
  } catch (error) {
    if (!isRefusal(error)) throw error
    await over
    return { refused: true, answer: await ask() }
  }
}

const idsIn = (collection: string) =>
  set
    .documents(collection)
    .filter(one => one['project_id'] === project)
    .map(one => one['session_id'] as string)
    .toSorted((a, b) => (a < b ? -1 : 1))

describe.each(ends)('a primary that %s', end => {
  const column = ends.indexOf(end)
  const commands = [
    ['findAndModify', 'write_lanes'],
    // A lease that was taken and not told of is waited for to its end where the primary was killed behind it: whole does.
    ['findAndModify', 'leases'],
    ['findAndModify', 'counters'],
    ['update', 'write_lanes'],
    ['find', 'calls'],
    ['update', 'calls'],
    ['update', 'facts'],
    ['update', 'project_writes'],
  ] as const
  it.each(commands.filter((_, row) => isTried(row, column, 2)))(
    '%s of %s of an import loses nothing of it, and leaves nothing twice',
    async (command, of) => {
      await store.calls.upsert(project, [call('before')])
      await expect.poll(() => store.leases.held('lane:')).toEqual(new Set())
      const { over } = endsAt(end, command, of)
      const { refused, answer } = await askedAgain(() => store.calls.upsert(project, [call('s1'), call('s2')]), over)
      await over
      expect(answer).toMatchObject({ stored: 2 })
      // What a driver sees first of a process that is gone is a matter of chance, and with it whether it tries again.
      expect([refused, isKill(end)]).not.toEqual([true, false])
      for (const name of ['calls', 'facts']) expect(idsIn(name)).toEqual(['before', 's1', 's2'])
      expect(unfinishedWrites(set)).toEqual([])
    },
  )

  it('an erasure is gone through with', async () => {
    await store.calls.upsert(project, [call('s1'), call('s2')])
    const { over } = endsAt(end, 'delete', 'feedback')
    await askedAgain(() => store.calls.erase(project, 's1'), over)
    await over
    for (const name of ['calls', 'facts']) expect(idsIn(name)).toEqual(['s2'])
    expect((await store.calls.upsert(project, [call('s1')])).erased).toEqual(['s1'])
    expect(unfinishedWrites(set)).toEqual([])
  })

  it('a question has all of its answer, or is refused', async () => {
    const calls = Array.from({ length: 8 }, (_, n) => call(`s${n}`, { score: 3 }))
    await store.calls.upsert(project, calls)
    const pipeline = narrow(parsePipeline([{ $project: { score: 1 } }]), scope(project, 'all', 'full'))
    for (const command of ['aggregate', 'getMore']) {
      const { over } = endsAt(end, command)
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const { answer } = await askedAgain(() => store.run(pipeline, OPTIONS), over)
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await over
      expect(answer.documents).toHaveLength(calls.length)
    }
  })

  it('a claim is one’s, whoever asks', async () => {
    const { over } = endsAt(end, 'findAndModify', 'leases')
    const beside = await Promise.allSettled([store.leases.claim(project), store.leases.claim(project)])
    await over
    const had = beside.flatMap(one => (one.status === 'fulfilled' && one.value !== undefined ? [one.value] : []))
    expect(had.length).toBeLessThanOrEqual(1)
    expect(beside.filter(one => one.status === 'rejected' && !isRefusal(one.reason))).toEqual([])
    await Promise.all(had.map(one => one.release()))
    expect(await store.leases.claim(project)).toBeDefined()
  })

  it.each([
    ['insert', 'event_deliveries'],
    ['delete', 'noted_calls'],
    ['update', 'event_deliveries'],
  ])('at %s of %s: a call is told of once', async (command, of) => {
    const by = { created_at: '2026-03-01T00:00:00.000Z', created_by: 'Ann', active: true }
    const hook = { url: 'https://hooks.example.com/', events: ['interaction.evaluated'], secrets: [] }
    await store.events.webhooks.put({ ...hook, ...by, project_id: project, webhook_id: project })
    await store.calls.upsert(project, [call('s1', { score: 2 })])
    const { over } = endsAt(end, command, of)
    const take = () =>
      store.events.noted.take(9, calls => ({ deliveries: calls.map(one => deliveryOf(one.session_id)), alerts: [] }))
    await askedAgain(take, over)
    await over
    expect(await take()).toBe(0)
    // What was cut off behind the notes is gone through with when the lane is left, or looked for.
    await expect.poll(() => store.events.deliveries.pending(project, 0, 10)).toHaveLength(1)
  })
})

function deliveryOf(session_id: string): NewDelivery {
  const at = '2026-03-01T00:00:00.000Z'
  return {
    project_id: project,
    delivery_id: `d-${project}-${session_id}`,
    webhook_id: project,
    event_id: `e-${project}-${session_id}`,
    event: 'interaction.evaluated',
    subject: session_id,
    body: '{}',
    created_at: at,
    expires_at: '2126-03-01T00:00:00.000Z',
  }
}

it('what was written and no majority has is not acknowledged, where nothing says that it may be sent again', async () => {
  set.fault = (name, body) => (name === 'update' && body['update'] === 'calls' ? { writeConcern: 64 } : undefined)
  await expect(store.calls.upsert(project, [call('s1')])).rejects.toMatchObject({
    code: 'store_unavailable',
    message: expect.stringMatching(
      /^No majority of the store at .* has what was written, and it may be undone/,
    ) as string,
  })
  set.fault = undefined
  expect(await store.calls.upsert(project, [call('s1')])).toMatchObject({ stored: 1 })
  expect([idsIn('calls'), idsIn('facts')]).toEqual([['s1'], ['s1']])
})

it('of processes that begin a store at once, those whose indexes gave way to others try again', async () => {
  let refused = 0
  set.fault = name => {
    if (name !== 'createIndexes' || refused === 3) return undefined
    refused += 1
    return { code: 112, message: 'deadlock detected' }
  }
  const opened = await openMongoStore(set.url)
  set.fault = undefined
  await opened.close()
  expect(refused).toBe(3)
})

it('a start while another primary is chosen is refused in a sentence', async () => {
  set.fault = name => (name === 'createIndexes' ? { code: 10_107, message: 'not primary' } : undefined)
  await expect(openMongoStore(set.url)).rejects.toSatisfy(isRefusal)
  set.fault = undefined
})
