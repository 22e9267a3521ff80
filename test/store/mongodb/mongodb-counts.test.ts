import { isDeepStrictEqual } from 'node:util'
import type { Document as BsonDocument } from 'bson'
import type { Collection } from 'mongodb'
import { beforeAll, describe, expect, it } from 'vitest'
import { countsShape, type Document, narrowCounts, parsePipeline } from '../../../src/pipeline/index.js'
import { scope } from '../../../src/pipeline/scope.js'

import type { PreparedCall } from '../../../src/store/store.js'
import { type FakeServer, type Fault, fakeServer } from '../../support/mongodb/fake-server.js'
import { connectStore, type StoreConnection } from '../../../src/store/mongodb/connect.js'
import { MongoStore } from '../../../src/store/mongodb/mongodb-store.js'
import { toBson } from '../../../src/store/mongodb/values.js'
import { isTried, sized } from '../../support/whole.js'
import { call } from '../duckdb/support.js'

/** How the counts of days stand when processes are killed, or write while another counts. The fake is one here always. */

let server: FakeServer
/** A process that dies, or counts, and one beside it. */
let store: MongoStore
let beside: MongoStore
/** What is on the server, as neither of them sees it. */
let kept: StoreConnection
beforeAll(async () => {
  server = await fakeServer()
  kept = await connectStore(server.url)
  store = await MongoStore.open(await connectStore(server.url))
  beside = await MongoStore.open(await connectStore(server.url))
  return async () => {
    await store.close()
    await beside.close()
    await kept.client.close()
    await server.close()
  }
})

/** Days with calls: three of a month of 28 days, which is whole where they are counted, and two behind it. */
const DAYS = ['2026-02-01', '2026-02-14', '2026-02-28', '2026-03-04', '2026-03-05']
const on = (id: string, n: number): PreparedCall =>
  call(id, {
    created_dt: `${DAYS[n - 1]}T10:00:00.000Z`,
    score: n,
    signals: [{ key: `sig.${n}`, state: 'present' }],
  })

let projects = 0
/** A project with a call on each of three days of a month, which is counted. */
async function countedProject(): Promise<string> {
  const project = `k${(projects += 1)}`
  await countedOnce()
  await Promise.all(
    KEPT.map(async name => {
      const all = server.documents(name).filter(one => one['project_id'] === COUNTED || one['_id'] === COUNTED)
      await kept.db.collection(name).insertMany(all.map(one => asOf(project, one)))
    }),
  )
  return project
}

/** What is copied for each case: writing and counting it each time was half of what this file took. */
const COUNTED = 'counted'
const KEPT = ['calls', 'facts', 'counted_days', 'day_counts', 'project_writes']

let counting: Promise<void> | undefined
const countedOnce = () => (counting ??= countOnce())

async function countOnce(): Promise<void> {
  await store.calls.upsert(
    COUNTED,
    [1, 2, 3].map(n => on(`s${n}`, n)),
  )
  expect(await store.counts.countDays(COUNTED, 'UTC')).toBe(28)
}

/** A document as it is in another project: that begins its id, unless the driver made it. */
function asOf(project: string, { _id, ...fields }: Document): BsonDocument {
  return toBson({
    ...(typeof _id === 'string' && _id.startsWith(COUNTED) && { _id: _id.replace(COUNTED, project) }),
    ...fields,
    ...(fields['project_id'] !== undefined && { project_id: project }),
  }) as BsonDocument
}

/** Those of the list of counted days, and of blocks of several. */
const listed = (project: string, state: string) =>
  server.documents('counted_days').filter(one => one['project_id'] === project && one['state'] === state)

/** Does work on the server itself. */
async function onServer(work: (days: Collection, counts: Collection) => Promise<void>): Promise<void> {
  await work(kept.db.collection('counted_days'), kept.db.collection('day_counts'))
}

/** Leaves days as a version that knows days alone had counted them. */
const withoutBlocks = (project: string) =>
  onServer(async (days, counts) => {
    await days.deleteMany({ project_id: project, kind: { $exists: true } })
    await counts.deleteMany({ project_id: project, first_day: { $exists: true } })
  })

type Told = 'days' | 'months' | 'nothing'

/** What calls add up to: by the counts of the days of a zone where these are kept, and by the calls in any other. */
async function said(project: string, timeZone: string, by: 'agent' | 'signal' = 'agent', told: Told = 'nothing') {
  const sums = { calls: { $sum: '$calls' }, scores: { $sum: '$score_sum' } }
  const name = by === 'agent' ? '$agent_name' : '$key'
  const time = told === 'days' ? '$day' : { $dateTrunc: { date: '$day', unit: 'month' } }
  const group = {
    _id: told === 'nothing' ? name : { name, time },
    ...(by === 'agent' ? { ...sums, first: { $min: '$first' }, last: { $max: '$last' } } : { calls: sums.calls }),
  }
  const parsed = parsePipeline([{ $group: group }, { $sort: { _id: 1 } }], { shape: countsShape({ by }) })
  const question = { by, spans: [{}], timeZone, months: told === 'months' }
  const options = { lane: 'heavy', deadlineMs: 60_000, maxDocuments: 1_000, once: true } as const
  return (await beside.counts.run(narrowCounts(parsed, scope(project, 'all'), question), options)).documents
}

/** What a write that was cut off left may be finished while it is asked: then it is asked again. */
async function sayTheSame(project: string): Promise<void> {
  const all = async (timeZone: string) => [await said(project, timeZone), await said(project, timeZone, 'signal')]
  let [before, found, expected]: unknown[] = []
  do {
    before = expected
    // oxlint-disable no-await-in-loop -- again where it has to be
    found = await all('UTC')
    expected = await all('Asia/Tokyo')
    // oxlint-enable no-await-in-loop
  } while (!isDeepStrictEqual(found, expected) && !isDeepStrictEqual(before, expected))
  expect(found).toEqual(expected)
}

const WRITES = new Set(['insert', 'update', 'delete', 'findAndModify'])

/** When a lane is taken and given back is a matter of time. */
const isWrite = (name: string, body: Readonly<Record<string, unknown>>): boolean =>
  WRITES.has(name) && !String(body[name]).startsWith('lease')

/** How many writes something is. */
const writesOf = async (work: () => Promise<unknown>): Promise<number> => {
  const before = server.commands.length
  await work()
  return server.commands.slice(before).filter(({ name, body }) => isWrite(name, body)).length
}

/** In the suite every fourth write of who counts, or dies, is the one before which something comes. */
const STEP = sized(4, 1)

/**
 * Counts the days of a project, anew for each of its writes, which waits until something else is done; after each the
 * counts are right. How many writes that is differs: whoever is slow renews what it holds. Gives what came of both,
 * and how many blocks of days are added up in the end.
 */
async function interrupted(work: (project: string) => Promise<unknown>) {
  const found: { counting: string; other: unknown; blocks: number }[] = []
  for (let at = 0; ; at += STEP) {
    // oxlint-disable no-await-in-loop -- one place after the other
    const project = await countedProject()
    await beside.calls.upsert(project, [on('s4', 2)])
    let left = at
    let other: Promise<unknown> | undefined
    server.fault = (name, body) => {
      if (isWrite(name, body)) left -= 1
      if (left >= 0 || other !== undefined) return undefined
      other = work(project)
      return other.then(() => undefined)
    }
    const [counting] = await Promise.allSettled([store.counts.countDays(project, 'UTC')])
    server.fault = undefined
    if (other === undefined) break
    const came = await other
    await sayTheSame(project)
    await beside.counts.countDays(project, 'UTC')
    await sayTheSame(project)
    found.push({ counting: counting.status, other: came, blocks: listed(project, 'summed').length })
    // oxlint-enable no-await-in-loop
  }
  expect(found.length).toBeGreaterThan(5 / STEP)
  return found
}

describe('a process that is killed', () => {
  it.each([
    [
      'while it replaces and adds calls',
      [],
      (p: string) => store.calls.upsert(p, [on('s1', 2), on('s3', 3), on('s4', 4)]),
    ],
    ['while it erases', [], (p: string) => store.calls.eraseAll(p, ['s2', 's3'])],
    ['while it counts', [on('s1', 2), on('s4', 4)], (p: string) => store.counts.countDays(p, 'UTC')],
  ])('leaves days to be counted and none that is wrong: %s', async (_, changed, work) => {
    const changedProject = async () => {
      const project = await countedProject()
      if (changed.length > 0) await beside.calls.upsert(project, changed)
      return project
    }
    const whole = await changedProject()
    const writes = await writesOf(() => work(whole))
    await sayTheSame(whole)
    expect(writes).toBeGreaterThan(5)
    for (let at = 0; at < writes; at += STEP) {
      for (const [column, next] of [store, beside].entries()) {
        if (!isTried(at / STEP, column, 2)) continue
        // oxlint-disable no-await-in-loop -- one death after the other
        const project = await changedProject()
        let left = at
        server.fault = (name, body): Fault | undefined =>
          isWrite(name, body) && (left -= 1) < 0 ? { code: 8, message: 'gone' } : undefined
        await work(project).catch(() => undefined)
        server.fault = undefined
        await sayTheSame(project)
        // Itself, when it is back, or another.
        await next.counts.countDays(project, 'UTC')
        await sayTheSame(project)
        // oxlint-enable no-await-in-loop
      }
    }
  })
})

describe('a write while another process counts', () => {
  it('keeps its days from counting, wherever it comes', async () => {
    const places = await interrupted(project => beside.calls.upsert(project, [on('s1', 2), on('s5', 3)]))
    for (const place of places) expect(place).toMatchObject({ counting: 'fulfilled', other: { stored: 2 } })
  })

  it.each([
    ['what it had not written yet is counted', 'facts'],
    ['what it found on the list may have been less than what is being added up', 'counted_days'],
  ])('that had begun is waited for: %s', async (_, held) => {
    const project = await countedProject()
    await withoutBlocks(project)
    let isHeld = false
    let goOn = () => undefined as void
    const looked = new Promise<void>(resolve => (goOn = resolve))
    server.fault = (name, body) => {
      if (name === 'find' && body['find'] === 'write_lanes' && isHeld) goOn()
      if (name !== 'update' || body['update'] !== held || isHeld) return undefined
      isHeld = true
      return looked
    }
    const writing = beside.calls.upsert(project, [on('s1', 2)])
    await expect.poll(() => isHeld).toBe(true)
    await store.counts.countDays(project, 'UTC')
    server.fault = undefined
    goOn()
    expect(await writing).toMatchObject({ replaced: 1 })
    expect(listed(project, 'counted').length).toBeGreaterThan(1)
    await sayTheSame(project)
  })
})

describe('two processes that count', () => {
  it('take nothing from each other, wherever one of them stalls', async () => {
    const places = await interrupted(project => beside.counts.countDays(project, 'UTC'))
    for (const place of places) expect(place.blocks).toBe(7 + 2 + 1)
  })
})

it('adds up no block while the counts of its days are taken away, by one that stalled when it had chosen them', async () => {
  const project = await countedProject()
  await beside.calls.upsert(project, [on('s4', 2)])
  // One has chosen the day, the other counts it and reads it for a part; then the first begins it anew.
  let [hasReached, hasTaken] = [() => undefined as void, () => undefined as void]
  const reached = new Promise<void>(resolve => (hasReached = resolve))
  const taken = new Promise<void>(resolve => (hasTaken = resolve))
  let other: Promise<unknown> | undefined
  let isReached = false
  server.fault = (name, body) => {
    if (name === 'findAndModify' && body['findAndModify'] === 'counters' && other === undefined) {
      other = beside.counts.countDays(project, 'UTC')
      return reached
    }
    if (name === 'aggregate' && body['aggregate'] === 'day_counts' && !isReached) {
      isReached = true
      hasReached()
      return taken
    }
    if (isReached && name === 'find' && body['find'] === 'write_lanes') hasTaken()
    return undefined
  }
  await store.counts.countDays(project, 'UTC')
  await other
  server.fault = undefined
  expect(isReached).toBe(true)
  await sayTheSame(project)
  await store.counts.countDays(project, 'UTC')
  await sayTheSame(project)
  expect(listed(project, 'summed')).toHaveLength(7 + 2 + 1)
})

describe('a question', () => {
  it('reads counts of whole days, added up on the server over what it does not tell apart', async () => {
    const project = await countedProject()
    await beside.calls.upsert(project, [on('s4', 4)])
    const before = server.commands.length
    await said(project, 'UTC')
    expect(await said(project, 'UTC', 'signal')).toEqual(await said(project, 'Asia/Tokyo', 'signal'))
    const asked = server.commands.slice(before).flatMap(({ name, body }) => (name === 'aggregate' ? [body] : []))
    const reads = (collection: string) => asked.filter(body => body['aggregate'] === collection)
    expect(reads('day_counts')).toHaveLength(2)
    // The day that was not counted yet, and the time before and behind.
    expect(JSON.stringify(reads('facts')[0]?.['pipeline'])).toContain('2026-03-01')
  })

  it('reads a block in place of its days where it does not tell days apart', async () => {
    const project = await countedProject()
    const readBy = async (by: 'agent' | 'signal', told: Told) => {
      const before = server.commands.length
      const found = await said(project, 'UTC', by, told)
      const all = server.commands.slice(before)
      expect(found).toEqual(await said(project, 'Asia/Tokyo', by, told))
      const read = (collection: string) =>
        all.filter(({ body }) => [body['find'], body['aggregate']].includes(collection)).map(one => one.read)
      return { listed: read('counted_days'), rows: read('day_counts') }
    }
    // The month, no day outside of it, and the month once more.
    const month = { listed: [1, 0, 1], rows: [1] }
    expect(await readBy('agent', 'nothing')).toEqual(month)
    expect(await readBy('signal', 'months')).toEqual(month)
    expect(await readBy('agent', 'days')).toEqual({ listed: [28, 28], rows: [3] })
    // Of the second half one day is gone, and with it the month, the half, and a part of it.
    await store.calls.upsert(project, [on('s4', 3)])
    const rest = { listed: [0, 27 + 6 + 1, 1 + 2 + 3], rows: [1] }
    expect(await readBy('agent', 'nothing')).toEqual(rest)
    await store.counts.countDays(project, 'UTC')
    expect(await readBy('agent', 'nothing')).toEqual(month)
  })

  it('asks again where a day changed while it was read', async () => {
    const project = await countedProject()
    let written: Promise<unknown> | undefined
    server.fault = (name, body) => {
      if (name !== 'aggregate' || body['aggregate'] !== 'day_counts' || written !== undefined) return undefined
      written = store.calls.upsert(project, [on('s1', 3)])
      return written.then(() => undefined)
    }
    const found = await said(project, 'UTC')
    server.fault = undefined
    expect(found).toEqual(await said(project, 'Asia/Tokyo'))
  })
})

it('keeps nothing of a day whose calls were all erased, and no value that was masked', async () => {
  const project = await countedProject()
  const keptOf = () =>
    JSON.stringify(
      server.documents('day_counts').filter(one => one['project_id'] === project),
      asText,
    )
  const asText = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)
  expect(keptOf()).toContain('sig.2')
  await store.calls.erase(project, 's2')
  await store.counts.countDays(project, 'UTC')
  expect(keptOf()).not.toContain('sig.2')
  expect(keptOf()).toContain('sig.3')
  // The day counts as none, and so the month is whole.
  expect(listed(project, 'counted')).toHaveLength(28)
  expect(listed(project, 'summed')).toHaveLength(7 + 2 + 1)
  await sayTheSame(project)
})

it('counts the days of one zone only', async () => {
  const project = await countedProject()
  expect(await store.counts.countDays(project, 'Pacific/Chatham')).toBe(28)
  const zones = server.documents('counted_days').filter(one => one['project_id'] === project)
  expect(new Set(zones.map(one => one['time_zone']))).toEqual(new Set(['Pacific/Chatham']))
})

it('adds up a month of a zone that leaves a day of it out', async () => {
  const project = `k${(projects += 1)}`
  const days = ['2011-12-01T20:00Z', '2011-12-29T20:00Z', '2011-12-31T05:00Z']
  await store.calls.upsert(
    project,
    days.map((at, i) => call(`s${i}`, { created_dt: new Date(at).toISOString() })),
  )
  expect(await store.counts.countDays(project, 'Pacific/Apia')).toBe(30)
  expect(listed(project, 'summed')).toHaveLength(8 + 2 + 1)
  expect(await said(project, 'Pacific/Apia', 'agent', 'months')).toHaveLength(1)
  expect(await said(project, 'Pacific/Apia')).toEqual(await said(project, 'UTC'))
})

describe('a process of a version that knows days alone', () => {
  it('left days without blocks: they are right, and get theirs the next time days are counted', async () => {
    const project = await countedProject()
    await withoutBlocks(project)
    await sayTheSame(project)
    expect(await store.counts.countDays(project, 'UTC')).toBe(0)
    expect(listed(project, 'summed')).toHaveLength(7 + 2 + 1)
    await sayTheSame(project)
  })

  it('takes blocks off with the days, and takes away what is kept of them, and of no day that counts', async () => {
    const project = await countedProject()
    const changed = new Date(`${DAYS[1]}T10:00:00.000Z`)
    await onServer(async days => {
      const counted = await days.find({ project_id: project, time_zone: 'UTC', shape: 3, state: 'counted' }).toArray()
      expect(counted.map(one => one['day'] instanceof Date)).toEqual(counted.map(() => true))
      const around = { project_id: project, from: { $lte: changed }, until: { $gt: changed } }
      await days.updateMany(around, { $set: { state: 'dirty' } })
    })
    const dirty = listed(project, 'dirty').map(one => Number(one['day']))
    expect(dirty).toHaveLength(1 + 3)
    await sayTheSame(project)
    await onServer(async (days, counts) => {
      const stale = await days.find({ project_id: project, state: { $in: ['dirty', 'counting'] } }).toArray()
      for (const one of stale) {
        // oxlint-disable no-await-in-loop -- one after the other
        await counts.deleteMany({ project_id: project, day: one['day'] as Date })
        await days.deleteOne({ _id: one._id })
        // oxlint-enable no-await-in-loop
      }
    })
    await sayTheSame(project)
    const rows = server.documents('day_counts').filter(one => one['project_id'] === project && one['by'] === 'agent')
    expect(rows.filter(one => dirty.includes(Number(one['day'])))).toEqual([])
    // Of two days, a part with each, and a half.
    expect(rows).toHaveLength(2 + 2 + 1)
    await store.counts.countDays(project, 'UTC')
    await sayTheSame(project)
  })
})
