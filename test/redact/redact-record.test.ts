import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { maskText } from '../../src/redact/mask-text.js'
import { prepareRecord } from '../../src/ingest/prepare-record.js'
import { noMasks } from '../../src/redact/mask.js'
import { redactRecord } from '../../src/redact/redact-record.js'
import { processorMs } from '../support/processor-time.js'

const minimal = { session_id: 's', agent_name: 'Ann', created_dt: '2026-03-01T12:00:00.000Z' }

function redacting(record: object) {
  const prepared = prepareRecord(structuredClone(record), undefined, true)
  if ('faults' in prepared) throw new Error(prepared.faults[0].message)
  return { record: JSON.parse(prepared.record.json) as Record<string, unknown>, masked: prepared.masked }
}

/** The digit that makes a number pass the Luhn check. */
function withCheckDigit(digits: string): string {
  const sum = Array.from(digits)
    .toReversed()
    .reduce((total, digit, index) => {
      const doubled = Number(digit) * (index % 2 === 0 ? 2 : 1)
      return total + (doubled > 9 ? doubled - 9 : doubled)
    }, 0)
  return digits + String((10 - (sum % 10)) % 10)
}

const digits = (count: number) => fc.stringMatching(new RegExp(`^[0-9]{${count}}$`))
const grouped = (text: string, sizes: readonly number[], by: string): string => {
  let at = 0
  return sizes.map(size => text.slice(at, (at += size))).join(by)
}
const WORDS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine']
const spoken = (text: string): string => Array.from(text, digit => WORDS[Number(digit)]).join(' ')

const planted = fc.oneof(
  fc
    .tuple(fc.constantFrom('4', '51', '37', '6011'), digits(16), fc.constantFrom('', ' ', '-', ', '))
    .map(([issuer, rest, by]) => {
      const length = issuer === '37' ? 15 : 16
      const number = withCheckDigit((issuer + rest).slice(0, length - 1))
      return { kind: 'card', text: grouped(number, length === 15 ? [4, 6, 5] : [4, 4, 4, 4], by), number }
    }),
  digits(15).map(rest => {
    const number = withCheckDigit(`4${rest.slice(1)}`)
    return { kind: 'card', text: spoken(number), number: spoken(number) }
  }),
  fc.tuple(fc.integer({ min: 200, max: 999 }), digits(7)).map(([area, rest]) => {
    const number = `${area}${rest}`
    return { kind: 'phone', text: grouped(number, [3, 3, 4], '-'), number }
  }),
  fc.tuple(fc.integer({ min: 100, max: 665 }), digits(6)).map(([area, rest]) => {
    const number = `${area}${rest}`
    return { kind: 'ssn', text: grouped(number, [3, 2, 4], '-'), number }
  }),
  fc.stringMatching(/^[a-z][a-z0-9._]{1,10}[a-z]$/).map(name => {
    const text = `${name.replaceAll(/\.+/g, '.')}@example.org`
    return { kind: 'email', text, number: text }
  }),
  fc.constantFrom('DE89 3704 0044 0532 0130 00', 'GB82WEST12345698765432').map(text => ({
    kind: 'iban',
    text,
    number: text.replaceAll(' ', ''),
  })),
)

describe('redactRecord', () => {
  it('masks every free text and leaves what identifies', () => {
    const { record, masked } = redacting({
      ...minimal,
      session_id: '4155550123',
      agent_name: 'ann@example.com',
      title: 'card 4111111111111111',
      customer_display_name: 'kim@example.com',
      interaction_driver: 'call back 415-555-0123',
      coaching_summary: 'Customer gave 123-45-6789.',
      guidance: [{ key: 'guide.x', kind: 'opportunity', text: 'never repeat 4111111111111111' }],
      trust: { level: 'low', reasons: ['only 415-555-0123 was understood'] },
      session_metadata: {
        location: 'desk (415) 555-0123',
        own: { deep: ['kim@example.com', 7] },
        phone: 4_155_550_123,
        order_id: 4_155_550_123,
        pan: 4_111_111_111_111_111,
        audio_length_seconds: 4_155_550,
      },
    })
    expect(record).toMatchObject({
      session_id: '4155550123',
      agent_name: 'ann@example.com',
      title: 'card [card]',
      customer_display_name: '[email]',
      interaction_driver: 'call back [phone]',
      coaching_summary: 'Customer gave [ssn].',
      guidance: [{ text: 'never repeat [card]' }],
      trust: { reasons: ['only [phone] was understood'] },
      session_metadata: {
        location: 'desk [phone]',
        own: { deep: ['[email]', 7] },
        phone: '[phone]',
        order_id: 4_155_550_123,
        pan: '[card]',
        audio_length_seconds: 4_155_550,
      },
    })
    expect(masked).toEqual({ ...noMasks(), card: 3, phone: 4, email: 2, ssn: 1 })
  })

  it('lets nothing survive of a number, wherever it stands', () => {
    fc.assert(
      fc.property(
        planted,
        fc.constantFrom('', 'it is ', 'so, '),
        fc.constantFrom('', '.', ' okay', ', thanks'),
        (plant, lead, tail) => {
          const text = `${lead}${plant.text}${tail}`
          const { record } = redacting({
            ...minimal,
            title: text,
            coaching_summary: text,
            customer_display_name: text,
            session_metadata: { note: text, list: [text] },
            transcript: [{ turn: 0, actor: 'customer', text }],
            conditions: [{ key: 'said', turn: 0, text }],
            signals: [{ key: 'sig.x', state: 'present', evidence: [{ turn: 0, quote: text }] }],
          })
          const stored = JSON.stringify(record)
          expect(stored).not.toContain(plant.text)
          expect(stored.replaceAll(/[ ,-]+/g, '')).not.toContain(plant.number.replaceAll(/[ ,-]+/g, ''))
          expect(record['title']).toBe(`${lead}[${plant.kind}]${tail}`)
        },
      ),
      { numRuns: 300 },
    )
  })

  it('keeps quotes verbatim, also those that cut a number', () => {
    fc.assert(
      fc.property(planted, fc.nat(60), fc.integer({ min: 1, max: 60 }), (plant, from, length) => {
        const text = `well my number is ${plant.text} if you want`
        const quote = text.slice(from, from + length)
        fc.pre(quote !== '')
        const { record } = redacting({
          ...minimal,
          transcript: [{ turn: 0, actor: 'customer', text }],
          signals: [{ key: 'sig.x', state: 'present', evidence: [{ turn: 0, quote }] }],
        })
        const { transcript, signals } = record as {
          transcript: { text: string }[]
          signals: { evidence: { quote: string }[] }[]
        }
        expect(transcript[0]?.text).toContain(signals[0]?.evidence[0]?.quote)
      }),
      { numRuns: 300 },
    )
  })

  it('masks a part of a number in a quote that is not verbatim', () => {
    const { record } = redacting({
      ...minimal,
      transcript: [{ turn: 0, actor: 'customer', text: 'it is 4111 1111 1111 1111' }],
      signals: [{ key: 'sig.x', state: 'present', evidence: [{ turn: 0, quote: 'Card: 4111-1111' }] }],
    })
    expect(JSON.stringify(record)).not.toMatch(/1111/)
  })

  it('leaves ordinary numbers alone', () => {
    const ordinary = fc.oneof(
      fc.double({ min: 0, max: 1e6, noNaN: true }).map(amount => `$${amount.toFixed(2)}`),
      fc
        .date({ min: new Date('1970-01-01'), max: new Date('2199-12-31'), noInvalidDate: true })
        .map(date => date.toISOString()),
      fc
        .date({ min: new Date('1970-01-01'), max: new Date('2199-12-31'), noInvalidDate: true })
        .map(date => date.toISOString().slice(0, 10)),
      digits(6).map(number => `order ${number}`),
      digits(10).map(number => `order number ${number}`),
      digits(15).map(
        number => `order ${withCheckDigit(number).slice(0, 15)}${(Number(withCheckDigit(number).at(-1)) + 1) % 10}`,
      ),
    )
    fc.assert(
      fc.property(ordinary, text => {
        expect(maskText(`it says ${text} here`, { region: 'US' }).text).toBe(`it says ${text} here`)
      }),
      // Two zeros dial abroad, and begin numbers of orders too.
      { numRuns: 500, examples: [['order number 0040000000']] },
    )
  })

  it('masks nothing twice', () => {
    fc.assert(
      fc.property(planted, fc.string(), (plant, more) => {
        const once = maskText(`${more} ${plant.text} ${more}`, { region: 'US' }).text
        expect(maskText(once, { region: 'US' }).spans.length).toBe(0)
      }),
    )
  })
})

it('thousands of quotes beside thousands of masked turns are looked up, not looked through', () => {
  const n = 3_000
  const digits = (at: number) => `415 555 ${1_000 + at}`
  const record = {
    session_id: 'a',
    transcript: Array.from({ length: n }, (_, turn) => ({
      turn,
      actor: 'customer',
      text: `call me at ${digits(turn)}`,
    })),
    // Not verbatim: a part of the number of another turn, and a number of none.
    conditions: Array.from({ length: n }, (_, turn) => ({
      key: 'k',
      turn,
      text: turn % 2 === 0 ? `ends in 555 ${1_000 + ((turn + 7) % n)}` : `item ${70_000 + turn}`,
    })),
  }
  expect(processorMs(() => redactRecord(record))).toBeLessThan(10_000)
  expect(record.conditions.slice(0, 2).map(({ text }) => text)).toEqual(['ends in [phone]', 'item 70001'])
})
