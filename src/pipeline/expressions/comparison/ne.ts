import { comparison } from './comparison.js'

export const ne = comparison('$ne', '=', true)
