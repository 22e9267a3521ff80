import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { generateCalls } from '../../src/demo/generate-calls.js'
import { defaultRubric } from '../../src/evaluation/rubric/built-in-rubrics.js'
import { rulesInBatches } from '../../src/evaluation/run/batch-evaluator.js'
import { importCalls } from '../../src/ingest/import-calls.js'
import { createPreparer } from '../../src/ingest/worker-pool.js'
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

  // Some megabytes of words are as many objects while they are read.
  const hungry = 'and I really do understand how that feels '.repeat(20_000)
  const saying = (id: string, text: string) => ({
    session_id: id,
    agent_name: 'Ada',
    created_dt: '2026-03-01T10:00:00Z',
    transcript: [0, 1, 2, 3].map(turn => ({ turn, actor: turn % 2 === 0 ? 'agent' : 'customer', text })),
  })
  const rubric = { ...defaultRubric, verticals: [] }
  const HEAP_MIB = 64

  it('that run out of memory over a call cost it its evaluation, and an import nothing else', async () => {
    const preparer = createPreparer(1, rubric, { heapMib: HEAP_MIB })
    const prepare = async (...calls: readonly object[]) => {
      const bytes = Buffer.from(calls.map(one => JSON.stringify(one)).join('\n'))
      const { records, rejects } = await preparer.run({
        format: 'call-records',
        reading: { redact: false, mapping: [], agentSpeakers: [], timeZone: undefined },
        pieces: [{ file: 'calls', line: 1, kind: 'lines', at: '', bytes, unended: false }],
      })
      return { rejects, found: records.map(({ session_id: id, evaluated }) => [id, evaluated]) }
    }
    const why = `Evaluating it, with the calls that came along, took more than ${HEAP_MIB} MiB of memory`
    expect(await prepare(saying('hungry', hungry))).toEqual({ rejects: [], found: [['hungry', why]] })
    expect(await prepare(saying('usual', 'How can I help you?'))).toEqual({ rejects: [], found: [['usual', true]] })
    await preparer.close()
  })

  it('that run out of memory over a stored call leave it not evaluated, and no other', async () => {
    const evaluator = rulesInBatches(rubric, 1, HEAP_MIB)
    const calls = [saying('first', 'How can I help you?'), saying('hungry', hungry), saying('last', 'Thank you')]
    const found = await evaluator.run({ calls: calls.map(one => JSON.stringify(one)), at: end.getTime() })
    expect(found.map(one => ('none' in one ? one.none : undefined))).toEqual([
      undefined,
      `Evaluating it took more than ${HEAP_MIB} MiB of memory`,
      undefined,
    ])
    await evaluator.close()
  })
})
