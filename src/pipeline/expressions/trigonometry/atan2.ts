import { sql } from '../../compile/sql.js'
import { given, take } from '../../compile/take.js'
import { double, isNumeric, toNumber } from '../../value.js'
import { eager } from '../eager.js'
import { wrongType } from '../wrong-type.js'

/** The angle of a point. */
export const atan2 = eager({
  name: '$atan2',
  doc: {
    form: '{ $atan2: [<y>, <x>] }',
    meaning: 'The angle in radians between the x axis and the point (x, y); null and missing give null.',
    example: { expression: { $atan2: [0, 1] }, result: 0 },
  },
  arity: [2, 2],
  evaluate: (y, x) => {
    if (y === undefined || y === null || x === undefined || x === null) return null
    if (!isNumeric(y) || !isNumeric(x)) throw wrongType('$atan2', 'numbers', isNumeric(y) ? x : y)
    return double(Math.atan2(toNumber(y), toNumber(x)))
  },
  sql: operands => {
    const taken = take(operands, { operator: '$atan2', wanted: 'number', wants: 'numbers', nulls: 'null' })
    const [y, x] = taken?.operands ?? []
    if (taken === undefined || y === undefined || x === undefined) return undefined
    if (y.type.kind === 'nothing' || x.type.kind === 'nothing') return given(taken, sql`null`, { kind: 'nothing' })
    return given(taken, sql`atan2(${y.sql}::double, ${x.sql}::double)`, { kind: 'double', finite: false })
  },
})
