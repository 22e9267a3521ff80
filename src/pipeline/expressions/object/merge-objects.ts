import { fieldSql } from '../../compile/field-sql.js'
import { objectSql } from '../../compile/compile-expression.js'
import type { SqlExpression } from '../../compile/types.js'
import { type Document, isDocument } from '../../value.js'
import { eager } from '../eager.js'
import { wrongType } from '../wrong-type.js'

/** Structs that are always there: later fields replace earlier ones, unless they may be missing. */
function merge(operands: readonly SqlExpression[]): SqlExpression | undefined {
  const fields = new Map<string, SqlExpression>()
  for (const operand of operands) {
    if (operand.type.kind !== 'struct' || operand.type.absent !== 'never') return undefined
    for (const name of operand.type.fields.keys()) {
      const field = fieldSql(operand, name)
      if (fields.has(name) && field.type.absent !== 'never' && field.type.absent !== 'null') return undefined
      fields.set(name, field)
    }
  }
  return objectSql([...fields])
}

/** Documents laid over one another. */
export const mergeObjects = eager({
  name: '$mergeObjects',
  doc: {
    form: '{ $mergeObjects: [<document>, …] }',
    meaning:
      'One document with the fields of all; of two with one name the later value counts. Null and missing add nothing.',
    example: {
      expression: { $mergeObjects: ['$trust', { checked: true }] },
      document: { trust: { level: 'high' } },
      result: { level: 'high', checked: true },
    },
  },
  arity: [0, Infinity],
  evaluate: (...values) => {
    let merged: Document = {}
    for (const value of values) {
      if (value === undefined || value === null) continue
      if (!isDocument(value)) throw wrongType('$mergeObjects', 'documents', value)
      merged = { ...merged, ...value }
    }
    return merged
  },
  sql: operands => (operands.length === 0 ? undefined : merge(operands)),
})
