import { comparisonOperator } from './comparison-leaf.js'

export const lt = comparisonOperator('$lt', '<')
