import { expect, it } from 'vitest'
import { importLines } from '../../../src/cli/import/import-lines.js'
import { defaultRubric } from '../../../src/evaluation/rubric/built-in-rubrics.js'
import { generateCalls } from '../../../src/demo/generate-calls.js'
import { importingFiles } from '../../support/importing-files.js'
import { slowRules } from '../../support/slow-rules.js'

it('says that there was nothing to read, where an empty file looks like a success', async () => {
  const { report } = await importingFiles({ 'calls.ndjson': '' })
  expect(importLines(report, 'shop', undefined))
    .toBe(`0 of 0 calls stored in project shop (0 replaced, 0 duplicates, 0 rejected).
There was nothing to read.
`)
})

it('counts one duplicate as one', async () => {
  const call = '{"session_id":"a","agent_name":"Ann","created_dt":"2026-03-01T10:00:00Z"}'
  const { report } = await importingFiles({ 'calls.ndjson': `${call}\n${call}\n` })
  expect(importLines(report, 'shop', undefined)).toContain('(0 replaced, 1 duplicate, 0 rejected)')
})

it('says how calls are evaluated for which there was no time', async () => {
  const calls = [...generateCalls({ calls: 10, seed: 3, end: new Date('2026-03-01'), unevaluated: true }).lines].join(
    '',
  )
  slowRules(25_000)
  const { report } = await importingFiles({ 'calls.ndjson': calls }, { evaluate: { ...defaultRubric, verticals: [] } })
  expect(importLines(report, 'shop', undefined)).toContain(`3 evaluated by rules.
7 not evaluated: The calls before it took all the time there is for evaluating them as they come in. "earshot evaluate --project shop" evaluates what has none yet.
`)
})

it('says all that is wrong with a record, once, and of records that have the same faults how many there are', async () => {
  const turns = [
    { speaker: 'agent', text: 'Hello.' },
    { speaker: 'customer', text: 'Hello.' },
  ]
  const near = JSON.stringify({
    session_id: 'a',
    agent_name: 'Ann',
    created_dt: '2026-03-01T10:00:00Z',
    transcript: turns,
  })
  const { report } = await importingFiles({ 'calls.ndjson': `${near}\n`.repeat(5) })
  const faults =
    'transcript[0].turn is missing; transcript[0].actor is missing: it must be one of "agent", "customer", "system"; transcript[0].speaker is not a field of a call record'
  const file = report.errors[0]?.file
  expect(importLines(report, 'shop', undefined)).toBe(
    `0 of 5 calls stored in project shop (0 replaced, 0 duplicates, 5 rejected).

Rejected:
  ${file}:1  ${faults}
  ${file}:2  ${faults}
  ${file}:3  ${faults}
    and 2 more like these, to line 5
"earshot import --explain FILE" says which of its fields could be mapped to what is missing.
`,
  )
})
