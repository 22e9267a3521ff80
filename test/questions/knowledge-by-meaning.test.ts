import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { endpointEmbedder } from '../../src/questions/knowledge/embedder.js'
import { KnowledgeBases } from '../../src/questions/knowledge/knowledge-bases.js'
import type { KnowledgeDocument } from '../../src/store/records/knowledge-document.js'
import { DocumentShelf } from '../support/document-shelf.js'

// An endpoint that speaks the real wire format, whose model knows two things: money and parcels.

const MEANS: readonly RegExp[] = [/refund|money|cash|reimburse/i, /parcel|shipping|deliver|courier/i]
const meaningOf = (text: string) => [...MEANS.map(word => (word.test(text) ? 3 : 0)), 0.1]

interface Asked {
  readonly authorization: string | undefined
  readonly model: string
  readonly input: readonly string[]
}

let endpoint: Server
let url: string
let asked: Asked[]
let respond: (input: readonly string[]) => { status?: number; body: unknown } | undefined
beforeEach(async () => {
  asked = []
  // Out of order, as the format allows.
  respond = input => ({
    body: { data: input.map((text, index) => ({ index, embedding: meaningOf(text) })).toReversed() },
  })
  endpoint = createServer((request, response) => {
    void read(request).then(body => {
      const { model, input } = JSON.parse(body) as { model: string; input: string[] }
      asked.push({ authorization: request.headers.authorization, model, input })
      const answer = request.url === '/v1/embeddings' ? respond(input) : { status: 404, body: {} }
      // Without an answer it hangs.
      if (answer !== undefined) {
        response.writeHead(answer.status ?? 200, { 'content-type': 'application/json' })
        response.end(JSON.stringify(answer.body))
      }
    })
  })
  await new Promise<void>(resolve => endpoint.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/v1/`
})
afterEach(() => {
  endpoint.closeAllConnections()
  endpoint.close()
})

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

const KEY = 'secret-key-of-the-endpoint'

async function bases(shelf = new DocumentShelf(), model = 'm1') {
  const warnings: unknown[] = []
  const log = { warn: (fields: object, message: string) => void warnings.push([fields, message]) }
  const knowledge = await KnowledgeBases.load({
    store: shelf,
    embedder: endpointEmbedder({ url, model, apiKey: KEY }),
    log,
  })
  return { shelf, knowledge, warnings }
}

const refunds = { name: 'refunds.md', title: 'Refunds', sections: [{ text: 'Refunds take five days.' }] }
const shipping = { name: 'shipping.md', title: 'Shipping', sections: [{ text: 'Parcels leave daily.' }] }

async function filled() {
  const all = await bases()
  await all.knowledge.put('p', refunds)
  await all.knowledge.put('p', shipping)
  return all
}

const titles = async (knowledge: KnowledgeBases, query: string) =>
  (await knowledge.of('p')!.search(query, 5)).map(hit => hit.title)

/** When everything that waits for no endpoint has gone as far as it gets. */
const settled = () => new Promise(resolve => setImmediate(resolve))

describe('with an embeddings endpoint', () => {
  test('documents are found by meaning, without a word in common', async () => {
    const { knowledge } = await filled()
    expect((await titles(knowledge, 'when do I get my cash back'))[0]).toBe('Refunds')
    expect((await titles(knowledge, 'where is the courier'))[0]).toBe('Shipping')
    expect(asked[0]).toMatchObject({
      authorization: `Bearer ${KEY}`,
      model: 'm1',
      input: ['Refunds\nRefunds take five days.'],
    })
  })

  test('what fits by its words and by its meaning scores near 1', async () => {
    const { knowledge } = await filled()
    const [first, ...others] = await knowledge.of('p')!.search('refunds', 5)
    expect(first).toMatchObject({ title: 'Refunds' })
    expect(first!.score).toBeGreaterThan(0.95)
    expect(Math.max(0, ...others.map(one => one.score))).toBeLessThan(0.5)
  })

  test('vectors are kept: after a restart only the query is sent', async () => {
    const { shelf } = await filled()
    asked = []
    const again = await bases(shelf)
    await again.knowledge.embedMissing()
    expect((await titles(again.knowledge, 'cash'))[0]).toBe('Refunds')
    expect(asked.map(one => one.input)).toEqual([['cash']])
  })

  test('of another model are made anew, and never compared with', async () => {
    const { shelf } = await filled()
    const { knowledge } = await bases(shelf, 'm2')
    expect(await titles(knowledge, 'cash')).toEqual([])
    await knowledge.embedMissing()
    expect((await titles(knowledge, 'cash'))[0]).toBe('Refunds')
    expect((await shelf.all()).map(one => one.embedding?.model)).toEqual(['m2', 'm2'])
  })

  test('made anew do not bring back a document that was removed meanwhile', async () => {
    let finish = () => undefined as void
    const finished = new Promise<void>(resolve => (finish = resolve))
    class SlowForLarge extends DocumentShelf {
      override async put(document: KnowledgeDocument) {
        if (document.name === 'large.md') await finished
        return await super.put(document)
      }
    }
    const shelf = new SlowForLarge()
    const { document } = await (await bases(shelf)).knowledge.put('p', refunds)
    const embedder = {
      model: 'm2',
      embed: async (texts: readonly string[]) => texts.map(text => Float32Array.from(meaningOf(text))),
    }
    const knowledge = await KnowledgeBases.load({ store: shelf, embedder })
    const large = knowledge.put('p', { name: 'large.md', title: 'Large', sections: [{ text: 'Returns' }] })
    await settled()
    const removed = knowledge.remove('p', document.kb_id)
    const embedded = knowledge.embedMissing()
    await settled()
    finish()
    await Promise.all([large, removed, embedded])
    expect((await shelf.all('p')).map(({ name }) => name)).toEqual(['large.md'])
    expect(await titles(knowledge, 'refunds')).not.toContain('Refunds')
  })

  test('of a slow endpoint hold up no end: what is asked for is given up, without a word', async () => {
    const { shelf } = await filled()
    const { knowledge, warnings } = await bases(shelf, 'm2')
    respond = () => undefined
    const already = asked.length
    const embedding = knowledge.embedMissing()
    await expect.poll(() => asked.length).toBe(already + 1)
    knowledge.close()
    await embedding
    expect(warnings).toEqual([])
  })

  test.each([
    ['answers an error', () => ({ status: 500, body: { error: { message: KEY } } })],
    ['answers something else', () => ({ body: { data: [] } })],
    ['hangs', () => undefined],
  ])('when it %s, documents are taken and found by their words, and the log says so', async (_, failing) => {
    const { knowledge, warnings } = await filled()
    respond = failing
    expect(await titles(knowledge, 'refunds')).toEqual(['Refunds'])
    expect(await titles(knowledge, 'cash')).toEqual([])
    expect(warnings.length).toBeGreaterThan(0)
    expect(JSON.stringify(warnings)).not.toContain(KEY)
  })
})
