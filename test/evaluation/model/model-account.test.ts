import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { BudgetSpent, ModelAccount, modelPrices } from '../../../src/evaluation/model/model-account.js'

const MOST = { input: 100, output: 100 }

/** A request of a while that uses so much. */
const spend = (account: ModelAccount, used: Parameters<ModelAccount['spend']>[0] = MOST) =>
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

  it('counts what the prompt cache makes cheaper, and what filling it adds', async () => {
    const account = new ModelAccount({}, modelPrices('anthropic', 100, 0))
    await spend(account, { input: 1_000, output: 0, cacheWritten: 800 })
    expect(account.cost).toBe(0.12)
    await spend(account, { input: 1_000, output: 0, cacheRead: 800 })
    expect(account.cost).toBe(0.148)
    const whole = new ModelAccount({}, modelPrices('openai', 100, 0))
    await spend(whole, { input: 1_000, output: 0, cacheRead: 800 })
    expect(whole.cost).toBe(0.1)
  })

  it('lets no request begin that could go beyond a bound of money by filling the prompt cache', async () => {
    const prices = modelPrices('anthropic', 10, 10)
    await expect(spend(new ModelAccount({ cost: 0.002 }, prices))).rejects.toThrow(BudgetSpent)
    await expect(spend(new ModelAccount({ cost: 0.00225 }, prices))).resolves.toBeDefined()
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
    expect(account.tokens).toMatchObject({ input: 30, output: 30 })
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
    expect(account.tokens).toMatchObject(MOST)
  })
})
