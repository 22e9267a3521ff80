import { comparison } from './comparison.js'

export const lt = comparison('$lt', '<')
