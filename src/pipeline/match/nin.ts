import { inLeaf } from './in.js'
import type { LeafOperator } from './leaf-operator.js'

/** The exact complement of $in. */
export const nin: LeafOperator = {
  name: '$nin',
  parse: (argument, context) => ({ ...inLeaf(argument, context, '$nin'), negated: true }),
}
