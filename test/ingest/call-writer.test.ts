import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { HeldShare } from '../../src/admission/held-share.js'
import { Shares } from '../../src/admission/shares.js'
import { importCalls } from '../../src/ingest/import-calls.js'
import { CallShelf } from '../support/call-shelf.js'

test('what waits to be written is written earlier where there is no room for it', async () => {
  const KIB = 1024
  const shares = new Shares({ what: 'bytes', all: 512 * KIB, ofProject: 512 * KIB, ofKey: 512 * KIB })
  const requester = { project: 'p', key: 'k' }
  const shelf = new CallShelf()
  let most = 0
  const lines = Array.from({ length: 6 }, (_, i) => {
    const transcript = [{ turn: 0, actor: 'agent', text: 'x'.repeat(200 * KIB) }]
    return `${JSON.stringify({ session_id: `s${i}`, agent_name: 'Ana', created_dt: '2026-03-01T10:00:00Z', transcript })}\n`
  })
  const report = await importCalls({
    inputs: [{ name: 'body', stream: Readable.from(lines) }],
    projectId: 'p',
    store: shelf,
    redact: false,
    evaluate: undefined,
    workers: 0,
    memory: { record: new HeldShare(shares, requester), batch: new HeldShare(shares, requester) },
    onProgress: () => void (most = Math.max(most, shares.taken)),
  })
  expect(report).toMatchObject({ received: 6, stored: 6 })
  expect(shelf.batches.map(({ length }) => length)).toEqual([3, 3])
  expect(most).toBeLessThanOrEqual(512 * KIB)
  expect(shares.taken).toBe(0)
})
