import { conversion } from './conversion.js'

export const toDecimal = conversion('$toDecimal', 'double', {
  form: '{ $toDecimal: <expression> }',
  meaning:
    'The value as a decimal, which is a double here: calls hold no decimals. Null and missing give null; what can not be converted is an error.',
  example: { expression: { $toDecimal: '$n' }, document: { n: '2.5' }, result: 2.5 },
})
