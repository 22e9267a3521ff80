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
  occurrences: 50,
  baseline_occurrences: 10,
  p_value: 0.001,
  q_value: 0.002,
  significance: 'high',
  example_session_ids,
})
const period = { from: '2026-03-01T00:00:00.000Z', to: '2026-03-07T23:59:59.999Z', time_zone: 'UTC', calls: 100 }
const report = (changes: Change[]) =>
  changeReportText({ window: period, baseline: period, tested: 9, total: changes.length, changes }, 'Shop | 1')

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
