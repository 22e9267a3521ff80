import { bits } from './bits.js'

/** Numbers of which all of the bits are 1. */
export const bitsAllSet = bits(
  'AllSet',
  'Numbers of which all of the bits are 1. Fractions and what is no number never match.',
  {
    documents: [{ a: 7 }, { a: 5 }],
    pipeline: [{ $match: { a: { $bitsAllSet: [0, 1] } } }],
    result: [{ a: 7 }],
  },
)
