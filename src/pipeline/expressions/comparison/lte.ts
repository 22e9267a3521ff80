import { comparison } from './comparison.js'

export const lte = comparison('$lte', '<=')
