import { sql } from '../compile/sql.js'
import { double, isNumeric, toNumber } from '../value.js'
import { ofValues } from './of-values.js'
import { compensatedSum } from './sum.js'

/** The mean of the numbers, a double; what is not a number is ignored, nothing gives null. */
export const avg = ofValues({
  name: '$avg',
  start: () => {
    const total = compensatedSum()
    let count = 0
    return {
      add: value => {
        if (!isNumeric(value)) return
        total.add(toNumber(value))
        count += 1
      },
      result: () => (count === 0 ? null : double(total.result() / count)),
    }
  },
  sql: ({ sql: value, type }) => {
    if (type.kind === 'double' && !type.finite) return undefined
    if (type.kind === 'int' || type.kind === 'double') {
      return { sql: sql`favg(${value}::double)`, type: { kind: 'double', finite: true, absent: 'null' } }
    }
    return type.kind === 'open' ? undefined : { sql: sql`null`, type: { kind: 'nothing', absent: 'null' } }
  },
})
