import { comparison } from './comparison.js'

export const gt = comparison('$gt', '>')
