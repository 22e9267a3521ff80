import { end } from './end.js'

/** The last value in the order of arrival. */
export const last = end('$last', {
  form: '{ $last: <expression> }',
  meaning: 'The value of the last document in the order they come in, so put a $sort before; a missing one gives null.',
  example: { accumulator: { $last: '$n' }, documents: [{ n: 7 }, { n: 2 }], result: 2 },
})
