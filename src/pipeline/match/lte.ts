import { comparisonOperator } from './comparison-leaf.js'

export const lte = comparisonOperator('$lte', '<=')
