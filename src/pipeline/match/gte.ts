import { comparisonOperator } from './comparison-leaf.js'

export const gte = comparisonOperator('$gte', '>=')
