import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { refitLift } from '../../../src/evaluation/lift/refit-lift.js'
import { defaultRubric } from '../../../src/evaluation/rubric/built-in-rubrics.js'
import type { DuckDbStore } from '../../../src/store/duckdb/duckdb-store.js'
import { openDuckDbStore } from '../../../src/store/duckdb/open-duckdb-store.js'
import { InProcessTurns } from '../../../src/store/in-process-turns.js'
import type { LiftStore } from '../../../src/store/lift-store.js'
import type { CallRecord } from '../../../src/calls/call-record.js'
import { call, rows } from '../../store/duckdb/support.js'
import { beginStore } from '../../support/begun-store.js'
import { sized } from '../../support/whole.js'
import { byRules, outcome, simulate, type SimulatedCall } from './simulated-calls.js'

const CALLS = sized(2_000, 4_000)
/** Small worlds of which a share is told. */
const WORLDS = sized(5, 10)
const DRIVERS = { 'reset password': 0.8, complaint: -0.8 }
const AGENTS = { Warm: 0.8, Cold: 0.2 }
const EFFECTS = {
  'sig.empathy_shown': 1.2,
  'sig.details_read_back': 0.6,
  'sig.dead_air': -1,
  'sig.greeting_given': 0,
}
const NO_EFFECTS = Object.fromEntries(Object.keys(EFFECTS).map(key => [key, 0]))

/** Every world is a project of one store. */
let store: DuckDbStore
let projects = 0
beforeAll(async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'earshot-lift-'))
  await beginStore(dataDir)
  store = await openDuckDbStore({ dataDir, memoryLimit: '256MB', threads: 1 })
  return async () => {
    await store.close()
    rmSync(dataDir, { recursive: true })
  }
})

const refit = (projectId: string, rubric = defaultRubric) => refitLift({ store, projectId, rubric })

/** A project with these calls. */
async function filled(records: readonly CallRecord[]): Promise<string> {
  const project = `p${(projects += 1)}`
  await store.calls.upsert(
    project,
    records.map(record => call(record.session_id, record)),
  )
  return project
}

/** What was fitted, by session_id. */
async function lifts(project: string) {
  const found = await store.query(
    {
      sql: `select session_id, outcome_lift.lift, outcome_lift.p_behavioral, outcome_lift.p_context from calls
        where project_id = $1 and outcome_lift is not null order by 1`,
      params: [project],
      decode: row => row as never,
    },
    { lane: 'light', deadlineMs: 60_000, maxRows: 10_000 },
  )
  return (found.documents as unknown as [string, number, number, number][]).map(([id, lift, behavioral, context]) => ({
    id,
    lift,
    behavioral,
    context,
  }))
}

async function simulated(calls: readonly SimulatedCall[]) {
  const project = await filled(calls.map(({ record }) => record))
  const [report] = await refit(project)
  const found = new Map((await lifts(project)).map(one => [one.id, one]))
  return { project, report, seen: calls.map(one => ({ ...one, ...found.get(one.record.session_id)! })) }
}

/** A world of which signals tell, fitted once. */
let effective: ReturnType<typeof simulated> | undefined
const withEffects = () =>
  (effective ??= simulated(simulate({ seed: 1, calls: CALLS, drivers: DRIVERS, effects: EFFECTS, agents: AGENTS })))

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
const meanOf = <T>(all: readonly T[], value: (one: T) => number) => mean(all.map(value))

describe('outcome lift', () => {
  it('finds an effect that is there: its sign and its size', async () => {
    const { report, seen } = await withEffects()
    expect(report).toMatchObject({ evaluator: 'rules', calls: CALLS, lifts: CALLS, changed: CALLS })
    expect(report?.none).toBeUndefined()
    const context = (driver: string) =>
      meanOf(
        seen.filter(one => one.driver === driver),
        one => one.chance,
      )
    const truth = seen.map(one => one.chance - context(one.driver))
    // A call's lift is its true one to some hundredths, and an agent's to a hundredth or two.
    expect(meanOf(seen, one => Math.abs(one.behavioral - one.chance))).toBeLessThan(0.03)
    for (const agent of ['Warm', 'Cold']) {
      const own = seen.map((one, at) => ({ ...one, truth: truth[at]! })).filter(one => one.agent === agent)
      expect(Math.abs(meanOf(own, one => one.lift) - meanOf(own, one => one.truth))).toBeLessThan(0.02)
    }
    expect(
      meanOf(
        seen.filter(one => one.agent === 'Warm'),
        one => one.lift,
      ),
    ).toBeGreaterThan(0.03)
    expect(seen.every(one => Math.abs(one.lift - (one.behavioral - one.context)) < 1e-9)).toBe(true)
  })

  it('is near zero where what the agent does changes nothing', async () => {
    const world = { drivers: DRIVERS, effects: NO_EFFECTS, agents: AGENTS }
    const many = await simulated(simulate({ ...world, seed: 2, calls: 4_000 }))
    expect(meanOf(many.seen, one => Math.abs(one.lift))).toBeLessThan(0.02)
    const few = await simulated(simulate({ ...world, seed: 3, calls: 100 }))
    expect(meanOf(few.seen, one => Math.abs(one.lift))).toBeLessThan(0.1)
  })

  it('is 0 on average, of all calls and of each reason for calls, however much signals do and whatever is usual there', async () => {
    const drivers = { 'reset password': 2, complaint: -2.5, bill: 1 }
    // Whoever has complaints shows signals seldom.
    const { seen } = await simulated(
      simulate({
        seed: 11,
        calls: CALLS,
        drivers,
        effects: Object.fromEntries(Object.keys(EFFECTS).map(key => [key, 1.5])),
        agents: { ...AGENTS, Hard: 0.1 },
        specialists: { Hard: 'complaint' },
      }),
    )
    expect(Math.abs(meanOf(seen, one => one.lift))).toBeLessThan(0.003)
    for (const driver of Object.keys(drivers)) {
      const calls = seen.filter(one => one.driver === driver)
      expect(Math.abs(meanOf(calls, one => one.lift))).toBeLessThan(0.006)
      expect(meanOf(calls, one => Math.abs(one.lift))).toBeGreaterThan(0.02)
    }
  })

  it('does not take an easy or a hard task for the agent’s doing', async () => {
    const specialists = { Easy: 'reset password', Hard: 'complaint' }
    const agents = { ...AGENTS, Easy: 0.5, Hard: 0.5 }
    const { seen } = await simulated(
      simulate({ seed: 4, calls: CALLS, drivers: DRIVERS, effects: NO_EFFECTS, agents, specialists }),
    )
    for (const agent of ['Easy', 'Hard']) {
      expect(
        Math.abs(
          meanOf(
            seen.filter(one => one.agent === agent),
            one => one.lift,
          ),
        ),
      ).toBeLessThan(0.02)
    }
  })

  it('does not credit signals with what an agent does that no signal shows', async () => {
    const { seen } = await simulated(
      simulate({
        seed: 9,
        calls: CALLS,
        drivers: DRIVERS,
        effects: NO_EFFECTS,
        agents: AGENTS,
        skills: { Warm: 0.8, Cold: -0.8 },
      }),
    )
    for (const agent of ['Warm', 'Cold']) {
      const own = seen.filter(one => one.agent === agent)
      expect(Math.abs(meanOf(own, one => one.lift))).toBeLessThan(0.02)
    }
  })

  it('has no band but neutral where its interval holds 0, and one where it does not', async () => {
    const keys = defaultRubric.rubric.signals.filter(({ side }) => side === 'agent').map(({ key }) => key)
    const nothing = Object.fromEntries(keys.map(key => [key, 0]))
    const bandedOf = async (project: string) =>
      (
        await rows(
          store,
          `select count(*) filter (outcome_lift.lift_band <> 'neutral')::int, count(*) filter (abs(outcome_lift.lift) >= 0.1)::int
             from calls where project_id = $1`,
          [project],
        )
      )[0] as readonly [number, number]
    let [banded, large] = [0, 0]
    for (let seed = 20; seed < 20 + WORLDS; seed += 1) {
      const { project } = await simulated(
        simulate({ seed, calls: 100, drivers: DRIVERS, effects: nothing, agents: AGENTS }),
      )
      const [told, beyond] = await bandedOf(project)
      banded += told
      large += beyond
    }
    expect(banded).toBeLessThan(0.05 * WORLDS * 100)
    expect(large).toBeGreaterThan(0.1 * WORLDS * 100)
    const { project } = await withEffects()
    const [told, beyond] = await bandedOf(project)
    expect(told).toBeGreaterThan(0.9 * beyond)
    expect(beyond).toBeGreaterThan(CALLS / 4)
  })

  it('lets no call speak for itself: chance outcomes are not predicted', async () => {
    const keys = defaultRubric.rubric.signals.filter(({ side }) => side === 'agent').map(({ key }) => key)
    const effects = Object.fromEntries(keys.map(key => [key, 0]))
    const apart: number[] = []
    for (let seed = 10; seed < 10 + WORLDS; seed += 1) {
      const { seen } = await simulated(simulate({ seed, calls: 80, drivers: { a: 0 }, effects, agents: { Ana: 0.5 } }))
      const good = seen.filter(one => one.positive)
      const bad = seen.filter(one => !one.positive)
      apart.push(meanOf(good, one => one.lift) - meanOf(bad, one => one.lift))
    }
    expect(mean(apart)).toBeLessThan(0.05)
  })

  it('is the same, to the bit, for the same calls in any order, and is not written twice', async () => {
    const calls = simulate({ seed: 5, calls: 600, drivers: DRIVERS, effects: EFFECTS, agents: AGENTS })
    const one = await simulated(calls)
    const other = await simulated(calls.toReversed())
    expect(await lifts(one.project)).toEqual(await lifts(other.project))
    expect(await refit(one.project)).toMatchObject([{ lifts: 600, changed: 0 }])
  })

  it('is written to calls too that the store moved while it was written, and are in no page of the first round', async () => {
    const calls = simulate({ seed: 8, calls: 600, drivers: DRIVERS, effects: EFFECTS, agents: AGENTS })
    const project = await filled(calls.map(({ record }) => record))
    let rounds = 0
    const moving: LiftStore = {
      countLiftCalls: (...asked) => store.calls.countLiftCalls(...asked),
      alikeCalls: (...asked) => store.calls.alikeCalls(...asked),
      writeLifts: (...asked) => store.calls.writeLifts(...asked),
      liftFits: (...asked) => store.calls.liftFits(...asked),
      writeLiftFit: (...asked) => store.calls.writeLiftFit(...asked),
      async *liftPages(...asked) {
        rounds += 1
        const missed = rounds === 1 ? 7 : 0
        for await (const page of store.calls.liftPages(...asked)) yield { ...page, calls: page.calls.slice(missed) }
      },
    }
    const reports = await refitLift({
      store: { calls: moving, turns: store.turns },
      projectId: project,
      rubric: defaultRubric,
    })
    expect(reports).toMatchObject([{ lifts: 600, changed: 600 }])
    expect(await lifts(project)).toHaveLength(600)
    // The second found all; of the model's there is nothing to find.
    expect(rounds).toBe(3)
  })

  it('is fitted to a part of very many calls, the same each time, and written to all', async () => {
    const project = await filled(
      simulate({ seed: 12, calls: 4_000, drivers: DRIVERS, effects: EFFECTS, agents: AGENTS }).map(one => one.record),
    )
    const many: LiftStore = {
      countLiftCalls: async () => 1_000_000,
      alikeCalls: (...asked) => store.calls.alikeCalls(...asked),
      liftPages: (...asked) => store.calls.liftPages(...asked),
      liftFits: (...asked) => store.calls.liftFits(...asked),
      writeLifts: (...asked) => store.calls.writeLifts(...asked),
      writeLiftFit: (...asked) => store.calls.writeLiftFit(...asked),
    }
    const [report] = await refitLift({
      store: { calls: many, turns: store.turns },
      projectId: project,
      rubric: defaultRubric,
    })
    expect(report!.calls).toBeGreaterThan(800)
    expect(report!.calls).toBeLessThan(1_200)
    const found = await lifts(project)
    expect(found).toHaveLength(4_000)
    expect(meanOf(found, one => Math.abs(one.lift))).toBeGreaterThan(0.02)
    expect(Math.abs(meanOf(found, one => one.lift))).toBeLessThan(0.01)
    const [again] = await refitLift({
      store: { calls: many, turns: store.turns },
      projectId: project,
      rubric: defaultRubric,
    })
    expect(again!.changed).toBe(0)
  })

  it('says that a signal does not apply, or is not known, neither for nor against the agent', async () => {
    const calls = simulate({ seed: 6, calls: 1_000, drivers: { a: 0 }, effects: EFFECTS, agents: AGENTS })
    const bare = { ...calls[0]!.record, session_id: 'bare', signals: [] }
    const project = await filled([...calls.map(({ record }) => record), bare])
    await refit(project)
    const found = (await lifts(project)).find(({ id }) => id === 'bare')
    expect(Math.abs(found!.lift)).toBeLessThan(0.03)
  })
})

describe('a field that says how calls came out', () => {
  const answered = (more: (n: number) => CallRecord['session_metadata']) =>
    simulate({ seed: 7, calls: 1_000, drivers: DRIVERS, effects: EFFECTS, agents: AGENTS }).map((one, n) => ({
      ...one,
      // What is predicted says the contrary of what the customer does.
      record: {
        ...one.record,
        conditions: outcome(!one.positive),
        ...(n % 5 > 0 && { session_metadata: { 'survey/1': one.positive ? 5 : 2, ...more(n) } }),
      },
    }))

  it('is what lift explains; calls without it are left out of the fit, and have a lift', async () => {
    const calls = answered(() => ({}))
    const project = await filled(calls.map(({ record }) => record))
    const by = (setting?: string) => refitLift({ store, projectId: project, rubric: defaultRubric, outcome: setting })
    const positive = calls.filter((one, n) => n % 5 > 0 && one.positive).length
    expect(await by('metadata.survey/1>=4')).toMatchObject([
      { outcome: 'metadata.survey/1>=4', calls: 800, positive, lifts: 1_000, changed: 1_000 },
    ])
    const warm = async () => {
      const own = new Map((await lifts(project)).map(one => [one.id, one.lift]))
      return meanOf(
        calls.filter(one => one.agent === 'Warm'),
        one => own.get(one.record.session_id)!,
      )
    }
    expect(await warm()).toBeGreaterThan(0.03)
    expect(await by()).toMatchObject([{ outcome: 'predicted_csat', calls: 1_000, lifts: 1_000 }])
    expect(await warm()).toBeLessThan(-0.03)
  })

  it('gives no lift where too few calls have it, or it says neither, and it is said why', async () => {
    const project = await filled(
      answered(n => ({ resolved: n < 20, long: 'x'.repeat(400) })).map(({ record }) => record),
    )
    const by = async (setting: string) =>
      (await refitLift({ store, projectId: project, rubric: defaultRubric, outcome: setting }))[0]
    expect(await by('metadata.nowhere')).toMatchObject({
      lifts: 0,
      none: 'It takes 50 evaluated calls that say metadata.nowhere; there are 0',
    })
    expect(await by('metadata.long')).toMatchObject({ calls: 0 })
    expect(await by('metadata.survey/1')).toMatchObject({ calls: 0 })
    expect(await by('metadata.resolved')).toMatchObject({ calls: 800, positive: 16, lifts: 1_000 })
    expect(await by('metadata.resolved=maybe')).toMatchObject({
      none: 'It takes 10 calls of either outcome (metadata.resolved=maybe); 0 are positive and 800 are not',
    })
    expect(await lifts(project)).toEqual([])
  })
})

describe('there is no outcome lift', () => {
  const some = (count: number, positive: number, more: Partial<CallRecord> = {}) =>
    Array.from({ length: count }, (_, n): CallRecord => {
      const conditions = outcome(n < positive)
      const signals = [{ key: 'sig.greeting_given', state: n % 3 === 0 ? ('present' as const) : ('absent' as const) }]
      const fields = { agent_name: 'Ana', created_dt: '2026-03-01T12:00:00.000Z', conditions, signals }
      return { session_id: `s${n}`, ...fields, evaluation: byRules, ...more }
    })

  it('below 50 evaluated calls and below 10 of either outcome, and it is said why', async () => {
    const few = await filled(some(49, 25))
    expect(await refit(few)).toEqual([
      {
        evaluator: 'rules',
        outcome: 'predicted_csat',
        calls: 49,
        positive: 25,
        lifts: 0,
        changed: 0,
        none: 'It takes 50 evaluated calls; there are 49',
      },
    ])
    const oneSided = await filled(some(60, 51))
    expect(await refit(oneSided)).toMatchObject([
      { lifts: 0, none: 'It takes 10 calls of either outcome; 51 are positive and 9 are not' },
    ])
    expect(await refit(await filled(some(50, 10)))).toMatchObject([{ calls: 50, positive: 10, lifts: 50 }])
    expect(await refit(await filled([]))).toMatchObject([{ calls: 0, lifts: 0 }])
  })

  it('any more when there are too few calls left', async () => {
    const project = await filled(some(60, 30))
    await refit(project)
    expect(await lifts(project)).toHaveLength(60)
    for (let n = 0; n < 11; n += 1) await store.calls.erase(project, `s${n}`)
    expect(await refit(project)).toMatchObject([{ calls: 49, lifts: 0, changed: 49 }])
    expect(await lifts(project)).toEqual([])
  })

  it('of calls that another version of the rubric evaluated, from the first fit to those of the new one on, and it is said', async () => {
    const changed = { ...defaultRubric, version: 'project-1' }
    const evaluated = (record: CallRecord) => ({
      ...record,
      evaluation: { ...record.evaluation!, rubric_version: changed.version },
    })
    const records = ['a', 'b'].flatMap(part =>
      some(60, 30).map(one => ({ ...one, session_id: `${part}${one.session_id}` })),
    )
    const project = await filled(records.slice(0, 60))
    await refit(project)
    const before = await lifts(project)
    const fit = await store.calls.liftFits(project)
    const anew = async (from: number, to: number) => {
      const calls = records.slice(from, to).map(record => call(record.session_id, evaluated(record)))
      await store.calls.upsert(project, calls)
      return await refit(project, changed)
    }
    const none = 'It takes 50 evaluated calls; there are 49'
    expect(await anew(60, 109)).toEqual([
      {
        evaluator: 'rules',
        outcome: 'predicted_csat',
        calls: 49,
        positive: 30,
        lifts: 60,
        changed: 0,
        none,
      },
    ])
    expect(await lifts(project)).toEqual(before)
    expect(await store.calls.liftFits(project)).toEqual(fit)
    expect(await anew(109, 120)).toMatchObject([{ calls: 60, lifts: 60, changed: 120, lost: 60 }])
    expect((await lifts(project)).map(({ id }) => id)).toEqual(
      records
        .slice(60)
        .map(one => one.session_id)
        .toSorted(),
    )
  })

  it('for calls that predict no satisfaction, are of another project, or evaluated elsewhere', async () => {
    const own = { lift: 0.4, lift_band: 'strong_positive' as const, p_behavioral: 0.9, p_context: 0.5 }
    const project = await filled([
      ...some(60, 30),
      { ...some(1, 1)[0]!, session_id: 'silent', conditions: [] },
      { ...some(1, 1)[0]!, session_id: 'elsewhere', evaluation: { evaluator: 'imported' }, outcome_lift: own },
      { ...some(1, 1)[0]!, session_id: 'unsaid', evaluation: undefined, outcome_lift: own },
    ])
    const other = await filled(some(60, 30))
    expect(await refit(project)).toMatchObject([{ calls: 60, lifts: 60, changed: 60 }])
    const without = 'select session_id from calls where outcome_lift is null and project_id = $1'
    expect(await rows(store, without, [project])).toEqual([['silent']])
    expect(
      await rows(
        store,
        "select outcome_lift.lift from calls where session_id in ('elsewhere', 'unsaid') and project_id = $1",
        [project],
      ),
    ).toEqual([[0.4], [0.4]])
    expect(await lifts(other)).toEqual([])
  })

  it('for a call that was evaluated anew since the fit; the next fit gives it one', async () => {
    const project = await filled(some(60, 30))
    await refit(project)
    await store.calls.upsert(project, [call('s1', some(2, 0)[1])])
    expect(await lifts(project)).toHaveLength(59)
    expect((await refit(project))[0]?.lifts).toBe(60)
    expect(await lifts(project)).toHaveLength(60)
  })

  it('where the work is interrupted before it writes', async () => {
    const project = await filled(some(60, 30))
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(refitLift({ store, projectId: project, rubric: defaultRubric, signal })).rejects.toThrow('enough')
    expect(await lifts(project)).toEqual([])
  })

  it('for calls of a model where only rules have read enough: each is compared with its own', async () => {
    const model = some(20, 10, { evaluation: { ...byRules, evaluator: 'model' } }).map(record => ({
      ...record,
      session_id: `m${record.session_id}`,
    }))
    const project = await filled([...some(60, 30), ...model])
    expect(await refit(project)).toMatchObject([
      { evaluator: 'rules', calls: 60, lifts: 60 },
      { evaluator: 'model', calls: 20, lifts: 0 },
    ])
  })
})

it('of a project is fitted once at a time, whoever asks: no call has a lift of one fit beside those of another', async () => {
  const turns = new InProcessTurns()
  const steps: string[] = []
  const nothing: LiftStore = {
    countLiftCalls: async () => steps.push('counted'),
    async *alikeCalls() {},
    async *liftPages() {},
    writeLifts: async () => 0,
    liftFits: async () => [],
    writeLiftFit: async () => undefined,
  }
  let end = () => undefined as void
  const other = turns.run('lift:p', () => new Promise<void>(resolve => (end = resolve)))
  const refitted = (projectId: string) =>
    refitLift({ store: { calls: nothing, turns }, projectId, rubric: defaultRubric }).then(() => steps.push(projectId))
  const waiting = refitted('p')
  await refitted('q')
  expect(steps).toEqual(['counted', 'counted', 'q'])
  end()
  await Promise.all([other, waiting])
  expect(steps).toEqual(['counted', 'counted', 'q', 'counted', 'counted', 'p'])
})
