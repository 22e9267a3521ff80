import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { BudgetSpent, ModelAccount, modelPrices, type Tokens } from '../../../src/evaluation/model/model-account.js'

const MOST = { input: 100, output: 100 }

/** A request of a while that uses so much. */
const spend = (account: ModelAccount, used: Tokens = MOST) =>
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

  it('lets no first request begin that could go beyond a bound of money by filling the prompt cache', async () => {
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
    // Each may use 200, so that one begins; it uses 20, so that the others fit.
    const ends = await Promise.allSettled(Array.from({ length: 5 }, () => spend(account, { input: 10, output: 10 })))
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
    expect(account).toMatchObject({ requests: 5, tokens: { input: 50, output: 50 } })
  })

  it('spends what the budget says by what answers took, and no more than one answer is longer than those before', async () => {
    const account = new ModelAccount({ tokens: 10_000 })
    const most = { input: 1_000, output: 8_192 }
    // Answers are as long as they are, from 400 to 600; tokens in are two thirds of what was reckoned.
    const lengths = [500, 400, 600, 450, 550]
    const requests = Array.from({ length: 20 }, (_, at) => {
      const used = { input: 667, output: lengths[at % lengths.length]! }
      return account.spend(
        most,
        async () => used,
        one => one,
      )
    })
    const ends = await Promise.allSettled(requests)
    const { input, output } = account.tokens
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(8)
    expect(input + output).toBeGreaterThan(9_000)
    expect(input + output).toBeLessThan(10_100)
  })

  it('counts on what the prompt cache saved', async () => {
    const account = new ModelAccount({ cost: 0.03 }, modelPrices('anthropic', 10, 10))
    const most = { input: 1_000, output: 100 }
    const cached = { input: 1_000, output: 10, cacheRead: 1_000 }
    const one = async (used: Tokens) =>
      await account.spend(
        most,
        async () => used,
        it => it,
      )
    await one({ input: 1_000, output: 10, cacheWritten: 1_000 })
    // 0.0126 so far, and another like it fits; those that read the cache cost a tenth.
    for (let at = 0; at < 8; at += 1) await one(cached)
    expect(account.requests).toBe(9)
    expect(account.cost).toBe(0.0214)
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
