import { describe, expect, test } from 'vitest'
import { KnowledgeBase } from '../../src/questions/knowledge/knowledge-base.js'

const version = (text: string, sections: number) => ({
  project_id: 'p',
  kb_id: 'kb_1',
  name: 'handbook.md',
  title: 'Handbook',
  imported_at: '2026-03-01T00:00:00.000Z',
  sections: Array.from({ length: sections }, (_, i) => ({ text: `${text} ${i}` })),
})

/** Counts the turns of the event loop from now on; what it gives back ends that and says how many there were. */
function countTurns(): () => number {
  let turns = 0
  let over = false
  const count = () => {
    turns += 1
    if (!over) setImmediate(count)
  }
  setImmediate(count)
  return () => {
    over = true
    return turns
  }
}

test('a large document is indexed while others get their turn, and takes the place of the old one when it is done', async () => {
  const base = new KnowledgeBase([version('old', 1)])
  const turns = countTurns()
  const done = base.put(version('new', 500))
  expect(await base.search('old', 5)).toHaveLength(1)
  await done
  expect(turns()).toBeGreaterThan(10)
  expect([(await base.search('old', 5)).length, (await base.search('new', 5)).length, base.documents]).toEqual([
    0, 5, 1,
  ])
})

test('a document of few and long sections is indexed while others get their turn too', async () => {
  const base = new KnowledgeBase([])
  const turns = countTurns()
  const text = 'what is said of refunds and cards '.repeat(1_000)
  await base.put({ ...version('long', 0), sections: Array.from({ length: 8 }, () => ({ text })) })
  expect(turns()).toBeGreaterThanOrEqual(8)
  expect(await base.search('refunds', 5)).toHaveLength(5)
})

test('a document is taken out while others search, and is not found from then on', async () => {
  const words = (section: number) => Array.from({ length: 20 }, (_, word) => `word${section * 20 + word}`).join(' ')
  const large = { ...version('', 0), sections: Array.from({ length: 600 }, (_, section) => ({ text: words(section) })) }
  const base = new KnowledgeBase([large, { ...version('kept', 1), kb_id: 'kb_2' }])
  // What was taken out and is still in the index is met by a search: that changed the tree that was being cleaned up, and
  // ended the process.
  const removed = base.remove('kb_1')
  const state = { done: false }
  const ended = removed.then(() => (state.done = true))
  for (let section = 0; !state.done; section = (section + 37) % 600) {
    expect(await base.search(words(section), 5)).toEqual([])
    await new Promise(setImmediate)
  }
  await ended
  expect(await base.search('kept', 5)).toHaveLength(1)
  expect([base.documents, await base.search('word7', 5)]).toEqual([1, []])
})

describe('a large knowledge base', () => {
  const SECTIONS = 6_000
  const common = Array.from({ length: 16 }, (_, i) => `common${i}`)
  /** Sections that all have the same words, and each one of its own. */
  const all = (count: number) =>
    new KnowledgeBase([
      {
        ...version('', 0),
        sections: Array.from({ length: count }, (_, i) => ({ text: `${common.join(' ')} rare${i}x` })),
      },
    ])

  test('is searched a word at a time, while others get their turn', async () => {
    const base = all(SECTIONS)
    const turns = countTurns()
    expect(await base.search(common.join(' '), 5)).toHaveLength(5)
    expect(turns()).toBeGreaterThanOrEqual(common.length)
  })

  test('what few sections have is found among words that all have', async () => {
    const [best] = await all(SECTIONS).search(`${common.join(' ')} rare5990x`, 1)
    expect(best?.snippet).toContain('rare5990x')
  })
})
