import { sql } from '../compile/sql.js'
import type { SqlType } from '../compile/types.js'
import { isArray } from '../value.js'
import { anyElementSql, anyOpenElementSql } from './any-element-sql.js'
import type { LeafOperator } from './leaf-operator.js'

const OPEN_ELEMENT: SqlType = { kind: 'open', absent: 'never' }

/** One element that meets all the conditions; scalars never match. */
export const elemMatch: LeafOperator = {
  name: '$elemMatch',
  doc: {
    form: '{ <array>: { $elemMatch: <filter or operators> } }',
    meaning:
      'Arrays of which one element meets all the conditions: a filter for elements that are documents, or operators for the element itself.',
    example: {
      documents: [{ a: [1, 5] }, { a: [3] }],
      pipeline: [{ $match: { a: { $elemMatch: { $gt: 2, $lt: 4 } } } }],
      result: [{ a: [3] }],
    },
  },
  parse: (argument, context) => {
    const condition = context.parseElement(argument, context.parse)
    return {
      elements: false,
      test: value => isArray(value) && value.some(element => condition.test(element)),
      sql: (value, type) => {
        if (type.kind === 'open') return anyOpenElementSql(value, element => condition.sql(element, OPEN_ELEMENT))
        if (type.kind !== 'list') return sql`false`
        return anyElementSql(value, element => condition.sql(element, type.of))
      },
      json: condition.json,
    }
  },
}
