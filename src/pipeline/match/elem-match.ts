import { sql } from '../compile/sql.js'
import { isArray } from '../value.js'
import type { LeafOperator } from './leaf-operator.js'
import { anyElementSql } from './path-predicate.js'

/** One element that meets all the conditions; scalars never match. */
export const elemMatch: LeafOperator = {
  name: '$elemMatch',
  parse: (argument, context) => {
    const condition = context.parseElement(argument, context.parse)
    return {
      elements: false,
      test: value => isArray(value) && value.some(element => condition.test(element)),
      sql: (value, type) => {
        if (type.kind === 'open') return undefined
        if (type.kind !== 'list') return sql`false`
        return anyElementSql(value, element => condition.sql(element, type.of))
      },
      json: condition.json,
    }
  },
}
