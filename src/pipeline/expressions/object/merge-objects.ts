import { fieldSql } from '../../compile/field-sql.js'
import { objectSql } from '../../compile/compile-expression.js'
import type { SqlExpression } from '../../compile/types.js'
import { type Value, isDocument } from '../../value.js'
import { eager } from '../eager.js'
import { wrongType } from '../wrong-type.js'
import { documentOf } from './document-of.js'

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
    const merged = new Map<string, Value>()
    for (const value of values) {
      if (value === undefined || value === null) continue
      if (!isDocument(value)) throw wrongType('$mergeObjects', 'documents', value)
      for (const [name, field] of Object.entries(value)) merged.set(name, field)
    }
    return documentOf(merged)
  },
  sql: operands => (operands.length === 0 ? undefined : merge(operands)),
})
