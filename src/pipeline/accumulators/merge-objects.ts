import { objectSql } from '../compile/compile-expression.js'
import { fieldSql } from '../compile/field-sql.js'
import { orderBy } from '../compile/order-by.js'
import { join, sql } from '../compile/sql.js'
import type { SqlExpression } from '../compile/types.js'
import { wrongType } from '../expressions/wrong-type.js'
import type { CompileContext } from '../tree.js'
import { type Document, isDocument } from '../value.js'
import { ofValues } from './of-values.js'

/** The last of each field that is there, where the fields come in one order whatever documents there are. */
function mergedSql(operand: SqlExpression, context: CompileContext): SqlExpression | undefined {
  const { type } = operand
  if (type.kind !== 'struct' || type.absent === 'either') return undefined
  const fields = [...type.fields.keys()].map(name => [name, fieldSql(operand, name)] as const)
  const order = orderBy(context.relation.order)
  const last = ([name, field]: readonly [string, SqlExpression]): readonly [string, SqlExpression] => {
    const { parts: _, ...rest } = field
    const there = field.type.absent === 'missing' ? sql` filter (where ${field.sql} is not null)` : sql``
    return [name, { ...rest, sql: sql`last(${field.sql}${order})${there}` }]
  }
  // A field that is not there while one behind it is would come behind that.
  const gaps = fields.flatMap(([, field], i) => {
    const behind = fields.slice(i + 1).map(([, other]) => sql`${other.sql} is not null`)
    const isOut = field.type.absent === 'missing' && behind.length > 0
    return isOut ? [sql`(${field.sql} is null and (${join(behind, ' or ')}))`] : []
  })
  const [first, ...others] = fields.map(last)
  if (first === undefined) return undefined
  const [name, value] = first
  const isShifted = sql`coalesce(bool_or(${join(gaps, ' or ')}), false)`
  const exact = gaps.length === 0 ? value : { ...value, sql: context.exactUnless(isShifted, value.sql) }
  return objectSql([[name, exact], ...others])
}

/** The documents laid over one another. */
export const mergeObjects = ofValues({
  name: '$mergeObjects',
  doc: {
    form: '{ $mergeObjects: <document> }',
    meaning:
      'One document with the fields of all; of two with one name the later value counts. Null and missing add nothing, what is no document is an error.',
    example: {
      accumulator: { $mergeObjects: '$d' },
      documents: [{ d: { a: 1, b: 1 } }, { d: { b: 2 } }],
      result: { a: 1, b: 2 },
    },
  },
  start: () => {
    const fields = new Map<string, Document[string]>()
    return {
      add: value => {
        if (value === undefined || value === null) return
        if (!isDocument(value)) throw wrongType('$mergeObjects', 'documents', value)
        for (const [name, field] of Object.entries(value)) fields.set(name, field)
      },
      result: () => Object.fromEntries(fields),
    }
  },
  sql: mergedSql,
})
