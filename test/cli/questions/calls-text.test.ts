import { expect, test } from 'vitest'
import { callsText } from '../../../src/cli/questions/calls-text.js'

type Answer = Parameters<typeof callsText>[0]

const call = (session_id: string, why?: Answer['calls'][number]['why']): Answer['calls'][number] => ({
  session_id,
  agent_name: 'Ana Silva',
  date: '2026-03-01T12:00:00.000Z',
  score: 2,
  summary: 'A card that did not come',
  signal_count: 3,
  ...(why === undefined ? {} : { why }),
})

const answer = {
  calls: [
    call('a', { cap: 'cond.rude', reason: 'the agent was rude' }),
    call('b', { dimension: 'empathy', value: 1.5 }),
    call('c'),
  ],
  total: 3,
  window: { from: '2026-03-01T00:00:00.000Z', to: '2026-03-31T23:59:59.999Z', time_zone: 'UTC' },
} as unknown as Answer

const lines = (width: number | undefined) => callsText(answer, { width, colour: false }).split('\n')

test('a wide terminal, and a file, show what cost most of each score', () => {
  for (const width of [undefined, 140]) {
    const text = lines(width)
    expect(text.find(line => line.startsWith('a '))).toMatch(/ capped: the agent was rude$/)
    expect(text.find(line => line.startsWith('b '))).toMatch(/ empathy 1\.50$/)
    expect(text.find(line => line.startsWith('c '))).toMatch(/ 3$/)
  }
})

test('a narrow one has no room for it', () => {
  const text = lines(80).join('\n')
  expect(text).not.toContain('Cost most')
  expect(text).toContain('A card that di…')
})
