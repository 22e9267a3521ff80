import { expect, it } from 'vitest'
import { call, openStore, rows, tempDir } from './support.js'

const transcript = [{ turn: 0, actor: 'agent', text: 'Hello' }]
const about = (session_id: string, request = 'r1', project_id = 'p') => ({ project_id, session_id, request })

it('keeps answers by call and question, over a restart; the last one of a question counts', async () => {
  const dataDir = tempDir()
  let store = await openStore({ dataDir })
  await store.calls.upsert('p', [call('s1', { transcript }), call('s2', { transcript })])
  await store.modelAnswers.put(about('s1'), '{"a":1}')
  await store.modelAnswers.put(about('s1'), '{"a":2}')
  await store.modelAnswers.put(about('s1', 'r2'), '{"a":3}')
  await store.close()
  store = await openStore({ dataDir })
  expect(JSON.parse((await store.modelAnswers.get(about('s1')))!)).toEqual({ a: 2 })
  expect(JSON.parse((await store.modelAnswers.get(about('s1', 'r2')))!)).toEqual({ a: 3 })
  for (const other of [about('s2'), about('s1', 'r3'), about('s1', 'r1', 'q')]) {
    expect(await store.modelAnswers.get(other)).toBeUndefined()
  }
})

it('keeps nothing of a call that is gone, or whose transcript is', async () => {
  const store = await openStore()
  await store.calls.upsert('p', [call('s1', { transcript }), call('s2', { transcript }), call('s3', { transcript })])
  await store.calls.upsert('q', [call('s1', { transcript })])
  for (const id of ['s1', 's2', 's3']) await store.modelAnswers.put(about(id), '{}')
  await store.modelAnswers.put(about('s1', 'r1', 'q'), '{}')
  await store.calls.erase('p', 's1')
  await store.calls.eraseTranscripts('p', ['s2'])
  const left = async () => await rows(store, 'select project_id, session_id from model_answers order by 1, 2')
  expect(await left()).toEqual([
    ['p', 's3'],
    ['q', 's1'],
  ])
  // An answer that comes late.
  for (const id of ['s1', 's2', 'never']) await store.modelAnswers.put(about(id), '{}')
  expect(await left()).toHaveLength(2)
})

it('keeps answers through an import of the same call: they are about what was sent, and hold none of it', async () => {
  const store = await openStore()
  await store.calls.upsert('p', [call('s1', { transcript })])
  await store.modelAnswers.put(about('s1'), '{}')
  await store.calls.upsert('p', [call('s1', { transcript })])
  expect(await store.modelAnswers.get(about('s1'))).toBe('{}')
})
