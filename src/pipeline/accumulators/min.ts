import { extreme } from './extreme.js'

export const min = extreme('$min')
