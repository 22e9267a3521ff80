import { comparison } from './comparison.js'

export const gte = comparison('$gte', '>=')
