import { sql } from '../../compile/sql.js'
import { take } from '../../compile/take.js'
import { entryType } from '../../given-type.js'
import { isArray } from '../../value.js'
import { eager } from '../eager.js'
import type { ExpressionDoc } from '../expression-doc.js'
import type { ExpressionOperator } from '../expression-operator.js'
import { wrongType } from '../wrong-type.js'
import { elementSql } from './element-sql.js'

/** $first and $last of an array. */
export function endElement(name: '$first' | '$last', index: 0 | -1, doc: ExpressionDoc): ExpressionOperator {
  return eager({
    name,
    doc,
    arity: [1, 1],
    gives: ([list], typeOf) => entryType(list, typeOf),
    evaluate: list => {
      if (list === undefined || list === null) return null
      if (!isArray(list)) throw wrongType(name, 'an array', list)
      return list.at(index)
    },
    sql: operands => {
      const taken = take(operands, { operator: name, wanted: 'list', wants: 'an array', nulls: 'null' })
      return taken && elementSql(taken, index === 0 ? sql`1` : sql`-1`, true)
    },
  })
}
