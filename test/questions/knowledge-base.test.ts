import { expect, test } from 'vitest'
import { KnowledgeBase } from '../../src/questions/knowledge/knowledge-base.js'

const version = (text: string, sections: number) => ({
  project_id: 'p',
  kb_id: 'kb_1',
  name: 'handbook.md',
  title: 'Handbook',
  imported_at: '2026-03-01T00:00:00.000Z',
  sections: Array.from({ length: sections }, (_, i) => ({ text: `${text} ${i}` })),
})

test('a large document is indexed while others get their turn, and takes the place of the old one when it is done', async () => {
  const base = new KnowledgeBase([version('old', 1)])
  let turns = 0
  const timer = setInterval(() => (turns += 1), 1)
  const done = base.put(version('new', 500))
  expect(base.search('old', 5)).toHaveLength(1)
  await done
  clearInterval(timer)
  expect(turns).toBeGreaterThan(10)
  expect([base.search('old', 5).length, base.search('new', 5).length, base.documents]).toEqual([0, 5, 1])
})
