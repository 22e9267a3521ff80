import { conversion } from './conversion.js'

export const toStringOperator = conversion('$toString', 'string', {
  form: '{ $toString: <expression> }',
  meaning:
    'The value as a string: a number, a boolean, a date in ISO 8601. Null and missing give null; what can not be converted is an error.',
  example: { expression: { $toString: '$n' }, document: { n: 2.5 }, result: '2.5' },
})
