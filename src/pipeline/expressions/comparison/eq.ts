import { comparison } from './comparison.js'

export const eq = comparison('$eq', '=')
