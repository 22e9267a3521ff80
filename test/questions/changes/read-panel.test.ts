import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Threads } from '../../../src/admission/threads.js'
import { callRecord } from '../../../src/calls/call-record.js'
import { generateCalls } from '../../../src/demo/generate-calls.js'
import { detectChanges } from '../../../src/questions/detect-changes.js'
import type { Asker } from '../../../src/questions/asker.js'
import { categories } from '../../../src/questions/changes/change.js'
import { periodsCompared } from '../../../src/questions/changes/periods-compared.js'
import { readPanel } from '../../../src/questions/changes/read-panel.js'
import { question } from '../../../src/questions/question.js'
import { z } from 'zod'
import { type Asking, asking } from '../../support/asking.js'
import { threadsHere } from '../../support/threads-here.js'

// What detect_changes compares: everything counted by agent and period, as counting call by call gives it.

const apart = vi.fn<(name: string) => void>()
const run: Threads['run'] = async (work, task, turn) => {
  apart(work.name)
  return await threadsHere.run(work, task, turn)
}
const generated = generateCalls({ calls: 3_000, seed: 11, agents: 120, end: new Date('2026-03-15T00:00:00Z') })
const calls = [...generated.lines].map((line, i) => {
  const call = callRecord.parse(JSON.parse(line))
  const readings = call.dimensions ?? []
  return callRecord.parse({
    ...call,
    // One id with two names is two agents, and a call may carry a reading twice.
    ...(i % 7 === 0 && { agent_id: 'shared' }),
    ...(i % 5 === 0 && readings.length > 0 && { dimensions: [...readings, readings[0]] }),
  })
})
let service: Asking

beforeAll(async () => {
  service = await asking('UTC', { threads: { run } })
  await service.import('p', calls)
})
afterAll(() => service.close())

test('counts are those of the calls', async () => {
  const span = (from: string, until: string) => ({ from: Date.parse(from), until: Date.parse(until) })
  const window = span('2026-03-01', '2026-03-15')
  const first = Math.min(...calls.map(({ created_dt: at }) => Date.parse(at)))
  const compared = periodsCompared({ window, parts: [span('2026-02-15', '2026-03-01')] }, first, 'UTC')
  let found: Awaited<ReturnType<typeof readPanel>> | undefined
  const reading = question({
    name: 'read_panel',
    title: 'x',
    description: 'x',
    input: z.strictObject({}),
    output: z.strictObject({}),
    answer: async (asker: Asker) => {
      found = await readPanel(asker, compared, { agents: [], trust: {} }, new Set(categories))
      return {}
    },
  })
  await service.ask(reading)
  const { agents, measured, calls: counted } = found!
  const { columns } = compared.comparison
  expect(agents.filter(({ agent_id: id }) => id === 'shared').length).toBeGreaterThan(20)

  const isIn = (at: string, column: number) =>
    compared.columns[column]!.some(piece => {
      const { from, until } = compared.pieces[piece]!
      return Date.parse(at) >= from && Date.parse(at) < until
    })
  const different: unknown[] = []
  for (const [agent, { agent_id: id, agent_name: name }] of agents.entries()) {
    const own = calls.filter(
      call => (call.agent_id ?? call.agent_name.toLowerCase()) === id && call.agent_name === name,
    )
    for (let column = 0; column < columns; column += 1) {
      const here = own.filter(({ created_dt: at }) => isIn(at, column))
      const at = agent * columns + column
      if (counted[at] !== here.length) different.push(['calls', at])
      for (const { category, key, outcome } of measured) {
        if (category === 'scores') {
          const values = here.flatMap(call => {
            if (key === 'score') return call.score ?? []
            if (key === 'predicted_csat') return call.predicted_csat ?? []
            return call.scores?.filter(one => one.key === key).map(({ value }) => value) ?? []
          })
          const sums = [values.length, ...[1, 2].map(power => values.reduce((sum, value) => sum + value ** power, 0))]
          const read = [outcome.calls[at]!, outcome.sums[at]!, outcome.squares[at]!]
          if (read.some((one, i) => Math.abs(one - sums[i]!) > 1e-8)) different.push([category, key, at])
          continue
        }
        const has = here.filter(call => {
          if (category === 'drivers') return call.interaction_driver === key
          if (call.evaluation === undefined) return false
          if (category === 'signals') return call.signals?.some(one => one.key === key && one.state === 'present')
          if (category === 'guidance') return call.guidance?.some(one => one.key === key)
          return call.dimensions?.some(one => `${one.key}=${one.value}` === key)
        })
        if (outcome.sums[at] !== has.length) different.push([category, key, at])
      }
    }
  }
  expect(different).toEqual([])
})

test('what grows with a project is compared apart from the thread that answers', async () => {
  apart.mockClear()
  const all = await service.ask(detectChanges, { period: '2026-03-01 to 2026-03-14' })
  expect(all.tested).toBeGreaterThan(20)
  expect(apart.mock.calls).toEqual([['comparePanel']])
  apart.mockClear()
  await service.ask(detectChanges, { period: '2026-03-01 to 2026-03-14', categories: ['agents'] })
  expect(apart).not.toHaveBeenCalled()
})
