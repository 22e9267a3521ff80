import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { backgroundCalls, falseAlarms } from '../../bench/evaluation/background-calls.js'
import { defaultRubric } from '../../src/evaluation/rubric/built-in-rubrics.js'
import { RulesEvaluator } from '../../src/evaluation/rules/rules-evaluator.js'

/** Share of ordinary calls in which a signal may be found that is in none. */
const BUDGET = 0.01

describe('ordinary calls of ten trades', () => {
  const calls = backgroundCalls(fileURLToPath(new URL('background.txt', import.meta.url)), 800)
  const measured = falseAlarms(new RulesEvaluator(defaultRubric), calls)

  it('are many, the same every time', () => {
    expect(measured.turns).toBeGreaterThan(10_000)
    expect(new Set(calls.flatMap(({ transcript = [] }) => transcript.map(({ text }) => text))).size).toBeGreaterThan(
      1_000,
    )
  })

  it.each(measured.rows)('show no $key, but for one in a hundred', ({ alarms, quotes }) => {
    expect.soft(alarms / measured.calls, quotes.join('; ')).toBeLessThanOrEqual(BUDGET)
  })
})
