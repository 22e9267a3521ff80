import { describe, expect, it } from 'vitest'
import { defaultRubric } from '../../../src/evaluation/rubric/built-in-rubrics.js'
import { RulesEvaluator } from '../../../src/evaluation/rules/rules-evaluator.js'
import { aCall } from '../a-call.js'

const rules = new RulesEvaluator(defaultRubric)
const evaluated = (lines: readonly string[]) => rules.evaluate(aCall(lines), new Date(0)).fields!

describe('what is no conversation', () => {
  it.each([
    [
      'voicemail',
      ['c: You have reached the voicemail of Jo. Leave a message after the tone.', 'a: Hello, please ring us.'],
    ],
    ['wrong_number', ['a: Acme Bank, hello.', 'c: Is that not the dentist?', 'a: No.', 'c: Sorry, wrong number.']],
    ['silent_line', ['a: Acme Bank, hello, how can I help?', 'a: Hello?', 'a: Can you hear me?']],
    ['abandoned', ['a: Acme Bank, can you hold?', 'c: Okay.', 's: Caller disconnected']],
    ['transfer_only', ['a: Acme Bank.', 'c: Mr Holt, please.', 'a: Putting you through.', 'c: Thanks.']],
    [
      'not_conversation',
      ['a: Acme Pizza, Trent.', 'c: La la la.', 'a: Hello?', 'c: Is your fridge running?', 'a: Bye.'],
    ],
  ])('is not scored, and said to be so: %s', (key, lines) => {
    const { score, predicted_csat, scores, guidance, coaching_summary, dimensions, trust } = evaluated(lines)
    expect({ score, predicted_csat, coaching_summary, scores, guidance }).toEqual({ scores: [], guidance: [] })
    expect(dimensions).toEqual([{ key: 'conversation', value: key }])
    expect(trust).toMatchObject({ level: 'low', score: 0 })
    expect(trust?.reasons?.[0]).toMatch(/^Not scored: /)
  })

  it.each([
    [
      'a message is spoken of',
      ['a: Hi.', 'c: I want to set up my voicemail.', 'a: Sure.', 'c: Thanks.', 'a: Done.', 'c: Great.'],
    ],
    [
      'somebody is put down for a time',
      ['a: Hello.', 'c: May I leave at two?', 'a: I have put you down for two.', 'c: Great.'],
    ],
    [
      'somebody is passed on after their reason',
      ['a: Hi.', 'c: My card is stolen.', 'a: Putting you through.', 'c: Thanks.'],
    ],
    [
      'somebody is asked whether they are there, and says what they want',
      ['a: Acme Pizza, Trent.', 'c: Hm.', 'a: Hello?', 'c: My order 4471 never came.', 'a: It is on its way.'],
    ],
  ])('but not where %s', (_, lines) => {
    expect(evaluated(lines).score).toBeGreaterThan(1)
  })
})
