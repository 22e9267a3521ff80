import { comparisonLeaf } from './comparison-leaf.js'
import type { LeafOperator } from './leaf-operator.js'
import { readOperand } from './operand.js'

/** The exact complement of $eq: missing and null stay, and an array matches only if none of its elements is equal. */
export const ne: LeafOperator = {
  name: '$ne',
  parse: (argument, context) => {
    const { equals: _, ...leaf } = comparisonLeaf('=', readOperand(argument, context))
    return { ...leaf, negated: true }
  },
}
