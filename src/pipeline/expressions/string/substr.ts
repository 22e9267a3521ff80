import { substringOfBytes } from './substring-of-bytes.js'

/** A part of a text by bytes. */
export const substr = substringOfBytes('$substr', {
  form: '{ $substr: [<expression>, <start>, <count>] }',
  meaning: 'Another name of $substrBytes.',
  example: { expression: { $substr: ['$day', 0, 7] }, document: { day: '2026-03-01' }, result: '2026-03' },
})
