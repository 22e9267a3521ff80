import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Change } from '../../src/questions/changes/change.js'
import { changeReportText, reportWithoutCalls } from '../../src/tasks/change-report-text.js'

const change = (display_name: string, example_session_ids: string[]): Change => ({
  category: 'driver',
  key: 'k',
  display_name,
  direction: 'up',
  value: 0.5,
  baseline_value: 0.1,
  delta: 0.4,
  within_agents: 0.4,
  from_who_worked: 0,
  agents_compared: 12,
  calls_compared_share: 1,
  usual_move: 0.1,
  detectable: 0.2,
  earlier_pairs: 6,
  occurrences: 50,
  baseline_occurrences: 10,
  p_value: 0.001,
  q_value: 0.002,
  significance: 'high',
  example_session_ids,
})
const period = { from: '2026-03-01T00:00:00.000Z', to: '2026-03-07T23:59:59.999Z', time_zone: 'UTC', calls: 100 }
const detectable = { score: 0.21, shares: [{ share: 0.2, change: 0.065 }] }
const report = (changes: Change[]) =>
  changeReportText(
    {
      window: period,
      baseline: period,
      tested: 9,
      total: changes.length,
      changes,
      detectable,
      agents_compared: 12,
      calls_compared_share: 1,
      earlier_pairs: 6,
    },
    'Shop | 1',
  )

it('that found nothing says what it would have found', () => {
  expect(report([])).toContain(
    'four times in five: a mean score that moved by 0.21; a share of 20.0 % that moved by 6.5 points.',
  )
})

it('lists what is part of a finding beneath it', () => {
  const part = {
    category: 'guidance' as const,
    key: 'g',
    display_name: 'Explain',
    direction: 'down' as const,
  }
  const also = [
    { ...part, value: 0.1, baseline_value: 0.3, delta: -0.2, q_value: 0.01, significance: 'medium' as const },
  ]
  const text = report([{ ...change('Empathy', ['a']), carried_by: 'Ann', also }])
  expect(text).toContain('| driver Empathy, carried by Ann | up |')
  expect(text).toContain('| ↳ guidance Explain | down | 30.0 % | 10.0 % |')
})

it('without calls is as it would have been written without them, whatever they are called', () => {
  const awkward = fc.constantFrom('a', 'b', ', ', ',', ' | ', '|', '\\', '&#44;', '&', '<br>', '$&', '1')
  const id = fc.array(awkward, { minLength: 1, maxLength: 5 }).map(parts => parts.join('').trim() || 'x')
  const rows = fc.array(fc.tuple(id, fc.uniqueArray(id, { maxLength: 3 })), { minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(rows, fc.array(id, { maxLength: 4 }), (given, erased) => {
      const gone = new Set([...erased, ...(given[0]?.[1].slice(0, 1) ?? [])])
      const without = (only: (one: string) => boolean) =>
        report(given.map(([name, ids]) => change(name, ids.filter(only))))
      expect(
        reportWithoutCalls(
          without(() => true),
          gone,
        ),
      ).toBe(without(one => !gone.has(one)))
    }),
  )
})
