import { extreme } from './extreme.js'

export const max = extreme('$max')
