import { expect, test } from 'vitest'
import { callName } from '../../console/look/call-name.js'
import type { Detail } from '../../console/screens/call/detail.js'

const signal = { key: 'sig.reason_captured', display_name: 'Reason captured', state: 'present' } as const
const evidence = [{ turn: 1, quote: 'My card is gone.' }]
const driver = { interaction_driver: 'replace card' }
const heard: Detail['signals'] = [{ ...signal, evidence }]

test.each<[string | undefined, Partial<Detail['metadata']>, Detail['signals']]>([
  ['Card lost', { title: 'Card lost', ...driver }, heard],
  ['replace card: “My card is gone.”', driver, heard],
  // As a key that sees no texts has it.
  ['replace card', driver, [signal]],
  ['replace card', driver, []],
  [undefined, {}, heard],
])('a call is called %s', (name, fields, signals) => {
  const metadata = { session_id: 's', agent_id: 'a', agent_name: 'Ana', created_dt: '2026-03-01T12:00:00.000Z' }
  expect(callName({ metadata: { ...metadata, ...fields }, signals })).toBe(name)
})
