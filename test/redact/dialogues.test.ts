import { describe, expect, test } from 'vitest'
import { measureMasking, readDialogues } from '../../scripts/measure-masking.mjs'
import type { MaskKind } from '../../src/redact/mask.js'
import { redactRecord } from '../../src/redact/redact-record.js'
import { processorMs } from '../support/processor-time.js'

const dialogues = readDialogues(new URL('dialogues.txt', import.meta.url))
const half = (heldOut: boolean) => dialogues.filter(dialogue => dialogue.heldOut === heldOut)

const IDENTITY: ReadonlySet<string> = new Set(['name', 'address'])

/** Over names and addresses, or over all else. */
function figures(heldOut: boolean, identity: boolean) {
  const { kinds } = measureMasking(half(heldOut), redactRecord)
  const known = [...kinds].flatMap(([kind, tally]) => (IDENTITY.has(kind) === identity ? [tally] : []))
  const sum = (of: 'labelled' | 'masked' | 'masks' | 'wrong') => known.reduce((all, tally) => all + tally[of], 0)
  return { recall: sum('masked') / sum('labelled'), precision: 1 - sum('wrong') / sum('masks') }
}

test('there are three hundred turns and more, and half of the dialogues are held out', () => {
  expect(dialogues.flatMap(({ turns }) => turns).length).toBeGreaterThanOrEqual(300)
  expect(half(true).length / dialogues.length).toBeGreaterThan(0.4)
})

describe('of what is labelled', () => {
  test('masking finds what it was tuned on', () => {
    expect(measureMasking(half(false), redactRecord).faults).toEqual([
      'wrong phone: My tracking number is 1Z 999 AA1 01 2345 6784.',
    ])
  })

  test('and of what it was not, no less than the page says', () => {
    const { recall, precision } = figures(true, false)
    expect(recall).toBeGreaterThan(0.92)
    expect(precision).toBeGreaterThan(0.96)
  })

  test('and of names and addresses, which are harder', () => {
    const { recall, precision } = figures(true, true)
    expect(recall).toBeGreaterThan(0.95)
    expect(precision).toBeGreaterThan(0.95)
  })
})

/** The texts of a call after masking. */
function heard(...turns: readonly string[]): readonly string[] {
  return heardOf(undefined, ...turns)
}

function heardOf(only: ReadonlySet<MaskKind> | undefined, ...turns: readonly string[]): readonly string[] {
  const record = {
    transcript: turns.map((line, turn) => ({
      turn,
      actor: line.startsWith('a:') ? 'agent' : 'customer',
      text: line.slice(3),
    })),
  }
  redactRecord(record, only)
  return record.transcript.map(({ text }) => text)
}

describe('a dialogue', () => {
  test('whose question asks for a code has it masked, and so does who says it again', () => {
    expect(
      heard('a: And the security code?', 'c: 842.', 'a: That was 842?', 'c: Yes, 842. I paid 84 dollars.'),
    ).toEqual(['And the security code?', '[cvv].', 'That was [cvv]?', 'Yes, [cvv]. I paid 84 dollars.'])
  })

  test('of which some kinds are masked is heard whole: a card is one whatever it was the answer to', () => {
    const turns = [
      'a: Can I have a phone number?',
      'c: 4111 1111 1111 1111.',
      'a: That is your card. The security code?',
      'c: 842. My PIN? 4471.',
      'a: And your account number?',
      'c: 12345678.',
    ]
    expect(heardOf(new Set(['card', 'cvv']), ...turns)).toEqual([
      'Can I have a phone number?',
      '[card].',
      'That is your card. The security code?',
      '[cvv]. My PIN? 4471.',
      'And your account number?',
      '12345678.',
    ])
  })

  test('goes on to other things: what was asked for is answered', () => {
    const asked = ['a: What is your PIN?', 'c: 4471.', 'a: Thanks. And how many boxes?', 'c: 1200.']
    expect(heard(...asked)).toEqual(['What is your PIN?', '[pin].', 'Thanks. And how many boxes?', '1200.'])
  })

  test('tells a name, which is masked wherever it is said again: in titles and quotes, and not in the field that calls are found by', () => {
    const record = {
      customer_display_name: 'Jane Roe',
      title: 'Call with Ada Byron',
      session_metadata: { contact: 'Ada Byron' },
      transcript: [
        { turn: 0, actor: 'agent', text: 'This is Tom. May I have your name?' },
        { turn: 1, actor: 'customer', text: "It's Ada Byron, for Jane." },
        { turn: 2, actor: 'agent', text: 'Thank you, Ada. I am Tom.' },
      ],
      conditions: [{ key: 'c', text: 'Ada was polite' }],
    }
    const counts = redactRecord(record)
    expect(record).toMatchObject({
      customer_display_name: 'Jane Roe',
      title: 'Call with [name]',
      session_metadata: { contact: 'Ada Byron' },
      transcript: [
        { text: 'This is Tom. May I have your name?' },
        { text: "It's [name], for [name]." },
        { text: 'Thank you, [name]. I am Tom.' },
      ],
      conditions: [{ text: '[name] was polite' }],
    })
    expect(counts.name).toBe(5)
  })

  test('of names and addresses without end takes no time without end', () => {
    const text = 'my name is Ab Cd. Mr. Ef, I live at 12 Gh Street, Ij. '.repeat(4_000)
    const transcript = [
      { turn: 0, actor: 'agent', text: 'May I have your name and address?' },
      ...Array.from({ length: 5 }, (_, n) => ({ turn: 1 + n, actor: 'customer', text })),
    ]
    expect(processorMs(() => redactRecord({ transcript }))).toBeLessThan(10_000)
  })

  test('has no answers where nobody says who asks', () => {
    const record = {
      transcript: [
        { turn: 0, actor: 'system', text: 'CVV?' },
        { turn: 1, actor: 'system', text: '842' },
      ],
    }
    redactRecord(record)
    expect(record.transcript[1]?.text).toBe('842')
  })

  test('is masked alike in the quotes of its turns', () => {
    const record = {
      transcript: [
        { turn: 0, actor: 'agent', text: 'What is the CVV?' },
        { turn: 1, actor: 'customer', text: 'It is 842, I think' },
      ],
      signals: [{ key: 'sig.x', state: 'present', evidence: [{ turn: 1, quote: 'is 842' }] }],
    }
    const counts = redactRecord(record)
    expect(record.signals[0]?.evidence[0]?.quote).toBe('is [cvv]')
    expect(counts.cvv).toBe(2)
  })
})
