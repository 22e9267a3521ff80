import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { BudgetSpent, ModelAccount } from '../../../src/evaluation/model/model-account.js'

const MOST = { input: 100, output: 100 }

/** A request of a while that uses so much. */
const spend = (account: ModelAccount, used = MOST) =>
  account.spend(
    MOST,
    () => pause(5, used),
    one => one,
  )

describe('the account of a run', () => {
  it('adds up what was used, and what it cost', async () => {
    const account = new ModelAccount({}, { input: 3, output: 15 })
    await Promise.all([spend(account), spend(account, { input: 10, output: 1 })])
    expect(account).toMatchObject({ requests: 2, tokens: { input: 110, output: 101 }, cost: 0.0018 })
    expect(new ModelAccount().cost).toBeUndefined()
  })

  it.each([
    ['calls', { calls: 3 }, 3],
    ['tokens', { tokens: 650 }, 3],
    ['money', { cost: 0.005 }, 2],
  ])('lets no request begin that could go beyond a bound of %s, however many come at once', async (_, budget, fit) => {
    const account = new ModelAccount(budget, { input: 10, output: 10 })
    const ends = await Promise.allSettled(Array.from({ length: 8 }, () => spend(account)))
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(fit)
    const reasons: unknown[] = ends.flatMap(end => (end.status === 'rejected' ? [end.reason] : []))
    expect(reasons.every(reason => reason instanceof BudgetSpent)).toBe(true)
  })

  it('lets requests wait for what those under way leave over', async () => {
    const account = new ModelAccount({ tokens: 250 })
    // Each may use 200, and uses 20: one at a time fits, until 60 are used.
    const ends = await Promise.allSettled(Array.from({ length: 5 }, () => spend(account, { input: 10, output: 10 })))
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    expect(account.tokens).toEqual({ input: 30, output: 30 })
  })

  it('gives back what a request that failed could have used', async () => {
    const account = new ModelAccount({ tokens: 200 })
    await expect(
      account.spend(
        MOST,
        () => Promise.reject(new Error('no')),
        () => MOST,
      ),
    ).rejects.toThrow('no')
    await spend(account)
    expect(account.tokens).toEqual(MOST)
  })
})
