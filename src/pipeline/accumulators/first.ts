import { end } from './end.js'

/** The first value in the order of arrival. */
export const first = end('$first', {
  form: '{ $first: <expression> }',
  meaning:
    'The value of the first document in the order they come in, so put a $sort before; a missing one gives null.',
  example: { accumulator: { $first: '$n' }, documents: [{ n: 7 }, { n: 2 }], result: 7 },
})
