import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { generateCalls } from '../../src/demo/generate-calls.js'
import { importCalls } from '../../src/ingest/import-calls.js'
import { CallShelf } from '../support/call-shelf.js'

const end = new Date('2026-03-01T00:00:00Z')

/** 400 calls, about 3 MB in ten pieces, with a few bad lines and a repeated call among them. */
function* content(): Generator<string> {
  let count = 0
  for (const line of generateCalls({ calls: 400, seed: 11, end }).lines) {
    yield line
    count += 1
    if (count % 100 === 0) yield '{"session_id": broken\n'
    if (count === 400) yield line.replace(/"title":"[^"]*"/, '"title":"the last one wins"')
  }
}

describe('worker threads', () => {
  it('prepare the same calls, in the same order, as this thread does', async () => {
    const importing = async (workers: number) => {
      const store = new CallShelf()
      const inputs = [{ name: 'calls', stream: Readable.from(content()) }]
      const report = await importCalls({
        inputs,
        redact: false,
        evaluate: undefined,
        projectId: 'demo',
        store,
        workers,
      })
      return { report, prepared: [...store.prepared] }
    }
    const threads = await importing(2)
    expect(threads).toEqual(await importing(0))
    expect(threads.report).toMatchObject({ received: 405, stored: 400, duplicates: 1, rejected: 4 })
    expect(threads.prepared.at(-1)?.[1].json).toContain('"title":"the last one wins"')
  })
})
