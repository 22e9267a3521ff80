import { conversion } from './conversion.js'

export const toBool = conversion('$toBool', 'bool', {
  form: '{ $toBool: <expression> }',
  meaning:
    'The value as a boolean: 0 and false are false, everything else is true, the empty string too. Null and missing give null; what can not be converted is an error.',
  example: { expression: { $toBool: '$n' }, document: { n: 0 }, result: false },
})
