import { describe, expect, it } from 'vitest'
import { maskText } from '../../src/redact/mask-text.js'
import { processorMs } from '../support/processor-time.js'

const masked = (text: string, region: 'US' | 'GB' | 'DE' | 'FR' = 'US', label?: string) =>
  maskText(text, { region, ...(label !== undefined && { label }) }).text

describe('maskText', () => {
  it.each([
    ['my card is 4111 1111 1111 1111 thanks', 'my card is [card] thanks'],
    ['4111-1111-1111-1111', '[card]'],
    ['4111111111111111', '[card]'],
    ['amex 3782 822463 10005.', 'amex [card].'],
    ['4111, 1111, 1111, 1111 expires 12/27', '[card] expires 12/27'],
    ['５５５５５５５５５５５５４４４４', '[card]'],
    ['it is four one one one, one one one one, one one one one, uh one one one one', 'it is [card]'],
    ['forty-one eleven, 1111, double one double one, eleven eleven', '[card]'],
    ['call me at (415) 555-0123 or +1 415-555-0199', 'call me at [phone] or [phone]'],
    ['it is four one five, five five five, oh one two three okay', 'it is [phone] okay'],
    ['my number is 415 555 0123', 'my number is [phone]'],
    ['reach me on +44 20 7946 0958.', 'reach me on [phone].'],
    ['0049 30 901820 is the office', '[phone] is the office'],
    ['4159265358 works', '[phone] works'],
    ['the local one is phone 555-0123', 'the local one is phone [phone]'],
    ['ann.smith+x@mail.example.co.uk, please', '[email], please'],
    ['email is ann dot smith at example dot com', 'email is [email]'],
    ['j o e at gmail dot com', '[email]'],
    ['my social is 123-45-6789', 'my social is [ssn]'],
    ['123 45 6789', '[ssn]'],
    ['social security one two three four five six seven eight nine', 'social security [ssn]'],
    ['DE89 3704 0044 0532 0130 00 and then', '[iban] and then'],
    ['de89370400440532013000', '[iban]'],
    ['AB 12 34 56 C is hers', '[ssn] is hers'],
  ])('masks %j', (text, expected) => {
    expect(masked(text)).toBe(expected)
  })

  it.each([
    ['020 7946 0958', 'GB', '[phone]'],
    ['07911 123456', 'GB', '[phone]'],
    ['030 901820', 'DE', '[phone]'],
    ['01 42 68 53 00', 'FR', '[phone]'],
  ] as const)('masks %j as a number of %s', (text, region, expected) => {
    expect(masked(text, region)).toBe(expected)
  })

  it.each([
    'the total is $1,234,567.89 or 1.234.567,89 €',
    'on 2026-03-01 12:30:45 and 01.03.2026, 3/1/2026 at 10:15',
    'order 4155550123 was shipped',
    'order number 4111 1111 1111 1112',
    'invoice #20260301123',
    'we looked at amazon dot com',
    'one of the two, three at most',
    'I have 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 of them',
    'the version is 10.4.0.112 and 192.168.10.20',
    'it costs 12345678 dollars',
    'meet @ noon, user@host',
    'GB82 WEST 1234 5698 7654 33 is no account',
    'the serial ORD4155550123X',
    'in nineteen ninety nine, twenty twenty six',
  ])('leaves %j alone', text => {
    expect(masked(text)).toBe(text)
  })

  it('takes the name of a field for what its number is', () => {
    expect(masked('5550123', 'US', 'callerPhone')).toBe('[phone]')
    expect(masked('123456789', 'US', 'ssn')).toBe('[ssn]')
    expect(masked('4155550123', 'US', 'order_id')).toBe('4155550123')
  })

  // Work that grows with the square of a text would take hours.
  it.each([
    ['digits', '7'.repeat(200_000)],
    ['groups', '1 2 3 4 5 6 7 8 9 0 '.repeat(10_000)],
    ['spoken digits', 'nine eight seven oh one '.repeat(8_000)],
    ['cards', '4111 1111 1111 1111 '.repeat(10_000)],
    ['dots', 'a.'.repeat(100_000)],
    ['ats', '@'.repeat(200_000)],
    ['letters at', `${'a '.repeat(80_000)} at b dot com`],
    ['brackets', '(+'.repeat(100_000)],
    ['accounts', 'DE89 '.repeat(40_000)],
  ])('is not slow for 200,000 characters of %s', (_, text) => {
    expect(processorMs(() => masked(text))).toBeLessThan(20_000)
  })
})
