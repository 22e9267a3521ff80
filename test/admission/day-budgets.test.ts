import { expect, test } from 'vitest'
import { DayBudgets } from '../../src/admission/day-budgets.js'

const NOON = Date.parse('2026-11-23T12:00:00Z')
const HOUR_MS = 3_600_000

function at(start: number) {
  let now = start
  return { clock: () => now, later: (ms: number) => void (now += ms) }
}
const refusalOf = (run: () => unknown) => {
  try {
    run()
  } catch (error) {
    return error as { code: string; message: string; retryAfter: number }
  }
  return undefined
}

test('a question is counted as it begins: of many at once as many are let in as there may be', () => {
  const budgets = new DayBudgets(at(NOON).clock)
  const let_in = Array.from({ length: 50 }, () => refusalOf(() => budgets.take('a', { questions: 3 })))
  expect(let_in.filter(refusal => refusal === undefined)).toHaveLength(3)
  expect(let_in.at(-1)).toMatchObject({
    code: 'too_many_requests',
    message:
      'This key has had what it may have in a day: 3 questions; it may ask again from 2026-11-24T00:00:00.000Z on',
    retryAfter: 12 * 3_600,
  })
  expect(refusalOf(() => budgets.take('b', { questions: 3 }))).toBeUndefined()
  expect(budgets.totals()).toEqual({
    spent: { questions: 4, bytes: 0, work_ms: 0 },
    refused: { questions: 47, bytes: 0, work_ms: 0 },
  })
})

test('bytes and work are counted when they are known, and end the day for the next', () => {
  const budgets = new DayBudgets(at(NOON).clock)
  const budget = { bytes: 100, work_ms: 2_000 }
  const first = budgets.take('a', budget)
  first.answered(60)
  first.worked(1_500.5)
  expect(budgets.left('a', budget)).toEqual({ bytes: 40, work_ms: 499, renewed_at: '2026-11-24T00:00:00.000Z' })
  budgets.take('a', budget).answered(60)
  expect(budgets.left('a', budget)).toMatchObject({ bytes: 0 })
  expect(refusalOf(() => budgets.take('a', budget))?.message).toContain('100 bytes of answers')
  expect(refusalOf(() => budgets.take('a', { work_ms: 1_000 }))?.message).toContain('1 s of work')
})

test('a day begins anew at midnight UTC, and what was spent is known after a start', () => {
  const { clock, later } = at(NOON)
  const budgets = new DayBudgets(clock)
  budgets.take('a', { questions: 1 })
  const kept = budgets.changes()
  expect(kept).toEqual(new Map([['a', { day: '2026-11-23', questions: 1, bytes: 0, work_ms: 0 }]]))
  expect(budgets.changes().size).toBe(0)
  const started = new DayBudgets(clock)
  for (const [keyId, spent] of kept) started.restore(keyId, spent)
  expect(refusalOf(() => started.take('a', { questions: 1 }))).toBeDefined()
  later(12 * HOUR_MS)
  expect(refusalOf(() => started.take('a', { questions: 1 }))).toBeUndefined()
})
