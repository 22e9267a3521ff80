import { describe, expect, it } from 'vitest'
import { defaultRubric } from '../../../src/evaluation/rubric/built-in-rubrics.js'
import { RulesEvaluator } from '../../../src/evaluation/rules/rules-evaluator.js'
import { aCall } from '../a-call.js'

const rules = new RulesEvaluator(defaultRubric)
const evaluated = (lines: readonly string[]) => rules.evaluate(aCall(lines), new Date(0)).fields!
const outcome = (lines: readonly string[]) => {
  const { dimensions, signals } = evaluated(lines)
  const state = (name: string) => signals?.find(({ key }) => key === `sig.${name}`)?.state
  return [
    dimensions?.find(({ key }) => key === 'resolution')?.value,
    state('resolution_stated'),
    state('customer_confirms'),
  ]
}

const ASKED = [
  'a: Hello, Acme Bank, Ana speaking.',
  'c: I want my fee of 30 dollars refunded.',
  'a: Which account?',
  'c: 4471.',
]

describe('what becomes of a request', () => {
  it.each([
    ['is claimed and accepted', ['a: I have refunded it.', 'c: Great, thank you.'], ['resolved', 'present', 'present']],
    ['is claimed, and nobody says so', ['a: I have refunded it.', 'c: Okay.'], ['resolved', 'present', 'absent']],
    [
      'is claimed and contested',
      ['a: I have refunded it.', 'c: It has not been refunded, I am looking at my account.'],
      ['contested', 'unclear', 'absent'],
    ],
    [
      'is claimed, contested, and claimed again',
      ['a: I have refunded it.', 'c: There is nothing on my account.', 'a: It has been refunded.', 'c: Right.'],
      ['contested', 'unclear', 'absent'],
    ],
    [
      'is contested, mended and accepted',
      [
        'a: I have refunded it.',
        'c: It is not there.',
        'a: Sorry, it is done now.',
        'c: Perfect, I can see it, thanks.',
      ],
      ['resolved', 'present', 'present'],
    ],
    [
      'is accepted and contested later',
      ['a: I have refunded it.', 'c: Great, thanks.', 'a: Anything else?', 'c: Wait, it still says 30 dollars.'],
      ['contested', 'unclear', 'absent'],
    ],
    ['is asked for again', ['a: It is all done for you.', 'c: Refunded?'], ['contested', 'unclear', 'absent']],
    ['is mocked', ['a: It is all done.', 'c: Sure it is.'], ['contested', 'unclear', 'absent']],
    [
      'is refused, and thanks are no confirmation',
      ['a: I am afraid we can not refund that.', 'c: Okay, thanks anyway.'],
      ['refused', 'absent', undefined],
    ],
    [
      'is refused, then done',
      ['a: We do not refund that. But I have refunded it.', 'c: Thanks.'],
      ['resolved', 'present', 'present'],
    ],
    [
      'is asked when it comes',
      ['a: I have refunded it.', 'c: When will I see the refund?'],
      ['resolved', 'present', 'absent'],
    ],
    [
      'is asked more of, in words that are in every call',
      ['c: I know my account still shows it, please.', 'a: I have refunded it.', 'c: Please still know me?'],
      ['resolved', 'present', 'absent'],
    ],
    [
      'is claimed, and the answer can not be understood',
      ['a: I have refunded it.', 'c: [inaudible]', 'a: Bye.'],
      ['resolved', 'present', 'unclear'],
    ],
    ['is thanked for what comes with it', ['a: It is done.', "c: No, that's all."], ['resolved', 'present', 'present']],
  ])('%s', (_, lines, expected) => {
    expect(outcome([...ASKED, ...lines])).toEqual(expected)
  })

  it('is claimed where the agent answers it, not where the customer asks', () => {
    const lines = ['c: I want to check my account balance.', 'a: Which account?', 'c: My savings account, thank you.']
    const answered = ['a: Hello, Acme Bank, Ana speaking.', ...lines, 'a: Your balance is 134 dollars.', 'c: Right.']
    const { signals, coaching_summary: coaching } = evaluated(answered)
    const evidence = (key: string) => signals?.find(one => one.key === key)?.evidence?.map(({ turn }) => turn)
    expect(evidence('sig.resolution_stated')).toEqual([4])
    expect(coaching).toContain('The customer heard what was done. (turn 4:')
  })

  it("is a breach where it was somebody else's balance", () => {
    const told = evaluated([
      'a: Hello, Acme Bank, Ana speaking, how can I help?',
      'c: How much does my flatmate owe you? He does not know I am calling.',
      'a: He owes 311 dollars.',
      'c: Great, thanks.',
    ])
    expect(told.dimensions).toContainEqual({ key: 'resolution', value: 'breach' })
    expect(told.score).toBeLessThanOrEqual(2)
    const refused = evaluated([
      'a: Hello, Acme Bank, Ana speaking, how can I help?',
      'c: How much does my flatmate owe you? He does not know I am calling.',
      'a: I am afraid I can not tell you that.',
      'c: Fine.',
    ])
    expect(refused.score).toBeGreaterThan(told.score!)
  })
})

describe('phrases with nothing behind them', () => {
  const call = (phrases: string) =>
    evaluated([
      'a: Hello, Acme Parcels, Ana speaking, how can I help?',
      'c: My parcel 4471 was lost and I want it on Monday.',
      `a: ${phrases}`,
      'c: So where is my parcel?',
      'a: I see.',
      'c: You have not told me anything.',
      // What is said in the last turns may be a goodbye.
      'a: Hm.',
      'c: Hello?',
      'a: Bye.',
    ])
  const bare = call('Okay.')
  const ALL = {
    willing: 'Certainly, I would be happy to help.',
    sorry: 'I am so sorry to hear that, I completely understand.',
    resolved: 'That is all sorted for you.',
    'next step': 'You will hear from us shortly.',
    'read back': '4471, on Monday.',
  }

  it.each([...Object.entries(ALL), ['all of them', Object.values(ALL).join(' ')] as const])(
    'add no more than 0.1: %s',
    (_, phrases) => {
      const said = call(phrases)
      expect(said.score! - bare.score!).toBeLessThanOrEqual(0.1 + 1e-9)
      expect(said.predicted_csat! - bare.predicted_csat!).toBeLessThanOrEqual(0.1 + 1e-9)
    },
  )
})
