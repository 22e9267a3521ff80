import type { ModelBatchRecord } from '../../../src/store/records/model-batch.js'
import { describe, expect, it } from 'vitest'
import type { KnowledgeDocument } from '../../../src/store/records/knowledge-document.js'
import { call } from '../duckdb/support.js'
import type { World } from './world.js'

const transcript = [{ turn: 0, actor: 'agent', text: 'Hello' }]

export function knowledgePromises(world: World<'knowledge'>): void {
  const document = (project: string, id: string, text: string): KnowledgeDocument => ({
    project_id: project,
    kb_id: id,
    name: `${id}.md`,
    title: id,
    imported_at: '2026-03-01T00:00:00.000Z',
    sections: [{ title: `O'Neil "x" \\ $1`, text }, { text: '返品' }],
  })

  describe('documents', () => {
    it('are kept as they are, by project and name, and replaced in their own project alone', async () => {
      const { knowledge } = world.store
      const [ours, theirs] = [world.project(), world.project()]
      const all = [document(ours, 'one', '1'), document(ours, 'two', '2'), document(theirs, 'one', '3')]
      for (const one of all.toReversed()) expect(await knowledge.put(one)).toBe(false)
      expect(await knowledge.put(document(ours, 'one', 'new'))).toBe(true)
      const left = [document(ours, 'one', 'new'), all[1]]
      expect(await world.stays(() => world.store.knowledge.all(ours))).toEqual(left)
      expect(await world.stays(() => world.store.knowledge.all(theirs))).toEqual([all[2]])
      expect(await world.store.knowledge.get(ours, 'two')).toEqual(all[1])
      expect((await world.store.knowledge.all()).filter(one => one.project_id >= ours)).toEqual([...left, all[2]])
    })

    it('are removed from their own project alone', async () => {
      const { knowledge } = world.store
      const [ours, theirs] = [world.project(), world.project()]
      await knowledge.put(document(ours, 'one', 'text'))
      expect(await knowledge.remove(theirs, 'one')).toBe(false)
      expect(await knowledge.remove(ours, 'one')).toBe(true)
      expect(await knowledge.remove(ours, 'one')).toBe(false)
      expect(await world.stays(() => world.store.knowledge.get(ours, 'one'))).toBeUndefined()
    })
  })
}

export function rubricPromises(world: World<'rubrics'>): void {
  it('every version of a rubric is kept', async () => {
    const project_id = world.project()
    const set = { project_id, set_at: '2026-03-01T12:00:00.000Z', set_by: 'ada' }
    const [first, second] = [
      { ...set, version: 1, text: "name: it's\n" },
      { ...set, version: 2, built_in: 'support-calls' },
    ]
    await world.store.rubrics.add(first)
    await world.store.rubrics.add(second)
    const versions = async () => (await world.store.rubrics.all()).filter(one => one.project_id === project_id)
    expect(await world.stays(versions)).toEqual([first, second])
  })
}

export function answerPromises(world: World<'calls' | 'modelAnswers'>): void {
  describe('what a model answered', () => {
    const about = (project_id: string, session_id: string, request = 'r1') => ({ project_id, session_id, request })

    it('is kept by call and question, the last one counts, through an import of the same call', async () => {
      const [ours, theirs] = [world.project(), world.project()]
      const { calls, modelAnswers } = world.store
      await calls.upsert(ours, [call('s1', { transcript }), call('s2', { transcript })])
      await modelAnswers.put(about(ours, 's1'), '{"a":1}')
      await modelAnswers.put(about(ours, 's1'), '{"a":2}')
      await modelAnswers.put(about(ours, 's1', 'r2'), '{"a":3}')
      await calls.upsert(ours, [call('s1', { transcript })])
      const get = (question: ReturnType<typeof about>) =>
        world.stays(async () => JSON.parse((await world.store.modelAnswers.get(question)) ?? 'null'))
      expect(await get(about(ours, 's1'))).toEqual({ a: 2 })
      expect(await get(about(ours, 's1', 'r2'))).toEqual({ a: 3 })
      for (const other of [about(ours, 's2'), about(ours, 's1', 'r3'), about(theirs, 's1')]) {
        expect(await get(other)).toBeNull()
      }
    })

    it('goes with its call and with its transcript, and does not come late', async () => {
      const [ours, theirs] = [world.project(), world.project()]
      const { calls, modelAnswers } = world.store
      await calls.upsert(
        ours,
        ['s1', 's2', 's3'].map(id => call(id, { transcript })),
      )
      await calls.upsert(theirs, [call('s1', { transcript })])
      const questions = [about(ours, 's1'), about(ours, 's2'), about(ours, 's3'), about(theirs, 's1')]
      for (const one of questions) await modelAnswers.put(one, '{}')
      await calls.erase(ours, 's1')
      await calls.eraseTranscripts(ours, ['s2'])
      const left = () => Promise.all(questions.map(one => world.store.modelAnswers.get(one)))
      expect(await left()).toEqual([undefined, undefined, '{}', '{}'])
      for (const one of [...questions.slice(0, 2), about(ours, 'never')]) await modelAnswers.put(one, '{}')
      expect(await world.stays(left)).toEqual([undefined, undefined, '{}', '{}'])
    })
  })
}

export function batchPromises(world: World<'calls' | 'modelBatches'>): void {
  it('a batch of a model is remembered with its calls until it is settled, and calls go when they are erased', async () => {
    const [ours, theirs] = [world.project(), world.project()]
    const { calls, modelBatches } = world.store
    await calls.upsert(ours, [call('s1', { transcript }), call('s2', { transcript })])
    const batch = (project_id: string, batch_id: string, hour: number): ModelBatchRecord => ({
      batch_id,
      project_id,
      kind: 'openai',
      url: 'http://127.0.0.1/v1',
      model: 'm',
      which: 'pending',
      created_at: `2026-03-01T0${hour}:00:00.000Z`,
      requests: 2,
      expected: { input: 10, output: 20 },
    })
    const about = ['s1', 's2'].map(session_id => ({ session_id, request: `about ${session_id}` }))
    await modelBatches.begin(batch(ours, 'one', 1), about)
    await modelBatches.begin(batch(ours, 'two', 2), about)
    await modelBatches.begin(batch(theirs, 'one', 3), about)
    await modelBatches.note({ ...batch(ours, 'one', 1), remote_id: 'r1' })
    await calls.erase(ours, 's1')
    const callsOf = (project: string, id: string) => modelBatches.calls(project, id)
    expect(await modelBatches.of(ours)).toEqual([batch(ours, 'two', 2), { ...batch(ours, 'one', 1), remote_id: 'r1' }])
    expect(await modelBatches.names()).toContain('r1')
    expect(await callsOf(ours, 'one')).toEqual([about[1]])
    expect(await callsOf(theirs, 'one')).toHaveLength(2)
    await modelBatches.settle({ ...batch(ours, 'one', 1), remote_id: 'r1', settled_at: 'now', answered: 1 })
    // Nothing that is settled or gone comes back, and nothing that was sent since goes.
    await modelBatches.note({ ...batch(ours, 'one', 1), remote_id: 'r1' })
    await modelBatches.settle({ ...batch(ours, 'one', 1), remote_id: 'r1', settled_at: 'later', answered: 2 })
    await modelBatches.remove({ ...batch(ours, 'one', 1), remote_id: 'r1' })
    await modelBatches.note({ ...batch(ours, 'two', 2), remote_id: 'r2' })
    await modelBatches.remove(batch(ours, 'two', 2))
    expect(await callsOf(ours, 'two')).toEqual([about[1]])
    await modelBatches.remove({ ...batch(ours, 'two', 2), remote_id: 'r2' })
    await modelBatches.note({ ...batch(ours, 'two', 2), remote_id: 'r2' })
    expect(await callsOf(ours, 'one')).toEqual([])
    expect(await world.stays(() => world.store.modelBatches.of(ours))).toMatchObject([{ batch_id: 'one', answered: 1 }])
    expect(await world.stays(() => world.store.modelBatches.calls(theirs, 'one'))).toHaveLength(2)
  })
}

export function reportPromises(world: World<'calls' | 'reports'>): void {
  it('a report names calls that are there, until they are erased', async () => {
    const project = world.project()
    const { calls, reports } = world.store
    await calls.upsert(project, [call('a'), call('b')])
    expect(await reports.note(project, 'one.csv', ['a', 'b', 'a', 'gone'])).toEqual(new Set(['a', 'b']))
    expect(await reports.note(project, 'two.csv', ['b'])).toEqual(new Set(['b']))
    const naming = (ids: readonly string[]) => world.stays(() => world.store.reports.naming(project, ids))
    expect(await reports.naming(project, ['a'])).toEqual(['one.csv'])
    expect(await reports.named(project, 'one.csv')).toEqual(new Set(['a', 'b']))
    await calls.erase(project, 'a')
    expect(await naming(['a'])).toEqual([])
    expect(await naming(['b'])).toEqual(['one.csv', 'two.csv'])
    expect(await world.stays(() => world.store.reports.named(project, 'one.csv'))).toEqual(new Set(['b']))
    expect(await reports.note(project, 'late.csv', ['a'])).toEqual(new Set())
  })
}
