import { describe } from 'vitest'
import { cases } from './shown.js'

const values = { numbers: true, words: ['tuesday', 'savings'], at_least: 2 }
const repeats = { present: { repeats: { by: 'agent' as const, ...values } } }
const gave = { present: { gave: { by: 'customer' as const, ...values } } }

describe('repeats: one repeats what the other said', () => {
  cases([
    ['two values', repeats, ['c: 4415, on Tuesday.', 'a: 4415, Tuesday.'], 'present'],
    ['one value', repeats, ['c: 4415, on Tuesday.', 'a: So 4415.'], 'absent'],
    ['one value twice', repeats, ['c: 4415, on Tuesday.', 'a: So 4415, 4415.'], 'absent'],
    ['other values', repeats, ['c: 4415, on Tuesday.', 'a: So 4416, savings.'], 'absent'],
    ['before they were said', repeats, ['a: 4415, Tuesday.', 'c: 4415, on Tuesday.'], 'absent'],
    ['in words for digits', repeats, ['c: Four four one five, Tuesday.', 'a: 4415, Tuesday.'], 'present'],
    ['the end of a long number', repeats, ['c: 20 11 44 15 and savings.', 'a: Ending in 4415, savings.'], 'present'],
    ['an amount with a point', repeats, ['c: It was $69.20, on Tuesday.', 'a: $69.20, Tuesday.'], 'present'],
    ['days of a month', repeats, ['c: Booked under 773, for the twelfth.', 'a: 773, for the twelfth.'], 'present'],
    [
      'which one it is, and no day',
      repeats,
      ['c: 4415, and it is the third call.', 'a: 4415. The third call?'],
      'absent',
    ],
    ['a lone "one" is none', repeats, ['c: A new one, on Tuesday.', 'a: A new one, Tuesday.'], 'absent'],
    ['in words nobody understood', repeats, ['c: 4415, on Tuesday.', 'a: [inaudible]'], 'unclear'],
    [
      'in another language',
      repeats,
      ['c: 4415, savings.', 'a: 4415, savings.'],
      'does not apply',
      { language_primary: 'it' },
    ],
    [
      'only words count',
      { present: { repeats: { by: 'agent', numbers: false, words: ['tuesday'], at_least: 1 } } },
      ['c: 4415.', 'a: 4415.'],
      'absent',
    ],
  ])
})

describe('gave: somebody says values', () => {
  cases([
    ['two', gave, ['a: Yes?', 'c: 4415, on Tuesday.'], ['4415, on Tuesday.']],
    ['in two turns', gave, ['c: 4415.', 'a: Yes?', 'c: On Tuesday.'], 'present'],
    ['one', gave, ['a: Yes?', 'c: On Tuesday.'], 'absent'],
    ['the same twice', gave, ['a: Yes?', 'c: 4415, 4415.'], 'absent'],
    ['the other one', gave, ['a: 4415, Tuesday.', 'c: Yes.'], 'absent'],
  ])
})
