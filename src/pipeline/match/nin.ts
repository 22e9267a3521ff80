import { inLeaf } from './in.js'
import type { LeafOperator } from './leaf-operator.js'

/** The exact complement of $in. */
export const nin: LeafOperator = {
  name: '$nin',
  doc: {
    form: '{ <field>: { $nin: [<value>, …] } }',
    meaning: 'The opposite of $in: missing fields match unless null is in the list.',
    example: {
      documents: [{ a: 1 }, { a: 2 }, {}],
      pipeline: [{ $match: { a: { $nin: [1] } } }],
      result: [{ a: 2 }, {}],
    },
  },
  parse: (argument, context) => ({ ...inLeaf(argument, context, '$nin'), negated: true }),
}
