import { sql } from '../compile/sql.js'
import { readLiteral } from '../extended-json.js'
import { isTruthy } from '../value.js'
import type { LeafOperator } from './leaf-operator.js'

/** Whether the field is there; null is there. The argument is judged by truthiness. */
export const exists: LeafOperator = {
  name: '$exists',
  doc: {
    form: '{ <field>: { $exists: <boolean> } }',
    meaning: 'Whether the field is there; a field that is null is there.',
    example: {
      documents: [{ a: null }, {}],
      pipeline: [{ $match: { a: { $exists: true } } }],
      result: [{ a: null }],
    },
  },
  parse: (argument, context) => {
    const wanted = isTruthy(readLiteral(argument, context.parse.where))
    return {
      elements: false,
      test: value => value !== undefined,
      sql: (value, type) => {
        if (type.kind === 'nothing') return type.absent === 'missing' ? sql`false` : undefined
        if (type.absent === 'either') return undefined
        return type.absent === 'missing' ? sql`${value} is not null` : sql`true`
      },
      negated: !wanted,
      json: wanted,
    }
  },
}
