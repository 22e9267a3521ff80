import { compareInExpression } from '../../order.js'
import { eager } from '../eager.js'

export const cmp = eager({ name: '$cmp', arity: [2, 2], evaluate: (a, b) => compareInExpression(a, b) })
