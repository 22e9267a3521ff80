import { bits } from './bits.js'

/** Numbers of which all of the bits are 0. */
export const bitsAllClear = bits(
  'AllClear',
  'Numbers of which all of the bits are 0. Fractions and what is no number never match.',
  {
    documents: [{ a: 7 }, { a: 8 }],
    pipeline: [{ $match: { a: { $bitsAllClear: [0, 1] } } }],
    result: [{ a: 8 }],
  },
)
