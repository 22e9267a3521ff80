import { Readable } from 'node:stream'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { EntryLine, TakeEntries } from '../../src/ingest/entries.js'
import { noMasks } from '../../src/redact/mask.js'
import { importCalls } from '../../src/ingest/import-calls.js'
import { CallShelf } from '../support/call-shelf.js'

const project = '{"entry":"project","name":"Shop"}'
const call = (id: string) =>
  JSON.stringify({ session_id: id, agent_name: 'Ann', created_dt: '2026-03-01T12:00:00.000Z' })

/** Imports chunks as one input, and keeps in which order calls were written and entries taken. */
async function importing(chunks: readonly Buffer[], takesEntries = true) {
  const shelf = new CallShelf()
  const came: string[] = []
  const taken: EntryLine[] = []
  const takeEntries: TakeEntries = async entries => {
    taken.push(...entries)
    came.push(...entries.map(({ text }) => text))
    return { rejects: [], masked: noMasks() }
  }
  const report = await importCalls({
    inputs: [{ name: 'export', stream: Readable.from(chunks) }],
    projectId: 'demo',
    store: {
      agentIds: () => shelf.agentIds(),
      preview: (id, calls) => shelf.preview(id, calls),
      upsert: async (id, calls) => {
        came.push(...calls.map(({ session_id }) => session_id))
        return await shelf.upsert(id, calls)
      },
    },
    workers: 0,
    redact: false,
    evaluate: undefined,
    ...(takesEntries && { takeEntries }),
  })
  return { report, came, taken }
}

test('entries are taken in their place among calls, with their lines, wherever the input is cut', async () => {
  const lines = fc.array(fc.constantFrom('call', 'entry', '', '{"entry": 1}', 'nonsense'), { maxLength: 30 })
  await fc.assert(
    fc.asyncProperty(lines, fc.array(fc.nat(400), { maxLength: 8 }), fc.boolean(), async (kinds, cuts, ended) => {
      const rest = kinds.map((kind, i) =>
        kind === 'call' ? call(`c${i}`) : kind === 'entry' ? `{"entry":"x","n":${i}}` : kind,
      )
      const bytes = Buffer.from([project, ...rest].join('\n') + (ended ? '\n' : ''))
      const places = [...new Set([0, ...cuts.map(cut => Math.min(cut, bytes.length)), bytes.length])].sort(
        (a, b) => a - b,
      )
      const chunks = places.slice(1).map((end, i) => bytes.subarray(places[i], end))
      const { came, taken, report } = await importing(chunks)
      const expected = [project, ...rest]
      expect(came).toEqual(
        expected.flatMap(text =>
          text.startsWith('{"entry":"') ? [text] : (/"session_id":"(\w+)"/.exec(text)?.[1] ?? []),
        ),
      )
      for (const { line, text } of taken) expect(expected[line - 1]).toBe(text)
      for (const { line } of report.errors) expect(expected[line - 1]).toMatch(/nonsense|1/)
      expect(report.rejected).toBe(expected.filter(text => /nonsense|entry": 1/.test(text)).length)
    }),
    { numRuns: 60 },
  )
})

test('what takes calls only takes those of an export, and says of the rest what it is', async () => {
  const exported = Buffer.from(`${project}\n${call('a')}\n{"entry":"alert","name":"x"}\n`)
  const { report } = await importing([exported], false)
  expect(report).toMatchObject({ stored: 1, rejected: 2 })
  expect(report.errors.map(({ line }) => line)).toEqual([1, 3])
  expect(report.errors[0]?.message).toContain('"earshot import" takes those')
})

test('a file that does not begin with the settings of a project is no export', async () => {
  const { report, taken } = await importing([Buffer.from(`${call('a')}\n{"entry":"alert","name":"x"}\n`)])
  expect(taken).toEqual([])
  expect(report).toMatchObject({ stored: 1, rejected: 1 })
})
