import { randomUUID } from 'node:crypto'
import type { Db, Document } from 'mongodb'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { AuditStream } from '../../src/activity/audit-stream.js'
import { AuditTrail } from '../../src/activity/audit-trail.js'
import { ChainKey } from '../../src/activity/chain-key.js'
import { ChainAnchor, signChainHead } from '../../src/activity/chains/chain-anchor.js'
import { ChainSink } from '../../src/activity/chains/chain-sink.js'
import { ChainSource } from '../../src/activity/chains/chain-source.js'
import { sealPlace } from '../../src/activity/chains/seals.js'
import { verifyChains } from '../../src/activity/chains/verify-chains.js'
import type { ActivityRecord } from '../../src/store/activity-record.js'
import { counterOf, seqOf } from '../../src/store/audit-chains.js'
import { connectStore } from '../../src/store/mongodb/connect.js'
import { MongoStore } from '../../src/store/mongodb/mongodb-store.js'
import { anEvent, keptLog } from '../support/activity.js'
import { type FakeServer, fakeServer } from '../support/mongodb/fake-server.js'
import { tempDir } from '../support/temp-dir.js'

const key = new ChainKey('of the tests')
let server: FakeServer

beforeAll(async () => {
  server = await fakeServer()
  return () => server.close()
})

type Line = Document & { readonly _id: number }

/** A store of its own, and processes on it, each with its own connection. */
async function aStore() {
  const url = new URL(server.url)
  url.pathname = `/chains-${randomUUID()}`
  const opened: (() => Promise<void>)[] = []
  const process = async () => {
    const store = await MongoStore.open(await connectStore(url.href))
    const sink = new ChainSink({ store: store.auditChains, leases: store.leases, key })
    const trail = new AuditTrail(sink, { sessionSecret: 'x', retryMs: 5 })
    opened.push(async () => {
      await trail.close()
      await store.close()
    })
    return { store, sink, trail }
  }
  const raw = await connectStore(url.href)
  opened.push(() => raw.client.close())
  const verify = async (options: Parameters<typeof verifyChains>[2] = {}) =>
    await verifyChains((await first).store.auditChains, key, options)
  const first = process()
  const end = async () => void (await Promise.all(opened.map(one => one())))
  return { first: await first, process, verify, end, db: raw.db, lines: raw.db.collection<Line>('activity') }
}

const numbered = (chain: number, counter: number) => ({ _id: seqOf(chain, counter) })

/** What is kept of a trail now; gives back how it is made so again. */
async function stateOf(db: Db): Promise<() => Promise<void>> {
  const collections = ['activity', 'audit_chains', 'counters'].map(name => db.collection(name))
  const kept = await Promise.all(collections.map(one => one.find({}).toArray()))
  return async () => {
    await Promise.all(
      collections.map(async (one, i) => {
        await one.deleteMany({})
        await one.insertMany(kept[i]!)
      }),
    )
  }
}

/** Two processes with five and three lines. */
async function twoChains() {
  const store = await aStore()
  const second = await store.process()
  for (let n = 1; n <= 5; n += 1) await store.first.trail.append(anEvent(n))
  await Promise.all([6, 7, 8].map(n => second.trail.append(anEvent(n, { credential_id: 'key_b' }))))
  return { ...store, second }
}

describe('the audit trail of a store of several processes', () => {
  test('is a chain for each, and what questions count', async () => {
    const { first, second, verify, end } = await twoChains()
    onTestFinished(end)
    expect(await verify()).toMatchObject({ ok: true, segments: 2, lines: 8, findings: [] })
    expect(await verify({ onlyEnds: true })).toMatchObject({ ok: true, segments: 2 })
    const { activity } = second.store
    expect(await activity.summary({ projectId: 'p' })).toMatchObject({ users: 2, requests: 8 })
    const pinned = await activity.pin()
    await first.trail.append(anEvent(9))
    expect(await activity.summary({ projectId: 'p', upTo: pinned })).toMatchObject({ requests: 8 })
    expect(await activity.summary({ projectId: 'p' })).toMatchObject({ requests: 9 })
    const seen: number[] = []
    for (let after; ;) {
      const page = await activity.recent({ projectId: 'p' }, { limit: 2, ...(after && { after }) })
      seen.push(...page.entries.map(({ seq }) => seq))
      if (page.next === undefined) break
      after = page.next
    }
    expect(new Set(seen).size).toBe(9)
    expect(first.trail.health()).toBeUndefined()
    expect(await verifyChains(second.store.auditChains, new ChainKey('another'))).toMatchObject({ ok: false })
  })

  let told: Awaited<ReturnType<typeof twoChains>>
  beforeAll(async () => {
    told = await twoChains()
    return told.end
  })

  test.each<[string, RegExp, (of: Awaited<ReturnType<typeof twoChains>>) => Promise<unknown>]>([
    [
      'a field of a line is changed',
      /^changed: chain 1, line 2: its seal/,
      ({ lines }) => lines.updateOne(numbered(1, 2), { $set: { name: 'Somebody else' } }),
    ],
    [
      'the time of a writing is changed, by which pages are pinned',
      /^changed: chain 1, line 3/,
      ({ lines }) => lines.updateOne(numbered(1, 3), { $set: { written: new Date(0) } }),
    ],
    ['a line is removed', /^missing: chain 1: .* 3 is not there/, ({ lines }) => lines.deleteOne(numbered(1, 3))],
    ['the first is removed', /^missing: chain 2: .* 1 is not there/, ({ lines }) => lines.deleteOne(numbered(2, 1))],
    [
      'the end of a chain is cut',
      /^cut: chain 1: .*5 were acknowledged, and 4 to 5 are not there/,
      async ({ lines }) => {
        await lines.deleteOne(numbered(1, 4))
        await lines.deleteOne(numbered(1, 5))
      },
    ],
    [
      'the end is cut, and the head says so',
      /^head: chain 2: its head is not as it was sealed/,
      async ({ lines, db }) => {
        await lines.deleteOne(numbered(2, 3))
        await db
          .collection<{ _id: number }>('audit_chains')
          .updateOne({ _id: 2 }, { $set: { head: { counter: 2, mac: 'x', seal: 'x' } } })
      },
    ],
    [
      'a chain is removed whole',
      /^cut: chain 1 is on the list of chains, and not there/,
      async ({ first }) => await first.store.auditChains.removeChain(1),
    ],
    [
      'a line is added behind the end',
      /^inserted: chain 2, line 4: it was never written/,
      async ({ lines }) => {
        const last = await lines.findOne(numbered(2, 3))
        await lines.insertOne({ ...last, ...numbered(2, 4) })
      },
    ],
    [
      'the list of chains is removed',
      /^head: the list of chains is missing/,
      ({ db }) => db.collection<{ _id: string }>('counters').deleteOne({ _id: 'audit-chains' }),
    ],
  ])('shows that %s', async (_, found, change) => {
    onTestFinished(await stateOf(told.db))
    expect(await told.verify()).toMatchObject({ ok: true })
    await change(told)
    const { ok, findings } = await told.verify()
    expect(ok).toBe(false)
    expect(findings.map(({ kind, what }) => `${kind}: ${what}`)).toContainEqual(expect.stringMatching(found))
  })

  test('goes on in another chain when it can be written again, and answers nothing meanwhile', async () => {
    const { first, verify, end } = await aStore()
    onTestFinished(end)
    await first.trail.append(anEvent(1))
    // The lines arrive and the head that says so does not, as when a process dies between.
    server.fault = (name, body) =>
      name === 'update' && body['update'] === 'audit_chains' ? { code: 10_107, message: 'not primary' } : undefined
    onTestFinished(() => (server.fault = undefined))
    await expect(first.trail.append(anEvent(2))).rejects.toMatchObject({ code: 'store_unavailable' })
    expect(first.trail.health()).toBe('audit_unavailable')
    server.fault = undefined
    await expect.poll(() => first.trail.health()).toBeUndefined()
    await first.trail.append(anEvent(3))
    expect(await verify()).toMatchObject({ ok: true, segments: 2, lines: 3 })
  })

  test('loses what is too old from its beginning, and verifies from there', async () => {
    const { first, second, verify, lines, end } = await twoChains()
    onTestFinished(end)
    const [fourth] = await first.store.auditChains.lines(1, 3, 1)
    while (Date.now() <= Date.parse(fourth!.written)) await Promise.resolve()
    await first.sink.removeBefore(Date.parse(fourth!.written))
    const left = (await lines.find({}).toArray()).map(({ _id }) => _id)
    expect(left).toContain(seqOf(1, 4))
    expect(left.filter(seq => seq < seqOf(2, 0)).every(seq => counterOf(seq) >= 1)).toBe(true)
    expect(await verify()).toMatchObject({ ok: true })
    // All of the first is too old by and by, and its process is gone.
    await first.trail.close()
    await second.sink.removeBefore(Date.now() + 1_000)
    expect(await verify()).toMatchObject({ ok: true, segments: 1 })
  })

  test.each(['chains', 'lines'] as const)(
    'is whole where what is too old goes while it is verified: before %s are read',
    async read => {
      const { first, second, lines, end } = await twoChains()
      onTestFinished(end)
      const [fifth] = await first.store.auditChains.lines(1, 4, 1)
      while (Date.now() <= Date.parse(fifth!.written)) await Promise.resolve()
      await first.trail.append(anEvent(6))
      const [sixth] = await first.store.auditChains.lines(1, 5, 1)
      const { auditChains } = first.store
      /** As one reads it who is passed by retention, once. */
      const beside = (sink: ChainSink, instant: number) => {
        let removing: Promise<unknown> | undefined
        const before =
          <A extends readonly unknown[], R>(name: string, reads: (...asked: A) => Promise<R>) =>
          async (...asked: A) => {
            if (name === read) await (removing ??= sink.removeBefore(instant))
            return await reads(...asked)
          }
        return {
          list: () => auditChains.list(),
          chains: before('chains', () => auditChains.chains()),
          lines: before('lines', (...asked: Parameters<typeof auditChains.lines>) => auditChains.lines(...asked)),
        }
      }
      expect(await verifyChains(beside(second.sink, Date.parse(sixth!.written)), key)).toMatchObject({
        findings: [],
        lines: 4,
      })
      expect(await lines.countDocuments()).toBe(4)
      // All of the first goes, and its process is gone; another looks, since one does so once an hour.
      await first.trail.close()
      while (Date.now() <= Date.parse(sixth!.written)) await Promise.resolve()
      const { auditChains: store, leases } = second.store
      const another = new ChainSink({ store, leases, key })
      expect((await verifyChains(beside(another, Date.now()), key)).findings).toEqual([])
      expect(await lines.countDocuments({ _id: { $lt: seqOf(2, 0) } })).toBe(0)
    },
  )

  test('loses what is too old also where whoever took it off the list was killed before it was gone', async () => {
    const { first, second, process, verify, lines, end } = await twoChains()
    onTestFinished(end)
    await first.trail.close()
    server.fault = (name, body) => {
      if (name !== 'delete' || body['delete'] !== 'activity') return undefined
      server.fault = undefined
      return { code: 13, message: 'not authorized' }
    }
    await expect(second.sink.removeBefore(Date.now() + 1_000)).rejects.toThrow('name and password')
    const left = () => lines.countDocuments({ _id: { $lt: seqOf(2, 0) } })
    expect(await left()).toBe(5)
    const third = await process()
    expect(await third.sink.removeBefore(0)).toEqual(['chain 1: 5 lines'])
    expect(await left()).toBe(0)
    expect(await verify()).toMatchObject({ ok: true, segments: 1 })
  })

  test('is streamed by one process, each line once, and gone on with by another', async () => {
    const { first, second, end } = await twoChains()
    onTestFinished(end)
    const got: number[] = []
    const target = {
      send: async (events: readonly ActivityRecord[]) => {
        got.push(...events.map(({ seq }) => seq))
        return await Promise.resolve(events.at(-1)?.seq)
      },
      settled: () => undefined,
      close: async () => await Promise.resolve(undefined),
    }
    const streamOf = ({ store }: typeof first) =>
      new AuditStream({
        source: new ChainSource({ store: store.auditChains, leases: store.leases, name: 'x' }),
        target,
        log: keptLog(),
        intervalMs: 5,
      })
    const stream = streamOf(first)
    await expect.poll(() => got.length).toBe(8)
    const other = streamOf(second)
    onTestFinished(() => other.close())
    await second.trail.append(anEvent(10))
    await expect.poll(() => got.length).toBe(9)
    await stream.close()
    await first.trail.append(anEvent(11))
    await expect.poll(() => got.length).toBe(10)
    expect(new Set(got).size).toBe(10)
  })

  test('is held against heads that are anchored elsewhere', async () => {
    const { first, second, verify, lines, db, end } = await twoChains()
    onTestFinished(end)
    const kept: string[] = []
    const anchor = new ChainAnchor({
      sink: first.sink,
      keep: async line => void kept.push(await Promise.resolve(line)),
      log: keptLog(),
    })
    await expect.poll(() => kept.length).toBe(1)
    await first.trail.append(anEvent(9))
    await anchor.close()
    expect(kept).toHaveLength(2)
    const anchorFile = join(tempDir(), 'anchor')
    writeFileSync(anchorFile, kept.join('') + signChainHead(second.sink.head!, key))
    expect(await verify({ anchorFile })).toMatchObject({ ok: true })
    // The whole of it was put back to an earlier state: in itself it is right.
    const [chain] = await first.store.auditChains.chains()
    await lines.deleteOne(numbered(1, 6))
    const [fifth] = await first.store.auditChains.lines(1, 4, 1)
    await first.store.auditChains.putHead(1, sealPlace(key, 'head', 1, { counter: 5, mac: fifth!.mac }))
    expect(await verify()).toMatchObject({ ok: true })
    expect((await verify({ anchorFile })).findings).toMatchObject([{ kind: 'anchor', what: /anchored, and not there/ }])
    writeFileSync(anchorFile, kept[0]!.replace('"last":5', '"last":4'))
    expect((await verify({ anchorFile })).findings).toMatchObject([{ kind: 'anchor', line: 1 }])
    expect(chain?.pid).toBe(process.pid)
    expect(db.databaseName).toMatch(/^chains-/)
  })
})
