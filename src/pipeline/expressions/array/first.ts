import { endElement } from './end-element.js'

export const firstElement = endElement('$first', 0, {
  form: '{ $first: <array> }',
  meaning: 'The first element of an array; missing when it is empty. Null or missing gives null.',
  example: { expression: { $first: '$words' }, document: { words: ['a', 'b'] }, result: 'a' },
})
