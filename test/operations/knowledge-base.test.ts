import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { KnowledgeBases } from '../../src/questions/knowledge/knowledge-bases.js'
import { knowledgeOperations } from '../../src/operations/knowledge-base.js'
import { adminToken, startApi } from '../support/api.js'
import { DocumentShelf } from '../support/document-shelf.js'

const shelf = new DocumentShelf()
let knowledge: KnowledgeBases
let api: Awaited<ReturnType<typeof startApi>>
let as: string
beforeAll(async () => {
  knowledge = await KnowledgeBases.load({ store: shelf })
  api = await startApi({ operations: knowledgeOperations, services: () => ({ knowledge }) })
  as = await adminToken()
})
afterAll(() => api.server.close())

const DOCUMENTS = '/api/v1/knowledge-base'
const refunds = { name: 'refunds.md', title: 'Refunds', sections: [{ text: 'A refund takes five days.' }] }

describe('the knowledge base over REST', () => {
  test('takes a document, which is found at once and after a restart, until it is removed', async () => {
    const added = await api.call('POST', DOCUMENTS, { as, body: refunds })
    expect(added).toMatchObject({ status: 201, json: { name: 'refunds.md', sections: 1, replaced: false } })
    expect(await knowledge.of('p1')?.search('refund', 5)).toMatchObject([{ title: 'Refunds' }])
    const restarted = await KnowledgeBases.load({ store: shelf })
    expect(await restarted.of('p1')?.search('refund', 5)).toHaveLength(1)
    expect(knowledge.of('p2')).toBeUndefined()

    const changed = { ...refunds, sections: [{ text: 'A return takes five days.' }], url: 'https://help.example/r' }
    const again = await api.call('POST', DOCUMENTS, { as, body: changed })
    const { kb_id: id } = again.json as { kb_id: string }
    expect(again).toMatchObject({ status: 201, json: { replaced: true } })
    expect(await knowledge.of('p1')?.search('five', 5)).toMatchObject([{ kb_id: id, url: 'https://help.example/r' }])
    expect((await api.call('GET', DOCUMENTS, { as })).json).toMatchObject({ documents: [{ kb_id: id, sections: 1 }] })

    expect((await api.call('DELETE', `${DOCUMENTS}/${id}`, { as })).status).toBe(204)
    expect((await api.call('DELETE', `${DOCUMENTS}/${id}`, { as })).status).toBe(404)
    expect(knowledge.of('p1')).toBeUndefined()
    expect((await api.call('GET', DOCUMENTS, { as })).json).toEqual({ documents: [] })
  })

  test('takes documents larger than other bodies may be', async () => {
    const sections = Array.from({ length: 400 }, () => ({ text: 'Long. '.repeat(1_000) }))
    expect((await api.call('POST', DOCUMENTS, { as, body: { ...refunds, sections } })).status).toBe(201)
  })

  test.each([
    ['no sections', { ...refunds, sections: [] }, 'sections'],
    ['a section as long as a book', { ...refunds, sections: [{ text: 'x'.repeat(100_001) }] }, 'sections.0.text'],
    ['an address that runs something', { ...refunds, url: 'javascript:alert(1)' }, 'must be an http or https address'],
    ['a name of two lines', { ...refunds, name: 'a\nb' }, 'control characters'],
    ['a project of its own choice', { ...refunds, project_id: 'p2' }, 'project_id'],
  ])('refuses %s', async (_, body, reason) => {
    const { status, json } = await api.call('POST', DOCUMENTS, { as, body })
    expect(status).toBe(422)
    expect(JSON.stringify(json)).toContain(reason)
  })
})
