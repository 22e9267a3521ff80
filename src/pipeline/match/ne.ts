import { comparisonLeaf } from './comparison-leaf.js'
import type { LeafOperator } from './leaf-operator.js'
import { readOperand } from './operand.js'

/** The exact complement of $eq: missing and null stay, and an array matches only if none of its elements is equal. */
export const ne: LeafOperator = {
  name: '$ne',
  doc: {
    form: '{ <field>: { $ne: <value> } }',
    meaning: 'The opposite of $eq: missing fields match, and an array matches only if none of its elements is equal.',
    example: {
      documents: [{ a: 1 }, { a: [1, 2] }, {}],
      pipeline: [{ $match: { a: { $ne: 1 } } }],
      result: [{}],
    },
  },
  parse: (argument, context) => {
    const { equals: _, ...leaf } = comparisonLeaf('=', readOperand(argument, context))
    return { ...leaf, negated: true }
  },
}
