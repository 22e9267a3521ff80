import { conversion } from './conversion.js'

export const toDouble = conversion('$toDouble', 'double', {
  form: '{ $toDouble: <expression> }',
  meaning:
    'The value as a double: a number, a string of one, a boolean, or the milliseconds of a date. Null and missing give null; what can not be converted is an error.',
  example: { expression: { $toDouble: '$n' }, document: { n: '2.5' }, result: 2.5 },
})
