import type { Case } from '../../../support/pipeline-cases.js'
import { given, kept, refused, under } from '../../../support/rule-rows.js'

const regex = ($regex: string, $options = '') => ({ a: { $regex, $options } })
const long = (text: string) => ({ $numberLong: text })

export const cases: readonly Case[] = [
  ...under(
    'what patterns match',
    kept('a number never matches, elements of an array do', { a: { $regex: '^1' } }, [1, '12', ['x', '1'], 10], [1, 2]),
    kept('anywhere', regex('b'), ['abc', 'xyz'], [0]),
    kept('anchored', regex('^b'), ['abc', 'b'], [1]),
    kept('i', regex('B', 'i'), ['abc', 'xyz', 'ABC'], [0, 2]),
    kept('no i', regex('B'), ['abc', 'xyz', 'ABC'], [2]),
    kept('m', regex('^y$', 'm'), ['x\ny', 'xy'], [0]),
    kept('no m', regex('^y$'), ['x\ny', 'y'], [1]),
    kept('s', regex('x.y', 's'), ['x\ny', 'x y', 'xy'], [0, 1]),
    kept('no s', regex('x.y'), ['x\ny', 'x y'], [1]),
    kept('x', regex('a b # a comment', 'x'), ['ab', 'a b'], [0]),
    kept('x keeps classes', regex('a[ ]b', 'x'), ['ab', 'a b'], [1]),
    given(
      '$regexMatch of null',
      { $regexMatch: { input: '$a', regex: 'x' } },
      ['x', 'y', null, undefined],
      [true, false, false, false],
    ),
  ),
  ...under(
    'patterns of linear time',
    ...refused(
      [[{ $match: { a: { $regex: 'a(?=b)' } } }], 'look-ahead and look-behind are not supported'],
      [[{ $match: { a: { $regex: '(?<!a)b' } } }], 'look-ahead and look-behind are not supported'],
      [[{ $match: { a: { $regex: '(a)\\1' } } }], 'back-references are not supported'],
      [
        [{ $match: { a: { $in: [{ $regularExpression: { pattern: '(a)\\1', options: '' } }] } } }],
        'back-references are not supported',
      ],
      [
        [{ $project: { b: { $regexMatch: { input: '$a', regex: 'a(?=b)' } } } }],
        'look-ahead and look-behind are not supported',
      ],
      [[{ $match: { a: { $regex: 'a'.repeat(1_001) } } }], 'longer than 1000 characters'],
      [[{ $match: { a: { $regex: 'a', $options: 'g' } } }], 'i, m, s and x'],
    ),
  ),
  ...under(
    'numbers in answers',
    given('a long within 2^53', { $toLong: '$a' }, ['9007199254740991'], [9_007_199_254_740_991], { evaluated: true }),
    given('a long beyond', '$a', [long('9007199254740993')], [long('9007199254740993')], { evaluated: true }),
    given(
      'beyond, below zero',
      { $subtract: ['$a', { $numberLong: '9007199254740992' }] },
      [-1],
      [long('-9007199254740993')],
      { evaluated: true },
    ),
    given('1 and 1.0', { $type: '$a' }, [{ $numberDouble: '1.0' }, 1.5], ['double', 'double']),
    given('a whole double', { $toString: '$a' }, [{ $numberDouble: '1.0' }, 1.5], ['1', '1.5']),
    given(
      'NaN and the infinities',
      { $multiply: ['$a', { $numberDouble: 'Infinity' }] },
      [{ $numberDouble: '0' }, -0.5],
      [{ $numberDouble: 'NaN' }, { $numberDouble: '-Infinity' }],
    ),
  ),
]
