import { endElement } from './end-element.js'

export const lastElement = endElement('$last', -1, {
  form: '{ $last: <array> }',
  meaning: 'The last element of an array; missing when it is empty. Null or missing gives null.',
  example: { expression: { $last: '$words' }, document: { words: ['a', 'b'] }, result: 'b' },
})
