import { comparisonOperator } from './comparison-leaf.js'

export const gt = comparisonOperator('$gt', '>')
