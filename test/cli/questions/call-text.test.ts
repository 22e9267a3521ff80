import { expect, test } from 'vitest'
import { callText } from '../../../src/cli/questions/call-text.js'

type Call = Parameters<typeof callText>[0]

const call = {
  metadata: { session_id: 'a', agent_name: 'Ana Silva', created_dt: '2026-03-01T23:30:00.000Z' },
  scores_headline: {},
  scores: [],
  signals: [],
  signals_absent: [],
  guidance: [],
  evaluation: { evaluator: 'rules', evaluated_at: '2026-03-02T10:00:00.000Z' },
} as unknown as Call

const began = (zone?: string) => {
  const text = callText({ ...call, ...(zone !== undefined && { zone }) }, { width: 100, colour: false })
  return text.split('\n').filter(line => /^(?:Began|Evaluated)/.test(line))
}

test('times are of the zone that the calls are listed in, and say which it is', () => {
  expect(began('Europe/Berlin')).toEqual([
    'Began      2026-03-02 00:30 (Europe/Berlin)',
    'Evaluated  rules, 2026-03-02 11:00 (Europe/Berlin)',
  ])
  expect(began()).toEqual(['Began      2026-03-01 23:30 (UTC)', 'Evaluated  rules, 2026-03-02 10:00 (UTC)'])
})
