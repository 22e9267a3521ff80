import { bits } from './bits.js'

/** Numbers of which any of the bits is 0. */
export const bitsAnyClear = bits(
  'AnyClear',
  'Numbers of which any of the bits is 0. Fractions and what is no number never match.',
  {
    documents: [{ a: 1 }, { a: 3 }],
    pipeline: [{ $match: { a: { $bitsAnyClear: [0, 1] } } }],
    result: [{ a: 1 }],
  },
)
