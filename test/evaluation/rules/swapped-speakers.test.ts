import { describe, expect, it } from 'vitest'
import { defaultRubric } from '../../../src/evaluation/rubric/built-in-rubrics.js'
import { RulesEvaluator } from '../../../src/evaluation/rules/rules-evaluator.js'
import { aCall } from '../a-call.js'

const rules = new RulesEvaluator(defaultRubric)
const evaluated = (lines: readonly string[]) => rules.evaluate(aCall(lines), new Date(0)).fields!

const CALL = [
  'a: Hello, Acme Bank, Ana speaking, how can I help?',
  'c: Hi, I forgot my password.',
  'a: Sure, what is your date of birth?',
  'c: The third of May.',
  'a: Thank you. Your password has been reset.',
  'c: Great, thanks.',
  'a: Is there anything else I can do for you?',
  'c: No, bye.',
]
const swapped = (lines: readonly string[]) => lines.map(line => (line.startsWith('a') ? 'c' : 'a') + line.slice(1))

describe('a transcript with agent and customer the wrong way round', () => {
  it('is evaluated as it was spoken, and trust says so', () => {
    const { trust: right, ...expected } = evaluated(CALL)
    const { trust, ...found } = evaluated(swapped(CALL))
    expect(right?.reasons?.join() ?? '').not.toContain('swapped')
    expect(trust?.reasons).toContain(
      'Agent and customer are swapped in the transcript: the call was evaluated the other way round',
    )
    expect(found).toEqual(expected)
  })

  it('is doubted where little shows it', () => {
    const { trust } = evaluated(['c: Hello, how can I help?', 'a: I forgot my password.', 'c: Hm.', 'a: Hm.'])
    expect(trust?.reasons).toContain('Agent and customer may be swapped in the transcript')
  })

  it.each([
    [['a: Yes?', 'c: I forgot my password.', 'a: Wait.', 'c: Okay.']],
    [['a: Yes?', 'c: Hm.', 'a: What is it?', 'c: Nothing, sorry.']],
  ])('is not seen where an agent only says little: %j', lines => {
    expect(evaluated(lines).trust?.reasons?.join()).not.toContain('swapped')
  })
})
