import { fieldSql } from '../../compile/field-sql.js'
import { objectSql } from '../../compile/compile-expression.js'
import { failing } from '../../compile/fails.js'
import { alternative } from '../../compile/opaque.js'
import { identifier, join, sql } from '../../compile/sql.js'
import { type SqlExpression, withAbsent } from '../../compile/types.js'
import { type Value, isDocument } from '../../value.js'
import { eager } from '../eager.js'
import { wrongType } from '../wrong-type.js'
import { objectOf } from '../../../base/fields.js'

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

/** Documents of any kind, laid over one another when they are given out: whose names meet, and which are there, the data says. */
export function mergedSql(operands: readonly SqlExpression[]): SqlExpression | undefined {
  const fields = merge(operands)
  if (fields !== undefined) return fields
  const there = operands.filter(({ type }) => type.kind !== 'nothing')
  const isDocument = ({ type }: SqlExpression) =>
    type.kind === 'struct' || type.kind === 'pairs' || type.kind === 'merged' || (type.kind === 'open' && type.object)
  if (there.length === 0 || !there.every(isDocument)) return undefined
  const parts = there.map(({ sql: value }, i) => sql`${identifier(alternative(i))} := ${value}`)
  return failing(
    {
      sql: sql`struct_pack(${join(parts, ', ')})`,
      type: { kind: 'merged', of: there.map(({ type }) => withAbsent(type, 'missing')), absent: 'never' },
    },
    ...there.map(({ fails }) => fails),
  )
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
    const all = new Map<string, Value>()
    for (const value of values) {
      if (value === undefined || value === null) continue
      if (!isDocument(value)) throw wrongType('$mergeObjects', 'documents', value)
      for (const [name, field] of Object.entries(value)) all.set(name, field)
    }
    return objectOf(all)
  },
  sql: operands => (operands.length === 0 ? undefined : mergedSql(operands)),
})
