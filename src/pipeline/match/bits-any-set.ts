import { bits } from './bits.js'

/** Numbers of which any of the bits is 1. */
export const bitsAnySet = bits(
  'AnySet',
  'Numbers of which any of the bits is 1. Fractions and what is no number never match.',
  {
    documents: [{ a: 1 }, { a: 8 }],
    pipeline: [{ $match: { a: { $bitsAnySet: [0, 1] } } }],
    result: [{ a: 1 }],
  },
)
