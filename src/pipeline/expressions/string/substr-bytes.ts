import { substringOfBytes } from './substring-of-bytes.js'

/** A part of a text by bytes. */
export const substrBytes = substringOfBytes('$substrBytes', {
  form: '{ $substrBytes: [<expression>, <start>, <count>] }',
  meaning:
    'So many bytes of the UTF-8 text from a start, counted from 0, or the rest when the count is negative. Cutting a character in two is an error; null and missing give "".',
  example: { expression: { $substrBytes: ['$day', 0, 7] }, document: { day: '2026-03-01' }, result: '2026-03' },
})
