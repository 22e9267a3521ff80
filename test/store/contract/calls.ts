import { describe, expect, it } from 'vitest'
import { narrow, parsePipeline } from '../../../src/pipeline/index.js'
import { scope } from '../../../src/pipeline/scope.js'
import { call } from '../duckdb/support.js'
import type { World } from './world.js'

type Calls = World<'calls' | 'run' | 'privacy'>

export function callPromises(world: Calls): void {
  const run = async (project: string, stages: readonly object[], agents: 'all' | readonly string[] = 'all') =>
    await world.store.run(narrow(parsePipeline([...stages]), scope(project, agents)), {
      lane: 'light',
      deadlineMs: 60_000,
      maxDocuments: 5_000,
    })
  const read = async (project: string, ...stages: object[]) => (await run(project, stages)).documents
  /** Ids and titles of what is stored. */
  const titles = async (project: string) => {
    const found = await read(project, { $sort: { _id: 1 } }, { $project: { title: 1 } })
    return Object.fromEntries(found.map(one => [one['_id'], one['title']]))
  }
  const kept = (project: string) => world.stays(() => titles(project))

  describe('calls that are written', () => {
    it('are kept field by field as they came: missing, empty, nested, of any shape, times in UTC', async () => {
      const project = world.project()
      const metadata = { nested: { a: [1, null, 'x'] }, 'odd "name"': true, big: 9007199254740991, text: 'é\u2028' }
      const signals = [{ key: 'sig.a', state: 'present', strength: 0.5 }]
      await world.store.calls.upsert(project, [
        call('s1', {
          created_dt: '2026-03-01T12:00:00+02:00',
          score: 4.5,
          signals,
          trust: { reasons: ['noisy'] },
          session_metadata: metadata,
          evaluation: { evaluator: 'rules', evaluated_at: '2026-03-01T01:00:00-05:00' },
        }),
        call('s2', { created_dt: '2026-03-01', signals: [], trust: {} }),
      ])
      const found = await world.stays(() =>
        read(
          project,
          { $sort: { _id: 1 } },
          {
            $project: { created_dt: 1, score: 1, signals: 1, trust: 1, session_metadata: 1, evaluation: 1, title: 1 },
          },
        ),
      )
      expect(found).toEqual([
        {
          _id: 's1',
          created_dt: new Date('2026-03-01T10:00:00Z'),
          score: 4.5,
          signals,
          trust: { reasons: ['noisy'] },
          session_metadata: metadata,
          evaluation: { evaluator: 'rules', evaluated_at: new Date('2026-03-01T06:00:00Z') },
        },
        { _id: 's2', created_dt: new Date('2026-03-01T00:00:00Z'), signals: [], trust: {} },
      ])
    })

    it('replace those of the same project and id; the last of a batch wins', async () => {
      const [ours, theirs] = [world.project(), world.project()]
      const { calls } = world.store
      expect(await calls.upsert(ours, [call('s1'), call('s2')])).toMatchObject({ stored: 2, replaced: 0, erased: [] })
      const again = [call('s2', { title: 'first' }), call('s3'), call('s2', { title: 'last' })]
      const preview = await calls.preview(ours, again)
      expect(preview).toEqual({ replaced: ['s2'], erased: [], taken: [], held: [], besideBare: [] })
      expect(await titles(ours), 'a preview writes nothing').toEqual({ s1: undefined, s2: undefined })
      expect(await calls.upsert(ours, again)).toMatchObject({ stored: 2, replaced: 1, erased: [] })
      await calls.upsert(theirs, [call('s2', { title: 'of another project' })])
      expect(await kept(ours)).toEqual({ s1: undefined, s2: 'last', s3: undefined })
      expect(await kept(theirs)).toEqual({ s2: 'of another project' })
    })

    it('of several batches at once come one after the other, each whole', async () => {
      const project = world.project()
      const { calls } = world.store
      const batch = (from: number) =>
        Array.from({ length: 600 }, (_, i) => call(`s${from + i}`, { title: `batch ${from}` }))
      const done = await Promise.all([calls.upsert(project, batch(0)), calls.upsert(project, batch(300))])
      expect(done.map(({ replaced }) => replaced)).toEqual([0, 300])
      const counted = () => read(project, { $group: { _id: '$title', n: { $sum: 1 } } }, { $sort: { _id: 1 } })
      expect(await world.stays(counted)).toEqual([
        { _id: 'batch 0', n: 300 },
        { _id: 'batch 300', n: 600 },
      ])
    })

    it('are none where one of the batch cannot be stored', async () => {
      const project = world.project()
      const broken = { ...call('s2'), json: '{"session_id": ' }
      const refused = world.store.calls.upsert(project, [call('s1'), broken])
      await expect(refused).rejects.toBeInstanceOf(Error)
      expect(await titles(project)).toEqual({})
      expect((await world.store.calls.upsert(project, [call('s1')])).stored).toBe(1)
    })

    it('are read by who may hear them, and by nobody else', async () => {
      const [ours, theirs] = [world.project(), world.project()]
      await world.store.calls.upsert(ours, [
        call('s1', { score: 2 }),
        call('s2', { score: 4 }),
        call('s3', { agent_id: 'bo', agent_name: 'Bo', score: 5 }),
      ])
      await world.store.calls.upsert(theirs, [call('s4', { score: 1 })])
      const ids = async (stages: readonly object[], agents?: readonly string[]) =>
        (await run(ours, stages, agents)).documents.map(({ _id }) => _id)
      const byScore = [{ $sort: { score: 1 } }, { $project: { score: 1 } }]
      expect(await ids(byScore)).toEqual(['s1', 's2', 's3'])
      expect(await ids(byScore, ['Bo'])).toEqual(['s3'])
      expect(await ids([{ $match: { session_id: 's2' } }])).toEqual(['s2'])
      expect(await ids([{ $match: { session_id: 's2' } }], ['Bo'])).toEqual([])
      expect(await ids([{ $match: { session_id: 's4' } }])).toEqual([])
    })

    it('are shown up to the bound, which says whether there were more', async () => {
      const project = world.project()
      await world.store.calls.upsert(project, [call('a'), call('b'), call('c')])
      const bounded = async (maxDocuments: number) => {
        const sorted = narrow(parsePipeline([{ $sort: { _id: -1 } }]), scope(project, 'all'))
        return await world.store.run(sorted, { lane: 'light', deadlineMs: 60_000, maxDocuments })
      }
      expect(await bounded(2)).toMatchObject({ documents: [{ _id: 'c' }, { _id: 'b' }], truncated: true })
      expect(await bounded(3)).toMatchObject({ documents: [{}, {}, {}], truncated: false })
    })

    it('say which agents there are, by their latest name, and in which languages they are', async () => {
      const [ours, theirs] = [world.project(), world.project()]
      const { calls } = world.store
      await calls.upsert(ours, [
        call('s1', { agent_id: 'a1', agent_name: 'Ana', created_dt: '2026-03-02T00:00:00Z', language_primary: 'de' }),
        call('s2', { agent_id: 'a1', agent_name: 'Anna', created_dt: '2026-03-01T00:00:00Z' }),
        call('s3', { agent_id: 'b1', agent_name: 'Bo' }),
      ])
      await calls.upsert(theirs, [call('s3', { agent_id: 'c1', agent_name: 'Cy', language_primary: 'en' })])
      expect(await world.stays(() => world.store.calls.agentIds(ours))).toEqual(
        new Map([
          ['a1', 'Ana'],
          ['b1', 'Bo'],
        ]),
      )
      expect(await calls.languages(ours, ['s1', 's2', 's3', 'gone'])).toEqual(new Map([['s1', 'de']]))
    })
  })

  describe('calls that are erased', () => {
    it('stay erased, in their project alone, until they are restored on purpose, and then for good', async () => {
      const [ours, theirs] = [world.project(), world.project()]
      const { calls } = world.store
      await calls.upsert(ours, [call('s1'), call('s2')])
      expect(await calls.erase(theirs, 's1')).toBe(false)
      expect(await calls.erase(ours, 's1')).toBe(true)
      expect(await calls.erase(ours, 's1')).toBe(false)
      const again = [call('s1'), call('s2'), call('s3')]
      expect(await calls.preview(ours, again)).toMatchObject({ replaced: ['s2'], erased: ['s1'] })
      expect(await calls.upsert(ours, again)).toMatchObject({ stored: 2, replaced: 1, erased: ['s1'] })
      expect((await calls.upsert(theirs, [call('s1')])).erased).toEqual([])
      const refused = () => world.store.calls.preview(ours, [call('s1')])
      expect((await world.stays(refused)).erased).toEqual(['s1'])
      const restored = world.project()
      await calls.upsert(restored, [call('s1')])
      await calls.erase(restored, 's1')
      expect((await calls.upsert(restored, [call('s1')], { restoreErased: true })).stored).toBe(1)
      expect((await calls.upsert(restored, [call('s1')])).erased).toEqual([])
    })

    it('stay erased where the import that was to bring them back is refused', async () => {
      const { calls } = world.store
      const broken = { ...call('s2'), json: '{"session_id": ' }
      // Larger than some stores keep a call.
      const large = call('s2', { title: 'x'.repeat(17 * 1024 * 1024) })
      for (const other of [broken, large]) {
        const project = world.project()
        await calls.upsert(project, [call('s1'), call('s2')])
        await calls.eraseAll(project, ['s1', 's2'])
        const restoring = calls.upsert(project, [call('s1'), other], { restoreErased: true })
        const isBack = await restoring.then(
          () => true,
          () => false,
        )
        expect((await calls.upsert(project, [call('s1')])).erased).toEqual(isBack ? [] : ['s1'])
      }
    })

    it('are found by their age, oldest first, and go many at once', async () => {
      const [ours, theirs] = [world.project(), world.project()]
      const on = (day: number) => ({ created_dt: `2026-03-0${day}T12:00:00Z` })
      const march = (day: number) => Date.UTC(2026, 2, day)
      const { calls } = world.store
      await calls.upsert(ours, [call('c', on(3)), call('b', on(1)), call('a', on(1)), call('d', on(5))])
      await calls.upsert(theirs, [call('a', on(1))])
      expect(await calls.olderThan(ours, march(5), { limit: 10 })).toEqual(['a', 'b', 'c'])
      expect(await calls.olderThan(ours, march(5), { limit: 2 })).toEqual(['a', 'b'])
      expect(await calls.olderThan(ours, march(1), { limit: 2 })).toEqual([])
      expect(await calls.eraseAll(ours, ['a', 'b', 'b', 'nowhere'])).toBe(2)
      expect(Object.keys(await titles(ours))).toEqual(['c', 'd'])
      expect(Object.keys(await kept(theirs))).toEqual(['a'])
      const again = await calls.upsert(
        ours,
        ['a', 'b', 'c', 'nowhere'].map(id => call(id)),
      )
      expect([again.stored, [...again.erased].toSorted()]).toEqual([2, ['a', 'b']])
    })

    it('lose what was said, and keep what was found, where only that is erased', async () => {
      const project = world.project()
      const { calls } = world.store
      const evidence = [{ turn: 0, quote: 'hello there' }]
      const said = {
        title: 'Refund',
        transcript: [{ turn: 0, actor: 'agent', text: 'hello there', end_s: 12 }],
        signals: [{ key: 'sig.a', state: 'present', strength: 0.5, evidence }],
        guidance: [{ key: 'guide.a', kind: 'excellence', text: 'Keep it up', evidence }],
        conditions: [{ key: 'hold', turn: 0, text: 'hello there' }],
      }
      await calls.upsert(project, [call('a', said), call('b', said), call('c')])
      const withTranscript = () =>
        world.store.calls.olderThan(project, Date.UTC(2026, 3), { limit: 9, withTranscript: true })
      expect(await withTranscript()).toEqual(['a', 'b'])
      expect(await calls.eraseTranscripts(project, ['a', 'c', 'nowhere'])).toBe(1)
      expect(await world.stays(withTranscript)).toEqual(['b'])
      const whole = () =>
        read(
          project,
          { $match: { session_id: 'a' } },
          {
            $project: { title: 1, transcript: 1, signals: 1, guidance: 1, conditions: 1 },
          },
        )
      expect(await world.stays(whole)).toEqual([
        {
          _id: 'a',
          title: 'Refund',
          signals: [{ key: 'sig.a', state: 'present', strength: 0.5 }],
          guidance: [{ key: 'guide.a', kind: 'excellence', text: 'Keep it up' }],
          conditions: [{ key: 'hold', turn: 0 }],
        },
      ])
    })
  })

  describe('what was read of a call and is written back', () => {
    const choice = { which: 'pending', rubric: 'r', rubricVersion: '1', before: Date.UTC(2030, 0) } as const
    const ids = ['a', 'replaced', 'erased', 'held']

    it('an evaluation is written where the call is still as it was read, and nowhere else', async () => {
      const project = world.project()
      const { calls } = world.store
      await calls.upsert(
        project,
        ids.map(id => call(id, { transcript: [{ turn: 0, actor: 'agent', text: 'Hi' }] })),
      )
      const chosen = await calls.chooseToEvaluate(project, choice)
      expect(chosen.count).toBe(4)
      const { calls: found, next } = await calls.toEvaluate(project, chosen, chosen.first)
      expect([found.map(one => one.session_id).toSorted(), next]).toEqual([ids.toSorted(), undefined])
      await calls.upsert(project, [call('replaced', { title: 'anew' })])
      await calls.erase(project, 'erased')
      const evaluation = { evaluator: 'rules', rubric: 'r', rubric_version: '1', evaluated_at: '2026-03-05T00:00:00Z' }
      const json = JSON.stringify({ score: 3.5, evaluation })
      const evaluated = found.filter(one => one.session_id !== 'held').map(one => ({ ...one, json }))
      expect(await calls.writeEvaluations(project, evaluated)).toBe(1)
      // What was read before a write is stale, whoever holds it.
      expect(await calls.writeEvaluations(project, evaluated)).toBe(0)
      const scored = () => read(project, { $sort: { _id: 1 } }, { $project: { score: 1, title: 1 } })
      expect(await world.stays(scored)).toEqual([
        { _id: 'a', score: 3.5 },
        { _id: 'held' },
        { _id: 'replaced', title: 'anew' },
      ])
    })

    it('texts are written where the call is still as it was read and no hold keeps it', async () => {
      const project = world.project()
      const { calls, privacy } = world.store
      await calls.upsert(
        project,
        ids.map(id => call(id, { title: `private ${id}` })),
      )
      const { count, last } = await calls.countTexts(project)
      expect(count).toBe(4)
      const found = await calls.texts(project, undefined, last)
      expect(found).toHaveLength(4)
      expect(await calls.texts(project, found.at(-1), last)).toEqual([])
      await calls.upsert(project, [call('replaced', { title: 'anew' })])
      await calls.erase(project, 'erased')
      const created = { created_at: '2026-03-01T00:00:00.000Z', created_by: 'ada' }
      await privacy.placeHold({ project_id: project, hold_id: 'h', name: 'h', session_ids: ['held'], ...created })
      const masked = found.map(one => ({ ...one, json: one.json.replace('private', '[masked]') }))
      expect(await calls.writeTexts(project, masked)).toEqual(['a'])
      expect(await calls.writeTexts(project, masked)).toEqual([])
      expect(await kept(project)).toEqual({ a: '[masked] a', held: 'private held', replaced: 'anew' })
    })
  })
}
