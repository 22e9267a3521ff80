import { conversion } from './conversion.js'

export const toInt = conversion('$toInt', 'int', {
  form: '{ $toInt: <expression> }',
  meaning:
    'The value as an int of 32 bits: a number cut toward zero, a string of a whole number, a boolean. Null and missing give null; what can not be converted is an error.',
  example: { expression: { $toInt: '$n' }, document: { n: 2.9 }, result: 2 },
})
