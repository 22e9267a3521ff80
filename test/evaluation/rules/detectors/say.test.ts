import { describe } from 'vitest'
import type { Rule } from '../../../../src/evaluation/rubric/rule.js'
import { cases } from './shown.js'

const thanks: Rule = { say: { by: 'agent', any: ['thank you'] } }
const within = (place: object) => ({ present: { say: { by: 'agent' as const, any: ['thank you'], ...place } } })

describe('say: somebody says something', () => {
  cases([
    ['said', { present: thanks }, ['a: Well, thank you.', 'c: Bye.'], ['Well, thank you.']],
    ['not said', { present: thanks }, ['a: Well.', 'c: Bye.'], 'absent'],
    ['said by the other one', { present: thanks }, ['a: Well.', 'c: Thank you.'], 'absent'],
    ['by anyone', { present: { say: { by: 'anyone', any: ['thank you'] } } }, ['a: Well.', 'c: Thank you.'], 'present'],
    ['the speaker never speaks', { present: thanks }, ['c: Hello?', 'c: Anybody there?'], 'does not apply'],
    ['in words nobody understood', { present: thanks }, ['a: [inaudible]', 'c: Okay, goodbye then.'], 'unclear'],
    ['understood elsewhere', { present: thanks }, ['a: [inaudible]', 'a: Right.', 'a: Sure.', 'c: Bye.'], 'absent'],
    [
      'in another language',
      { present: thanks },
      ['a: Grazie, thank you.', 'c: Prego.'],
      'does not apply',
      { language_primary: 'it' },
    ],
    [
      'with what must not count beside it',
      within({ not: ['no thank you'] }),
      ['a: No thank you.', 'c: Okay.'],
      'absent',
    ],
    [
      'with what must not count elsewhere',
      within({ not: ['no thank you'] }),
      ['a: No thank you. Thank you.', 'c: Okay.'],
      'present',
    ],
    [
      'across the end of a sentence',
      { present: { say: { by: 'agent', any: ['thank you sir'] } } },
      ['a: Thank. You sir.', 'c: Okay.'],
      'absent',
    ],
    [
      'by a pattern',
      { present: { say: { by: 'agent', any: ['/\\bAB-\\d+/'] } } },
      ['a: It is ab-12, sir.', 'c: Okay.'],
      'present',
    ],
    ['anything at all', { present: { say: { by: 'customer' } } }, ['a: Hello.', 'c: Mhm, right.'], 'present'],
    [
      'contracted',
      { present: { say: { by: 'agent', any: ['i am sorry'] } } },
      ["a: I'm sorry.", 'c: Okay.'],
      ["I'm sorry."],
    ],
    [
      'a number with a point in it',
      { present: { say: { by: 'agent', any: ['pay {number} {number} now'] } } },
      ['a: You pay $69.20 now.', 'c: Okay.'],
      'present',
    ],
  ])
})

describe('say: at a place, or so often', () => {
  const turns = ['a: One moment.', 'a: Here it is.', 'a: Thank you.', 'c: Fine.']
  cases([
    ['in the first turns', within({ first: 3 }), turns, 'present'],
    ['after the first turns', within({ first: 2 }), turns, 'absent'],
    ['in the last turns', within({ last: 1 }), turns, 'present'],
    ['before the last turns', within({ last: 1 }), ['a: Thank you.', 'c: Fine.', 'a: Bye.'], 'absent'],
    [
      'a turn nobody understood is one of the first',
      within({ first: 1 }),
      ['a: <unk>', 'a: Thank you.', 'c: Fine.'],
      'unclear',
    ],
    ['a noise is none', within({ first: 1 }), ['a: [noise]', 'a: Thank you.', 'c: Fine.'], 'present'],
    ['often enough', within({ at_least: 2 }), ['a: Thank you.', 'c: Fine.', 'a: Thank you.'], 'present'],
    ['once in each turn at most', within({ at_least: 2 }), ['a: Thank you, thank you.', 'c: Fine.'], 'absent'],
  ])
})

describe('say: after something else', () => {
  const after = (turns?: number) =>
    within({ after: { rule: { say: { by: 'customer', any: ['lost'] } }, ...(turns !== undefined && { turns }) } })
  cases([
    ['after it', after(), ['c: I lost it.', 'a: Thank you.'], 'present'],
    ['before it', after(), ['a: Thank you.', 'c: I lost it.', 'a: Okay.'], 'absent'],
    ['it never happens', after(), ['c: I found it.', 'a: Thank you.'], 'absent'],
    ['soon enough', after(1), ['c: I lost it.', 'a: Thank you.'], 'present'],
    ['too late', after(1), ['c: I lost it.', 'a: Okay.', 'c: Yes.', 'a: Thank you.'], 'absent'],
    ['it can’t be understood', after(), ['c: [inaudible]', 'a: Thank you.', 'c: <unk>'], 'unclear'],
  ])
})
