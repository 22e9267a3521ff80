import { end } from './end.js'

export const last = end('$last')
