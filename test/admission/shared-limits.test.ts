import { beforeAll, describe, expect, test } from 'vitest'
import type { Admission } from '../../src/admission/admission.js'
import { RateLimit } from '../../src/admission/rate-limit.js'
import type { MongoStore } from '../../src/store/mongodb/mongodb-store.js'
import { anAdmission } from '../support/an-admission.js'
import { mongoStore, type OpenedMongo } from '../support/mongodb/mongo-store.js'

let opened: OpenedMongo
let stores: readonly [MongoStore, MongoStore]

beforeAll(async () => {
  opened = await mongoStore()
  stores = [opened.store, await opened.beside()]
  return () => opened.end()
})

/** What two processes let in. */
function twoProcesses(settings: Parameters<typeof anAdmission>[0] = {}): readonly [Admission, Admission] {
  const [one, other] = stores.map(({ limiterOf, spent, leases }) => anAdmission(settings, { limiterOf, spent, leases }))
  return [one!, other!]
}

const refused = async (work: Promise<unknown>): Promise<string | undefined> =>
  await work.then(
    () => undefined,
    (error: unknown) => String((error as { code?: string }).code),
  )

describe('limits of all processes of a store together', () => {
  test('let in as many requests a minute as a key may send, not as many for each process', async () => {
    const [one, other] = twoProcesses({ requestsPerMinute: 5 })
    const asking = { key: 'k', project: 'p' }
    const taken = []
    for (let n = 0; n < 10; n += 1) taken.push(await refused((n % 2 === 0 ? one : other).rate.take(asking)))
    expect(taken.filter(code => code === undefined)).toHaveLength(5)
    expect(taken.at(-1)).toBe('too_many_requests')
    expect(await refused(one.rate.take({ key: 'another', project: 'p' }))).toBeUndefined()
  })

  test('count at once, and failures by address', async () => {
    const limits = twoProcesses().map(one => one.rateLimit(4, 'tries a minute per address'))
    const tries = await Promise.all([...limits, ...limits, ...limits].map(limit => refused(limit.take('192.0.2.1'))))
    expect(tries.filter(code => code === undefined)).toHaveLength(4)
  })

  test('are those of each process where the store does not answer', async () => {
    if (opened.server === undefined) return
    opened.server.fault = name => (name === 'findAndModify' ? { code: 91, message: 'shutting down' } : undefined)
    const limit = new RateLimit(2, 'requests in the dark', stores[0].limiterOf)
    const tries = [await refused(limit.take('k')), await refused(limit.take('k')), await refused(limit.take('k'))]
    opened.server.fault = name => (name === 'findAndModify' ? 'hang' : undefined)
    tries.push(await refused(limit.take('k')))
    opened.server.fault = undefined
    expect(tries).toEqual([undefined, undefined, 'too_many_requests', 'too_many_requests'])
  })

  test('know what a key has had of its day, whoever answered it', async () => {
    const [one, other] = twoProcesses()
    const budget = { questions: 3, bytes: 1_000 }
    const first = await one.budgets.take('key_a', budget)
    await other.budgets.take('key_a', budget)
    await one.budgets.take('key_a', budget)
    expect(await refused(Promise.resolve().then(() => other.budgets.take('key_a', budget)))).toBe('too_many_requests')
    expect(one.budgets.left('key_a', budget)).toMatchObject({ questions: 0, bytes: 1_000 })
    first.answered(400)
    expect(one.budgets.left('key_a', budget)).toMatchObject({ bytes: 600 })
    await one.close()
    const more = await other.budgets.take('key_a', { questions: 10, bytes: 401 })
    more.answered(1)
    await other.close()
    expect(await refused(Promise.resolve().then(() => one.budgets.take('key_a', { bytes: 401 })))).toBe(
      'too_many_requests',
    )
    // A key that a rotation put in its place spends the same, also by a process that was never asked by it.
    const [third] = twoProcesses()
    for (const { budgets } of [one, other, third]) budgets.spendAs(id => (id === 'key_b' ? 'key_a' : id))
    expect(await refused(Promise.resolve().then(() => third.budgets.take('key_b', budget)))).toBe('too_many_requests')
    await other.budgets.take('key_b', { questions: 10 })
    for (const id of ['key_a', 'key_b'])
      expect(other.budgets.left(id, { questions: 10 })).toMatchObject({ questions: 5 })
    expect(other.budgets.totals().spent).toMatchObject({ bytes: 1 })
  })

  test('one heavy question of a key at a time, and others of other keys', async () => {
    const [one, other] = twoProcesses()
    const asking = { project: 'p', key: 'k' }
    const giveBack = await one.heavyQuestions.take(asking, {})
    expect(await refused(other.heavyQuestions.take(asking, { deadlineMs: 120 }))).toBe('deadline_exceeded')
    expect(await refused(other.heavyQuestions.take(asking, { signal: AbortSignal.abort() }))).toBe('cancelled')
    const elsewhere = await other.heavyQuestions.take({ project: 'p', key: 'l' }, {})
    const waiting = other.heavyQuestions.take(asking, { deadlineMs: 10_000 })
    giveBack()
    const next = await waiting
    expect(await refused(one.heavyQuestions.take(asking, { deadlineMs: 120 }))).toBe('deadline_exceeded')
    next()
    elsewhere()
    await expect.poll(async () => (await stores[0].leases.held('heavy questions')).size).toBe(0)
  })

  test('as many uploads as a project may have at once, and all of them back when they end', async () => {
    const [one, other] = twoProcesses()
    const asking = { project: 'p', key: 'k' }
    const shares = []
    for (let n = 0; n < 6; n += 1) shares.push(await (n % 2 === 0 ? one : other).takeUpload(asking))
    expect(await refused(one.takeUpload(asking))).toBe('too_many_requests')
    expect(one.shares()['uploads']).toBe(3)
    const elsewhere = await one.takeUpload({ project: 'q', key: 'k' })
    shares.pop()!.release()
    await expect.poll(() => refused(one.takeUpload(asking))).toBeUndefined()
    elsewhere.release()
  })

  test('gives back the places of a process that died, after their time', async () => {
    if (opened.server === undefined) return
    const [one, other] = twoProcesses()
    const asking = { project: 'dead', key: 'k' }
    await one.heavyQuestions.take(asking, {})
    expect(await refused(other.heavyQuestions.take(asking, { deadlineMs: 60 }))).toBe('deadline_exceeded')
    // Nobody renews it: by the server's clock its time is over.
    opened.server.hello = { localTime: new Date(Date.now() + 45_000) }
    const giveBack = await other.heavyQuestions.take(asking, { deadlineMs: 10_000 })
    opened.server.hello = {}
    giveBack()
  })
})
