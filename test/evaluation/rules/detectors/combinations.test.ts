import { describe } from 'vitest'
import type { Rule } from '../../../../src/evaluation/rubric/rule.js'
import { cases } from './shown.js'

const says = (word: string): Rule => ({ say: { by: 'agent', any: [word] } })
const late: Rule = { gap: { at_least_s: 10 } }
const none = ['a@none: Blue.', 'c@none: Yes.']

describe('all, any, not', () => {
  const both = { present: { all: [says('red'), says('blue')] } }
  const either = { present: { any: [says('red'), says('blue')] } }
  cases([
    ['all of them', both, ['a: Red and blue.', 'c: Yes.'], 'present'],
    ['not all of them', both, ['a: Red.', 'c: Yes.'], 'absent'],
    ['one of them', either, ['a: Blue.', 'c: Yes.'], 'present'],
    ['none of them', either, ['a: Green.', 'c: Yes.'], 'absent'],
    ['quotes in the order of the call', either, ['a: Blue.', 'c: Yes.', 'a: Red.'], ['Blue.', 'Red.']],
    ['not', { present: { not: says('red') } }, ['a: Blue.', 'c: Yes.'], 'present'],
    ['not not', { present: { not: says('red') } }, ['a: Red.', 'c: Yes.'], 'absent'],
    ['all, one of which can’t be told', { present: { all: [says('blue'), late] } }, none, 'does not apply'],
    ['all, one of which is refuted and one can’t be told', { present: { all: [says('red'), late] } }, none, 'absent'],
    ['any, one of which holds and one can’t be told', { present: { any: [says('blue'), late] } }, none, 'present'],
    ['any, one of which can’t be told', { present: { any: [says('red'), late] } }, none, 'does not apply'],
    ['not what can’t be told', { present: { all: [{ not: late }, says('blue')] } }, none, 'does not apply'],
  ])
})

describe('signal: what another signal came to', () => {
  const present = { present: { all: [{ signal: { key: 'sig.hello', is: 'present' as const } }, says('blue')] } }
  const absent = { present: { all: [{ signal: { key: 'sig.hello', is: 'absent' as const } }, says('blue')] } }
  cases([
    ['it is present', present, ['a: Hello, blue.', 'c: Yes.'], 'present'],
    ['it is not', present, ['a: Blue.', 'c: Yes.'], 'absent'],
    ['it is absent', absent, ['a: Blue.', 'c: Yes.'], 'present'],
    ['it is not absent', absent, ['a: Hello, blue.', 'c: Yes.'], 'absent'],
  ])
})

describe('driver: why the customer calls', () => {
  const any = { present: { driver: {} } }
  const refund = { present: { driver: { is: ['refund'] } } }
  const heard = { present: { driver: { heard: true } } }
  cases([
    ['one is heard', any, ['a: Hello.', 'c: A refund, please.'], ['A refund, please.']],
    ['none is', any, ['a: Hello.', 'c: Good morning.'], 'absent'],
    ['too late', any, ['c: Hello.', 'a: Hello.', 'c: Well.', 'a: Yes?', 'c: A refund.'], 'absent'],
    ['the first line of the table that fits', refund, ['a: Hello.', 'c: My order, I want a refund.'], 'present'],
    ['another one', refund, ['a: Hello.', 'c: My order.'], 'absent'],
    ['brought by the record', refund, ['a: Hello.', 'c: Good morning.'], 'present', { interaction_driver: 'refund' }],
    ['brought and not heard', heard, ['a: Hello.', 'c: Good morning.'], 'absent', { interaction_driver: 'refund' }],
    ['in turns nobody understood', any, ['a: Hello there.', 'c: [inaudible]', 'c: <unk>'], 'unclear'],
  ])
})

describe('applies, unclear, absent', () => {
  const applies = { applies: says('wait'), present: says('thanks') }
  const doubtful = { present: says('red'), unclear: says('reddish') }
  const refuted = { present: says('done'), absent: says('refused') }
  cases([
    ['it applies and is there', applies, ['a: Wait. Thanks.', 'c: Yes.'], 'present'],
    ['it applies and is not', applies, ['a: Wait.', 'c: Yes.'], 'absent'],
    ['it does not apply', applies, ['a: Thanks.', 'c: Yes.'], 'does not apply'],
    ['whether it applies can’t be told', { applies: late, present: says('thanks') }, none, 'unclear'],
    ['present goes before unclear', doubtful, ['a: Red, or reddish.', 'c: Yes.'], 'present'],
    ['unclear goes before absent', doubtful, ['a: Reddish.', 'c: Yes.'], 'unclear'],
    ['neither', doubtful, ['a: Blue.', 'c: Yes.'], 'absent'],
    ['absent where it is refuted', refuted, ['a: Refused.', 'c: Yes.'], 'absent'],
    ['unclear where it is neither shown nor refuted', refuted, ['a: Well.', 'c: Yes.'], 'unclear'],
  ])
})
