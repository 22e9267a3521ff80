import { expect, test } from 'vitest'
import type { KnowledgeDocument } from '../../../src/store/records/knowledge-document.js'
import { openDuckDbStore } from '../../../src/store/duckdb/open-duckdb-store.js'
import { openStore, tempDir } from './support.js'

const document = (project: string, id: string, text: string): KnowledgeDocument => ({
  project_id: project,
  kb_id: id,
  name: `${id}.md`,
  title: id,
  imported_at: '2026-03-01T00:00:00.000Z',
  sections: [{ title: `O'Neil "x" \\ $1`, text }, { text: '返品' }],
})

test('keeps documents as they are, by project and name, also when the store is opened again', async () => {
  const dataDir = tempDir()
  const first = await openDuckDbStore({ dataDir, memoryLimit: '256MB', threads: 2 })
  const all = [document('a', 'one', '1'), document('a', 'two', '2'), document('b', 'one', '3')]
  for (const one of all.toReversed()) expect(await first.knowledge.put(one)).toBe(false)
  await first.close()

  const { knowledge } = await openStore({ dataDir })
  expect(await knowledge.all()).toEqual(all)
  expect(await knowledge.all('b')).toEqual(all.slice(2))
})

test('replaces a document, in its own project alone', async () => {
  const { knowledge } = await openStore()
  const other = document('b', 'one', 'old')
  await knowledge.put(document('a', 'one', 'old'))
  await knowledge.put(other)
  expect(await knowledge.put(document('a', 'one', 'new'))).toBe(true)
  expect(await knowledge.all()).toEqual([document('a', 'one', 'new'), other])
})

test('removes a document of the project alone', async () => {
  const { knowledge } = await openStore()
  await knowledge.put(document('a', 'one', 'text'))
  expect(await knowledge.remove('b', 'one')).toBe(false)
  expect(await knowledge.remove('a', 'one')).toBe(true)
  expect(await knowledge.remove('a', 'one')).toBe(false)
  expect(await knowledge.all()).toEqual([])
})
