import { describe, expect, it } from 'vitest'
import { narrowCalls } from '../../../src/pipeline/index.js'
import { scope } from '../../../src/pipeline/scope.js'
import type { NewDelivery, NotedCall } from '../../../src/store/event-store.js'
import type { FeedbackRecord } from '../../../src/store/records/feedback.js'
import { call } from '../duckdb/support.js'
import type { World } from './world.js'

type Events = World<'calls' | 'events'>

export function delivery(project: string, n: number, more: Partial<NewDelivery> = {}): NewDelivery {
  return {
    delivery_id: `dlv_${n}`,
    project_id: project,
    webhook_id: `wh_${project}`,
    event_id: `evt_${n}`,
    event: 'interaction.evaluated',
    subject: 'call/a',
    body: `{"n":${n},"text":"é ' \\" end"}`,
    created_at: '2026-03-01T00:00:00.000Z',
    expires_at: '2026-03-02T00:00:00.000Z',
    ...more,
  }
}

export const attempt = ({ seq }: { readonly seq: number }, state: 'pending' | 'delivered' | 'dead') => ({
  seq,
  state,
  attempts: 1,
  next_at: '2026-03-01T00:01:00.000Z',
  attempted_at: '2026-03-01T00:00:01.000Z',
  duration_ms: 12.5,
  ...(state === 'delivered' ? { status: 200 } : { failure: 'timeout' }),
})

const webhook = (project_id: string) => ({
  project_id,
  webhook_id: `wh_${project_id}`,
  url: 'https://hooks.example.com/',
  events: ['interaction.evaluated'],
  active: true,
  secrets: [],
  created_at: '2026-03-01T00:00:00.000Z',
  created_by: 'ada',
})

export function outboxPromises(world: World<'events'>): void {
  const outbox = () => world.store.events.deliveries
  const pending = (project: string, after = 0) => outbox().pending(`wh_${project}`, after, 5_000)

  describe('the outbox', () => {
    it('keeps deliveries in the order they came, byte for byte, with numbers that rise', async () => {
      const project = world.project()
      const many = Array.from({ length: 1_000 }, (_, n) => delivery(project, n))
      await outbox().add(many)
      await Promise.all([outbox().add([delivery(project, 1_000)]), outbox().add([])])
      const found = await world.stays(() => pending(project))
      expect(found.map(({ body }) => body)).toEqual([...many, delivery(project, 1_000)].map(({ body }) => body))
      expect(found.map(({ seq }) => seq)).toEqual(found.map((_, n) => found[0]!.seq + n))
      const behind = await outbox().pending(`wh_${project}`, found[998]!.seq, 1)
      expect(behind).toMatchObject([{ delivery_id: 'dlv_999' }])
      world.later(async () => {
        const last = world.project()
        await outbox().add([delivery(last, 1)])
        expect((await pending(last))[0]!.seq).toBeGreaterThan(found.at(-1)!.seq)
      })
    })

    it('has what was settled as history, without its body, for its project alone', async () => {
      const project = world.project()
      const before = await outbox().counts()
      await outbox().add([1, 2, 3].map(n => delivery(project, n)))
      const [first, second, third] = await pending(project)
      await outbox().settle([attempt(first!, 'delivered'), attempt(second!, 'dead'), attempt(third!, 'pending')])
      expect(await world.stays(() => pending(project))).toMatchObject([{ delivery_id: 'dlv_3', attempts: 1 }])
      const list = (of: string, more: object = {}) => outbox().list(of, `wh_${project}`, { limit: 9, ...more })
      const history = await world.stays(() => list(project))
      expect(history.map(({ state, status, failure }) => [state, status, failure])).toEqual([
        ['pending', undefined, 'timeout'],
        ['dead', undefined, 'timeout'],
        ['delivered', 200, undefined],
      ])
      expect(await Promise.all([first, third].map(one => outbox().begin(one!.seq, 1)))).toEqual([false, true])
      // Whoever was slow changes nothing of what another settled.
      await outbox().settle([attempt(first!, 'dead'), attempt(second!, 'pending')])
      expect(await list(project)).toEqual(history)
      expect(JSON.stringify(history)).not.toContain('text')
      expect(await list('other')).toEqual([])
      expect(await list(project, { before: second!.seq })).toMatchObject([{ delivery_id: 'dlv_1' }])
      expect(await outbox().counts()).toEqual({ pending: before.pending + 1, dead: before.dead + 1 })
    })

    it('takes dead letters back to its end, with numbers that are new; a webhook’s go with it', async () => {
      const project = world.project()
      await outbox().add([1, 2, 3].map(n => delivery(project, n)))
      const [first, second, third] = await pending(project)
      await outbox().settle([attempt(first!, 'dead'), attempt(second!, 'delivered'), attempt(third!, 'dead')])
      const webhookId = `wh_${project}`
      const again = { projectId: project, webhookId, now: '2026-03-03T00:00:00.000Z', expiresAt: '2026-03-04' }
      expect(await outbox().requeue({ ...again, projectId: 'other' })).toBe(0)
      expect(await outbox().requeue(again)).toBe(2)
      expect(await outbox().requeue(again)).toBe(0)
      expect(await outbox().requeue({ ...again, deliveryId: 'dlv_2' })).toBe(1)
      const found = await world.stays(() => pending(project, third!.seq))
      expect(found.map(({ delivery_id, seq, attempts }) => [delivery_id, seq - third!.seq, attempts])).toEqual([
        ['dlv_1', 1, 0],
        ['dlv_3', 2, 0],
        ['dlv_2', 3, 0],
      ])
      const gone = world.project()
      await outbox().add([delivery(gone, 1)])
      await outbox().removeWebhook('other', `wh_${gone}`)
      expect(await pending(gone)).toHaveLength(1)
      await outbox().removeWebhook(gone, `wh_${gone}`)
      expect(await world.stays(() => pending(gone))).toEqual([])
    })

    it('says which webhooks wait for something', async () => {
      const [project, told] = [world.project(), world.project()]
      await outbox().add([delivery(project, 1), delivery(project, 2), delivery(told, 3)])
      const [settled] = await pending(told)
      await outbox().settle([attempt(settled!, 'dead')])
      const mine = (await outbox().waiting()).filter(one => [project, told].includes(one.project_id))
      expect(mine).toEqual([{ project_id: project, webhook_id: `wh_${project}` }])
    })

    it('lets go of what was settled before an instant', async () => {
      const project = world.project()
      await outbox().add([1, 2].map(n => delivery(project, n)))
      const [first, second] = await pending(project)
      const long = { attempted_at: '1999-01-01T00:00:00.000Z' }
      await outbox().settle([
        { ...attempt(first!, 'dead'), ...long },
        { ...attempt(second!, 'pending'), ...long },
      ])
      expect(await outbox().removeSettled('2000-01-01T00:00:00.000Z')).toBe(1)
      expect(await world.stays(() => pending(project))).toMatchObject([{ delivery_id: 'dlv_2' }])
    })
  })
}

export function notedPromises(world: Events): void {
  const evaluated = (id: string, score: number) =>
    call(id, { score, evaluation: { evaluator: 'rules' }, signals: [{ key: 'sig.x', state: 'present' }] })
  const nothing = { deliveries: [], alerts: [] }
  const take = async (limit = 100) => {
    const taken: NotedCall[] = []
    await world.store.events.noted.take(limit, calls => {
      taken.push(...calls)
      return nothing
    })
    return taken.map(({ session_id, score, evaluated: was, signals }) => [session_id, score, was, signals])
  }

  describe('calls that were written', () => {
    it('are noted where somebody wants to know, and only when something changed', async () => {
      const [ours, theirs] = [world.project(), world.project()]
      const { calls, events } = world.store
      await calls.upsert(ours, [evaluated('before', 4)])
      await events.webhooks.put(webhook(ours))
      await take()
      await calls.upsert(ours, [evaluated('a', 4), call('b', {})])
      await calls.upsert(theirs, [evaluated('c', 4)])
      expect(await take()).toEqual([
        ['a', 4, true, ['sig.x']],
        ['b', undefined, false, []],
      ])
      await calls.upsert(ours, [evaluated('a', 4), evaluated('before', 4)])
      expect(await take()).toEqual([])
      await calls.upsert(ours, [evaluated('a', 3)])
      await calls.upsert(ours, [evaluated('a', 2)])
      expect(await take()).toEqual([['a', 2, true, ['sig.x']]])
    })

    it('are handed over once as they are now, however often they were noted and however few are taken', async () => {
      const project = world.project()
      const { calls, events } = world.store
      await events.webhooks.put(webhook(project))
      await take()
      for (const score of [4, 3]) {
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        await calls.upsert(project, [evaluated('a', score), evaluated('b', score)])
      }
      const found = [...(await take(1)), ...(await take(1)), ...(await take())]
      expect(found.map(([id, score]) => `${String(id)} ${String(score)}`).toSorted()).toEqual(['a 3', 'b 3'])
    })

    it('are taken once by several who take them at once, together with what follows', async () => {
      const project = world.project()
      const { calls, events } = world.store
      await events.webhooks.put(webhook(project))
      await take()
      const ids = ['a', 'b', 'c', 'd', 'e']
      await calls.upsert(
        project,
        ids.map(id => evaluated(id, 4)),
      )
      const failing = events.noted.take(9, () => {
        throw new Error('no')
      })
      await expect(failing, 'all or none').rejects.toThrow('no')
      const takers = [1, 2, 3, 4].map(n =>
        events.noted.take(2, taken => ({
          deliveries: taken.map((one, at) => delivery(project, 10 * n + at, { subject: `call/${one.session_id}` })),
          alerts: [],
        })),
      )
      const counts = await Promise.all(takers)
      expect(counts.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 2])
      const told = async () =>
        (await world.store.events.deliveries.pending(`wh_${project}`, 0, 9)).map(one => one.subject)
      expect((await world.stays(told)).toSorted()).toEqual(ids.map(id => `call/${id}`))
    })

    it('leave nothing when they are erased: outbox, dead letters, notes and feedback', async () => {
      const project = world.project()
      const { calls, events } = world.store
      await events.webhooks.put(webhook(project))
      await take()
      await calls.upsert(project, [call('a', {}), call('b', {})])
      const given = {
        feedback_id: 'f',
        project_id: project,
        about: 'call' as const,
        rating: 4,
        text: 'x',
        created_at: '2026',
        created_by: 'k',
      }
      const { feedback, deliveries } = events
      expect(await feedback.add({ ...given, session_id: 'nowhere' }, [delivery(project, 9)])).toBe(false)
      expect(await feedback.add({ ...given, session_id: 'a' }, [delivery(project, 1)])).toBe(true)
      expect(await feedback.add({ ...given, session_id: 'b' }, [])).toBe(true)
      await deliveries.add([delivery(project, 2), delivery(project, 3, { subject: 'call/b' })])
      const [, second] = await deliveries.pending(`wh_${project}`, 0, 9)
      await deliveries.settle([attempt(second!, 'dead')])
      await calls.erase(project, 'a')
      const of = (id: string) => world.stays(() => world.store.events.feedback.of(project, id))
      expect(await of('a')).toEqual([])
      expect(await of('b')).toHaveLength(1)
      const left = () => world.store.events.deliveries.list(project, `wh_${project}`, { limit: 9 })
      expect(await world.stays(left)).toMatchObject([{ delivery_id: 'dlv_3' }])
      expect((await take()).map(([id]) => id)).toEqual(['b'])
    })
  })
}

export function feedbackPromises(world: Events): void {
  describe('feedback', () => {
    it('is read through in pages, and kept as it was given once, on calls that are there', async () => {
      const [ours, theirs] = [world.project(), world.project()]
      const calls = Array.from({ length: 5 }, (_, n) => call(`call ${n}`))
      for (const project of [ours, theirs]) await world.store.calls.upsert(project, calls)
      const given = Array.from({ length: 23 }, (_, n) => ({
        session_id: `call ${n % 5}`,
        feedback_id: `f${String(n).padStart(2, '0')}`,
        about: 'call' as const,
        rating: 1 + (n % 5),
        // Several of one instant: their ids put them in order.
        created_at: `2026-03-01T00:00:0${Math.floor(n / 6)}.000Z`,
        created_by: 'Ann "A"',
        ...(n % 2 === 0 && { text: `é '${n}` }),
      }))
      const lost = { ...given[0]!, feedback_id: 'lost', session_id: 'nowhere' }
      const { feedback } = world.store.events
      expect(await feedback.restore(ours, [lost, ...given.toReversed()])).toEqual({ added: 23, without_call: ['lost'] })
      expect(await feedback.restore(ours, given)).toEqual({ added: 0, without_call: [] })
      expect(await feedback.restore(ours, [])).toEqual({ added: 0, without_call: [] })
      // Another project may hold a copy.
      expect(await feedback.restore(theirs, given.slice(0, 2))).toEqual({ added: 2, without_call: [] })
      const all = async () => {
        const read: FeedbackRecord[] = []
        for (let last: FeedbackRecord | undefined; ;) {
          const some = await world.store.events.feedback.page(ours, last, 5)
          read.push(...some)
          last = some.at(-1)
          if (last === undefined) return read
        }
      }
      expect(await world.stays(all)).toEqual(given.map(one => ({ project_id: ours, ...one })))
    })

    it('tells the newest verdicts on the calls that somebody hears, however many newer ones there are on others', async () => {
      const [ours, theirs] = [world.project(), world.project()]
      const of = (agent_name: string, id: string, fields: object = {}) => call(id, { agent_name, ...fields })
      const ahead = { created_dt: '2026-04-01T12:00:00.000Z' }
      const calls = [of('Ana', 'a'), of('Ana', 'later', ahead), of('Bo', 'b1'), of('Bo', 'b2'), of('Cy', 'c')]
      for (const project of [ours, theirs]) await world.store.calls.upsert(project, calls)
      const said = (feedback_id: string, session_id: string, second: number, more: object = {}) => ({
        session_id,
        feedback_id,
        about: 'score' as const,
        verdict: 'dispute' as const,
        created_at: new Date(Date.parse('2026-03-02T00:00:00Z') + 1_000 * second).toISOString(),
        created_by: 'Ann',
        ...more,
      })
      const { verdict: _, ...rated } = said('rated', 'a', 3, { about: 'call', rating: 4 })
      const newer = Array.from({ length: 2_500 }, (__, n) =>
        said(`n${String(n).padStart(4, '0')}`, n % 2 === 0 ? 'b1' : 'b2', 10 + Math.floor(n / 2)),
      )
      const onAna = [
        said('first', 'a', 0),
        said('answer', 'a', 1, { about: 'feedback', verdict: undefined, answers: 'first', text: 'é' }),
        said('second', 'a', 2, { about: 'signal', signal_key: 'sig.x', state: 'present' }),
      ].map(({ verdict, ...one }) => ({ ...one, ...(verdict !== undefined && { verdict }) }))
      const { feedback } = world.store.events
      await feedback.restore(ours, [...newer, rated, ...onAna, said('ahead', 'later', 9_000)])
      await feedback.restore(theirs, [said('theirs', 'a', 9_999)])
      const newest = async (agents: 'all' | readonly string[], most: number) => {
        const heard = narrowCalls(scope(ours, agents), new Date('2026-03-15T00:00:00Z'))
        return await world.store.events.feedback.newestVerdicts(heard, most, { deadlineMs: 60_000 })
      }
      const ids = async (...asked: Parameters<typeof newest>) =>
        (await newest(...asked)).map(({ feedback_id: id }) => id)
      expect(await world.stays(() => newest(['Ana'], 10))).toEqual(onAna.map(one => ({ project_id: ours, ...one })))
      expect(await ids(['Ana'], 2)).toEqual(['answer', 'second'])
      const three = newer.slice(-3).map(one => one.feedback_id)
      expect(await ids('all', 3)).toEqual(three)
      expect(await ids(['Bo', 'Ana'], 3)).toEqual(three)
      expect(await ids('all', 5_000)).toHaveLength(2_503)
      expect(await ids(['Cy'], 10)).toEqual([])
      expect(await ids([], 10)).toEqual([])
      // Whose call it is by now.
      await world.store.calls.upsert(ours, [of('Cy', 'b2')])
      expect(await ids(['Cy'], 1)).toEqual(['n2499'])
      expect(await ids(['Bo'], 1)).toEqual(['n2498'])
    })
  })
}
