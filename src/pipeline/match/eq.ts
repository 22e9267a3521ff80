import { comparisonOperator } from './comparison-leaf.js'

export const eq = comparisonOperator('$eq', '=')
