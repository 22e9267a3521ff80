import { conversion } from './conversion.js'

export const toLong = conversion('$toLong', 'long', {
  form: '{ $toLong: <expression> }',
  meaning:
    'The value as a long of 64 bits: a number cut toward zero, a string of a whole number, a boolean, or the milliseconds of a date. Null and missing give null; what can not be converted is an error.',
  example: { expression: { $toLong: '$n' }, document: { n: '12' }, result: 12 },
})
