import { narrow } from '../../src/pipeline/index.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FairSlots } from '../../src/admission/fair-slots.js'
import type { AnsweringParts } from '../../src/questions/create-answering.js'
import { queryInteractions } from '../../src/questions/query-interactions.js'
import { BudgetSpent } from '../../src/store/light-budget.js'
import type { RunOptions } from '../../src/store/store.js'
import { anAdmission } from '../support/an-admission.js'
import { type Asking, asking, caller } from '../support/asking.js'
import { call } from '../support/call.js'

const ONE_STAGE = { pipeline: [{ $limit: 1 }] }
const FOUND = { documents: [], truncated: false, plan: { engine_stages: 1, evaluated_stages: 0 } }

const keyOf = (projectId: string, key: string) => ({ ...caller({}, projectId), credential_id: key })

const nextTurn = () => new Promise(resolve => setImmediate(resolve))

describe('with a store in which all is heavy', () => {
  const opened: Asking[] = []
  afterAll(async () => {
    for (const one of opened) await one.close()
  })

  /** @param run what becomes of a query among the heavy ones */
  async function heavyOnly(run: (projectId: string) => Promise<void>, heavy = anAdmission().heavyQuestions) {
    const lanes: RunOptions['lane'][] = []
    const running = { most: 0, now: 0 }
    const answered: AnsweringParts['store']['run'] = async (scoped, { lane, budget }) => {
      lanes.push(lane)
      if (lane === 'light') {
        running.now += 1
        if (scoped.scope.projectId === 'p') running.most = Math.max(running.most, running.now)
        await nextTurn()
        running.now -= 1
        budget?.spend(budget.leftMs)
        throw new BudgetSpent()
      }
      await run(scoped.scope.projectId)
      return FOUND
    }
    const store: AnsweringParts['store'] = {
      activity: undefined as never,
      calls: { liftFits: async () => [] },
      plan: () => FOUND.plan,
      run: answered,
      counts: {
        keepsSettled: true,
        run: (counts, options) => answered(narrow(counts.pipeline, counts.scope), options),
      },
    }
    const world = await asking('UTC', { store, heavy })
    opened.push(world)
    const ask: Asking['ask'] = (...asked) => world.ask(...asked)
    return { ask, lanes, running }
  }

  test('two keys of one project with all they may have waiting keep none of another waiting', async () => {
    let end: () => void = () => undefined
    const ended = new Promise<void>(resolve => (end = resolve))
    const { ask, running } = await heavyOnly(projectId =>
      projectId === 'p' ? ended : nextTurn().then(() => undefined),
    )
    const flood = ['k1', 'k2'].flatMap(key =>
      Array.from({ length: 50 }, () => ask(queryInteractions, ONE_STAGE, keyOf('p', key))),
    )
    let refusedByNow = 0
    for (const one of flood) one.catch(() => (refusedByNow += 1))
    const flooded = Promise.allSettled(flood)
    await expect.poll(() => refusedByNow).toBe(100 - 2 - 64)
    // What may turn out to be heavy is light first: all hundred at once would keep the engine, and this thread, busy with it.
    expect(running.most).toBe(2)
    const asked = Array.from({ length: 24 }, () => ask(queryInteractions, ONE_STAGE, keyOf('other', 'quiet')))
    const answered = await Promise.allSettled(asked)
    expect(answered.filter(({ status }) => status === 'rejected')).toEqual([])
    end()
    const refused = (await flooded).filter(one => one.status === 'rejected')
    expect(refused).toHaveLength(100 - 2 - 64)
    for (const one of refused) expect(one).toMatchObject({ reason: { code: 'busy' } })
  })

  test('an answer goes on among the heavy ones when its time among the light ones is spent, and gives the place back', async () => {
    const heavy = new FairSlots({ what: 'heavy questions', places: 1, waitingOfKey: 1, waitingOfProject: 1 })
    let during = heavy.load
    const { ask, lanes } = await heavyOnly(async () => void (during = heavy.load), heavy)
    await ask(queryInteractions, ONE_STAGE)
    // Asked again where it may take longer, and what is asked behind it there at once.
    expect(lanes.slice(0, 2)).toEqual(['light', 'heavy'])
    expect(lanes.slice(2).filter(lane => lane === 'light')).toEqual([])
    expect(during).toEqual({ running: 1, waiting: 0 })
    expect(heavy.load).toEqual({ running: 0, waiting: 0 })
  })

  test('an answer that fails gives its place back', async () => {
    const heavy = new FairSlots({ what: 'heavy questions', places: 1, waitingOfKey: 1, waitingOfProject: 1 })
    const { ask } = await heavyOnly(() => Promise.reject(new Error('x')), heavy)
    await expect(ask(queryInteractions, ONE_STAGE)).rejects.toThrow('x')
    expect(heavy.load).toEqual({ running: 0, waiting: 0 })
  })
})

describe('with a real store', () => {
  let world: Asking
  beforeAll(async () => {
    world = await asking()
    await world.import(
      'p',
      Array.from({ length: 200 }, (_, index) => call(`s${index}`)),
    )
  })
  afterAll(() => world.close())

  test('sixteen clients of one key, each asking one thing after the other, are all answered', async () => {
    const client = async (number: number): Promise<void> => {
      for (let round = 0; round < 10; round += 1) {
        const pipeline = [
          { $match: { session_id: { $ne: `s${number}-${round}` } } },
          { $group: { _id: '$agent_name', calls: { $sum: 1 }, score: { $avg: '$score' } } },
        ]
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        const { documents } = await world.ask(queryInteractions, { pipeline }, keyOf('p', 'busy'))
        expect(documents).toMatchObject([{ calls: 200 }])
      }
    }
    await Promise.all(Array.from({ length: 16 }, (_, number) => client(number)))
  })

  test('a pipeline that the engine can’t run whole is heavy, and answered', async () => {
    const pipeline = [{ $group: { _id: null, all: { $push: '$session_id' } } }, { $project: { n: { $size: '$all' } } }]
    const asked = Array.from({ length: 16 }, () => world.ask(queryInteractions, { pipeline }, keyOf('p', 'busy')))
    for (const { documents } of await Promise.all(asked)) expect(documents).toMatchObject([{ n: 200 }])
  })
})
