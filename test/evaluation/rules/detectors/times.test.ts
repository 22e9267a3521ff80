import { describe } from 'vitest'
import { cases } from './shown.js'

const gap = (more: object = {}) => ({ present: { gap: { at_least_s: 10, ...more } } })
const announced = gap({ unless: { by: 'agent', any: ['$hold'], turns: 2 } })
const call = (seconds: number, first = 'a: Hello there.') => [
  first.replace(':', '@0-2:'),
  `c@${2 + seconds}-${4 + seconds}: Hi.`,
]
const untimed = ['a@none: Hello there.', 'c@none: Hi.']

describe('gap: nobody speaks', () => {
  cases([
    ['for so long', gap(), call(10), 'present'],
    ['for less', gap(), call(9.9), 'absent'],
    ['for a length written in decimals', gap(), ['a@0-0.1: Hi.', 'c@10.1-11: Hi.'], 'present'],
    ['no times', gap(), untimed, 'does not apply'],
    ['a chat', gap(), call(12), 'does not apply', { channel: 'chat' }],
    ['between bounds', gap({ below_s: 12 }), call(11), 'present'],
    ['above the upper bound', gap({ below_s: 12 }), call(12), 'absent'],
    ['so often', gap({ at_least: 2 }), ['a@0-1: Hi.', 'c@12-13: Hi.', 'a@24-25: Yes.'], 'present'],
    ['not so often', gap({ at_least: 2 }), call(12), 'absent'],
    ['announced', announced, call(12, 'a: One moment.'), 'absent'],
    ['announced by the other one', announced, call(12, 'c: One moment.'), 'present'],
    [
      'announced too long before',
      announced,
      ['a@0-1: One moment.', 'a@1-2: So.', 'a@2-3: Well.', 'c@14-15: Yes.'],
      'present',
    ],
    [
      'announced in a language nobody reads',
      announced,
      call(12, 'a: Un attimo.'),
      'unclear',
      { language_primary: 'it' },
    ],
    [
      'announced, and answered by no more than a sign of listening',
      announced,
      ['a@0-1: One moment.', 'c@1-2: Okay.', 'a@2-2.5: Mhm.', 'c@3-3.5: I see, okay.', 'a@15-16: So.'],
      'absent',
    ],
    [
      'broken by a sign of listening, which tells that somebody is there',
      gap(),
      ['a@0-1: Hi.', 'a@7-8: Okay.', 'c@14-15: Yes.'],
      'absent',
    ],
    [
      'somebody still speaks',
      gap(),
      ['a@0-20: A long story, told at length.', 'c@1-2: Yes.', 'c@21-22: Okay.'],
      'absent',
    ],
  ])
})

describe('overlap: one begins before the other has ended', () => {
  const overlap = (more: object = {}) => ({ present: { overlap: { by: 'agent' as const, at_least_s: 0.3, ...more } } })
  cases([
    ['by so much', overlap(), ['c@0-4: I wanted to', 'a@3.7-5: Yes.'], 'present'],
    ['by less', overlap(), ['c@0-4: I wanted to', 'a@3.8-5: Yes.'], 'absent'],
    ['the other way round', overlap(), ['a@0-4: I wanted to', 'c@3-5: Yes.'], 'absent'],
    ['of a turn long enough', overlap({ turn_at_least_s: 1 }), ['c@0-1: I wanted to', 'a@0.5-2: Yes.'], 'present'],
    ['of a short turn', overlap({ turn_at_least_s: 1 }), ['c@0-0.9: Mhm', 'a@0.5-2: Yes.'], 'absent'],
    ['so often', overlap({ at_least: 2 }), ['c@0-4: I', 'a@3-5: Yes.', 'c@6-9: And', 'a@8-10: Yes.'], 'present'],
    ['not so often', overlap({ at_least: 2 }), ['c@0-4: I', 'a@3-5: Yes.'], 'absent'],
    ['to show that one listens', overlap(), ['c@0-4: I wanted to', 'a@3-3.5: Mhm, okay.'], 'absent'],
    ['with more than that', overlap(), ['c@0-4: I wanted to', 'a@3-3.5: Okay, no.'], 'present'],
    ['over a sign of listening', overlap(), ['a@0-2: So', 'c@1.5-2.5: Okay, I see.', 'a@1.8-4: We can'], 'absent'],
    [
      'the agent, after a sign of listening',
      overlap(),
      ['c@0-4: I wanted to', 'a@1-1.5: Mhm.', 'a@3-5: Let me stop you.'],
      ['Let me stop you.'],
    ],
    ['no times', overlap(), untimed, 'does not apply'],
    ['the agent never speaks', overlap(), ['c@0-4: Hello?', 'c@5-6: Hello?'], 'does not apply'],
  ])
})

describe('silence: long gaps fill a share of the call', () => {
  const silence = (more: object = {}) => ({ present: { silence: { gaps_of_s: 5, at_least: 0.3, ...more } } })
  cases([
    ['so much of it', silence(), ['a@0-7: Hello.', 'c@13-20: Hi.'], 'present'],
    ['less', silence(), ['a@0-8: Hello.', 'c@13-20: Hi.'], 'absent'],
    ['short gaps don’t count', silence(), ['a@0-4: Hello.', 'c@8-10: Hi.', 'a@14-16: Yes.'], 'absent'],
    ['between bounds', silence({ at_least: 0.2, below: 0.3 }), ['a@0-8: Hello.', 'c@13-20: Hi.'], 'present'],
    ['at the upper bound', silence({ at_least: 0.2, below: 0.3 }), ['a@0-7: Hello.', 'c@13-20: Hi.'], 'absent'],
    ['no times', silence(), untimed, 'does not apply'],
    ['a chat', silence(), ['a@0-7: Hello.', 'c@13-20: Hi.'], 'does not apply', { channel: 'chat' }],
  ])
})

describe('talk: somebody has a share of the talking time', () => {
  const talk = (more: object) => ({ present: { talk: { by: 'agent' as const, ...more } } })
  cases([
    ['so much of it', talk({ at_least: 0.75 }), ['a@0-3: Hello.', 'c@3-4: Hi.'], 'present'],
    ['less', talk({ at_least: 0.75 }), ['a@0-2: Hello.', 'c@2-4: Hi.'], 'absent'],
    ['less than a bound', talk({ below: 0.5 }), ['a@0-1: Hello.', 'c@1-4: Hi.'], 'present'],
    ['gaps don’t count', talk({ at_least: 0.5 }), ['a@0-2: Hello.', 'c@30-32: Hi.'], 'present'],
    ['no times', talk({ at_least: 0.5 }), untimed, 'does not apply'],
  ])
})
