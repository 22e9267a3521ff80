import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getProjectContext } from '../../src/questions/get-project-context.js'
import { queryKnowledgeBase } from '../../src/questions/query-knowledge-base.js'
import type { KnowledgeDocument } from '../../src/store/records/knowledge-document.js'
import { type Asking, asking, caller, knowledgeOf } from '../support/asking.js'

const document = (id: string, title: string, sections: KnowledgeDocument['sections'], url?: string) => ({
  project_id: 'p',
  kb_id: id,
  name: `${id}.md`,
  title,
  imported_at: '2026-03-01T00:00:00.000Z',
  sections,
  ...(url === undefined ? {} : { url }),
})

const filler = 'Words that stand here only to take up room. '.repeat(30)
const base = knowledgeOf([
  document(
    'kb_refunds',
    'Refund policy',
    [
      { title: 'Deadlines', text: 'Customers are refunded within five days of returning the item.' },
      { title: 'Exceptions', text: `${filler}Gift cards are never refunded, not even a café voucher. ${filler}` },
    ],
    'https://help.example.com/refunds.md',
  ),
  document('kb_shipping', 'Shipping', [{ text: 'Parcels leave the warehouse daily. Express shipping costs more.' }]),
  document('kb_japanese', '返品', [{ text: '返品は三十日以内にお願いします。' }]),
])

let service: Asking
beforeAll(async () => {
  service = await asking('UTC', { knowledge: project => (project === 'p' ? base : undefined) })
})
afterAll(() => service.close())

const ask = async (query: string, more: object = {}) =>
  (await service.ask(queryKnowledgeBase, { query, ...more })).items.map(item => item.title)

describe('finds', () => {
  test.each([
    ['the words themselves', 'express shipping', 'Shipping'],
    ['other forms of a word', 'return deadline', 'Refund policy: Deadlines'],
    ['words by their beginning', 'wareh', 'Shipping'],
    ['words with a typo', 'parcles', 'Shipping'],
    ['words without their accents, in any case', 'CAFE', 'Refund policy: Exceptions'],
    ['words of a language without spaces', '返品', '返品'],
  ])('%s', async (_, query, title) => {
    expect((await ask(query))[0]).toBe(title)
  })

  test('nothing where no word fits, nor for signs alone', async () => {
    expect(await service.ask(queryKnowledgeBase, { query: 'helicopter' })).toEqual({ items: [], count: 0 })
    expect(await service.ask(queryKnowledgeBase, { query: '?! … *' })).toEqual({ items: [], count: 0 })
  })

  test('words alone, and none that are merely alike, where there are more than a few', async () => {
    const words = 'what does anybody who waits for parcles from a wareh in another country have to pay for them please'
    expect(await ask(words)).not.toContain('Shipping')
    expect(await ask(`${words} express`)).toContain('Shipping')
  })

  test('as many as asked for, best first', async () => {
    expect(await ask('refunded', { limit: 1 })).toHaveLength(1)
    const { items } = await service.ask(queryKnowledgeBase, { query: 'gift card refunds' })
    expect(items[0]).toMatchObject({ title: 'Refund policy: Exceptions', score: 1 })
    const scores = items.map(item => item.score)
    expect(scores).toEqual(scores.toSorted((a, b) => b - a))
    expect(scores.every(score => score > 0 && score <= 1)).toBe(true)
  })
})

describe('a passage', () => {
  test('says which document it is of, and where to read it', async () => {
    const { items } = await service.ask(queryKnowledgeBase, { query: 'five days' })
    expect(items[0]).toEqual({
      kb_id: 'kb_refunds',
      title: 'Refund policy: Deadlines',
      snippet: 'Customers are refunded within five days of returning the item.',
      score: 1,
      url: 'https://help.example.com/refunds.md',
    })
    const [parcels] = (await service.ask(queryKnowledgeBase, { query: 'parcels' })).items
    expect(parcels).not.toHaveProperty('url')
  })

  test('shows the text around the match, cut between words', async () => {
    const { items } = await service.ask(queryKnowledgeBase, { query: 'voucher' })
    expect(items[0]?.snippet).toMatch(/^….*Gift cards are never refunded, not even a café voucher\..*…$/)
    expect(items[0]?.snippet.length).toBeLessThan(400)
  })

  test('has less than 1 when it lacks a word of the query', async () => {
    const { items } = await service.ask(queryKnowledgeBase, { query: 'parcels helicopter' })
    expect(items).toMatchObject([{ title: 'Shipping', score: 0.5 }])
  })
})

test('a project without documents gets the sentence of the specification', async () => {
  await expect(service.ask(queryKnowledgeBase, { query: 'x' }, caller({}, 'other'))).rejects.toMatchObject({
    code: 'not_configured',
    message: 'Knowledge base not configured for this project',
  })
})

test('get_project_context says whether there is one', async () => {
  const own = await service.ask(getProjectContext)
  const other = await service.ask(getProjectContext, {}, caller({}, 'other'))
  expect(own.knowledge_base).toEqual({ configured: true, documents: 3 })
  expect(other.knowledge_base).toEqual({ configured: false, documents: 0 })
})

test.each([
  ['no query', {}, /"query" is required|"query"/],
  ['an empty query', { query: ' ' }, 'Argument "query" must not be empty'],
  ['a query that is too long', { query: 'x'.repeat(1_001) }, /"query".*1000|1,000/],
  ['a limit out of range', { query: 'x', limit: 21 }, /"limit".*20/],
])('%s is refused in words', async (_, args, said) => {
  await expect(service.ask(queryKnowledgeBase, args)).rejects.toThrow(said)
})
