import { describe, expect, it } from 'vitest'
import { findQuote } from '../../../src/evaluation/model/find-quote.js'
import { english } from '../../../src/evaluation/rules/languages/english.js'
import { hearCall } from '../../../src/evaluation/rules/heard-call.js'
import { aCall } from '../a-call.js'

const TEXT = "Well, I don't KNOW — I forgot my password, and my user name too. [noise] İstanbul."
const quoted = (quote: string) => {
  const span = findQuote(hearCall(aCall([`c: ${TEXT}`]), english).spoken[0]!, quote)
  return span && TEXT.slice(span.start, span.end)
}

describe('a quote', () => {
  it.each([
    ['I forgot my password', 'I forgot my password'],
    ['i forgot MY password', 'I forgot my password'],
    ['I forgot my password.', 'I forgot my password'],
    ['I  don’t know I forgot', "I don't KNOW — I forgot"],
    ['dont know', "don't KNOW"],
    ['"I forgot my password, and my user name too"', 'I forgot my password, and my user name too'],
    ['I forgot … user name', 'I forgot my password, and my user name'],
    ['… my password ...', 'my password'],
    ['Well... too', TEXT.slice(0, TEXT.indexOf(' [noise]') - 1)],
    ['istanbul', undefined],
    ['İstanbul', 'İstanbul'],
    // Other words, another order, cut words, nothing.
    ['I lost my password', undefined],
    ['user name … password', undefined],
    ['forgot my pass', undefined],
    ['ell, I', undefined],
    ['noise', undefined],
    ['…', undefined],
    ['', undefined],
    ['—', undefined],
    ['password and my user name too'.repeat(50), undefined],
  ])('%j stands where it says: %j', (quote, found) => {
    expect(quoted(quote)).toBe(found)
  })
})
