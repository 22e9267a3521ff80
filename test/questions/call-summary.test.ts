import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CallRecord } from '../../src/calls/call-record.js'
import { searchCalls } from '../../src/questions/search-calls.js'
import { type Asking, asking, caller } from '../support/asking.js'
import { call } from '../support/call.js'

const coaching_summary = 'What went well: The caller was greeted. To work on: The goodbye.'
const heard = (quote: string): Partial<CallRecord> => ({
  signals: [
    { key: 'sig.greeting_given', state: 'present', evidence: [{ turn: 0, quote: 'Hello.' }] },
    { key: 'sig.reason_captured', state: 'present', evidence: [{ turn: 1, quote }] },
  ],
})
const long = 'I was told that somebody would come on Monday and nobody came, so I rang again. '.repeat(3).trim()
const calls: Readonly<Record<string, Partial<CallRecord>>> = {
  titled: { title: 'Card lost', interaction_driver: 'replace card', coaching_summary, ...heard('I lost my card.') },
  said: {
    interaction_driver: 'replace card',
    coaching_summary,
    ...heard('My card is 4111 1111 1111 1111, I lost it.'),
  },
  long: { interaction_driver: 'replace card', coaching_summary, ...heard(long) },
  unnamed: { coaching_summary },
  coached: { interaction_driver: 'replace card', coaching_summary },
  bare: { interaction_driver: 'replace card' },
  nothing: {},
}

let service: Asking
beforeAll(async () => {
  service = await asking()
  await service.import(
    'p',
    Object.entries(calls).map(([id, fields]) => call(id, { score: 3, ...fields })),
  )
})
afterAll(() => service.close())

async function summaries(who = caller()) {
  const { calls: found } = await service.ask(searchCalls, {}, who)
  return Object.fromEntries(found.map(({ session_id: id, summary }) => [id, summary]))
}

describe('a call in a line', () => {
  test('is its title, or why the customer called in their words, or what the coach would say first', async () => {
    const { long: cut, ...others } = await summaries()
    expect(others).toEqual({
      titled: 'Card lost',
      said: 'replace card: “My card is 4111 1111 1111 1111, I lost it.”',
      unnamed: 'What went well: The caller was greeted.',
      coached: 'What went well: The caller was greeted.',
      bare: 'replace card',
      nothing: undefined,
    })
    // At the end of a word, within 200 characters.
    expect(cut).toMatch(/^replace card: “I was told .* (on|again|I|was|told|that|somebody|would|come)…”$/u)
    expect(cut!.length).toBeLessThanOrEqual(200)
  })

  test('has its words masked for a key that sees them so, and is the reason alone for one that sees none', async () => {
    const masked = await summaries(caller({ text: 'masked' }))
    expect(masked).toMatchObject({
      said: 'replace card: “My card is [card], I lost it.”',
      unnamed: 'What went well: The caller was greeted.',
    })
    const reason = 'replace card'
    expect(await summaries(caller({ text: 'none' }))).toEqual({
      titled: reason,
      said: reason,
      long: reason,
      unnamed: undefined,
      coached: reason,
      bare: reason,
      nothing: undefined,
    })
  })
})
