import { end } from './end.js'

export const first = end('$first')
