import { jsonKind } from '../../compile/json-kind.js'
import { fieldSql } from '../../compile/field-sql.js'
import { lambdaName } from '../../compile/lambda.js'
import { type Fragment, bind, join, sql } from '../../compile/sql.js'
import { typeNameSql } from '../../compile/type-name-sql.js'
import type { SqlExpression, SqlType } from '../../compile/types.js'
import { varied } from '../../compile/opaque.js'
import { commonType } from '../../compile/unify.js'
import { isDocument } from '../../value.js'
import { eager } from '../eager.js'
import { wrongType } from '../wrong-type.js'

const NAME: SqlType = { kind: 'string', absent: 'never' }

const pairs = (of: SqlType, absent: SqlType['absent']): SqlType => ({
  kind: 'list',
  of: {
    kind: 'struct',
    fields: new Map([
      ['k', NAME],
      ['v', of],
    ]),
    absent: 'never',
  },
  absent,
})

/** The fields of a struct that are there; all of one type. */
function ofStruct(struct: SqlExpression): SqlExpression | undefined {
  if (struct.type.kind !== 'struct') return undefined
  const inside: SqlExpression = { sql: struct.sql, type: { ...struct.type, absent: 'never' } }
  const fields = [...struct.type.fields.keys()].map(name => ({ name, ...fieldSql(inside, name) }))
  if (fields.some(({ type }) => type.absent !== 'missing' && type.absent !== 'never')) return undefined
  const same = commonType(fields.map(field => field.type))
  const several = same === undefined ? varied(fields) : undefined
  const common = same ?? several?.kind
  if (common === undefined) return undefined
  const one = ({ name, sql: value }: { readonly name: string; readonly sql: Fragment }, i: number) => {
    const held = several?.branches[i]?.sql ?? value
    return sql`(case when ${value} is not null then struct_pack(k := ${bind(name, 'VARCHAR')}, v := ${held}) end)`
  }
  const pair = lambdaName()
  const all = sql`list_filter(list_value(${join(fields.map(one), ', ')}), lambda ${pair}: ${pair} is not null)`
  const absent = struct.type.absent === 'never' ? 'never' : 'null'
  const value = absent === 'never' ? all : sql`(case when ${struct.sql} is not null then ${all} end)`
  return { sql: value, type: pairs({ ...common, absent: 'never' }, absent) }
}

/** What is listed of an object: its pairs, and names and values each by themselves. */
function listed(object: Fragment, of: SqlType['absent'], where: (list: Fragment) => Fragment): SqlExpression {
  const field: SqlType = { kind: 'open', absent: 'never' }
  const names = sql`json_keys(${object})::varchar[]`
  const values = sql`json_extract(${object}, '$.*')::json[]`
  const zipped = lambdaName()
  const pair = sql`struct_pack(k := ${zipped}[1], v := ${zipped}[2])`
  return {
    sql: where(sql`list_transform(list_zip(${names}, ${values}), lambda ${zipped}: ${pair})`),
    type: pairs(field, of),
    elements: new Map([
      ['k', { sql: where(names), type: { kind: 'list', of: NAME, absent: of } }],
      ['v', { sql: where(values), type: { kind: 'list', of: field, absent: of } }],
    ]),
  }
}

function ofOpen(operand: SqlExpression): SqlExpression | undefined {
  const { sql: value, type } = operand
  if (type.kind === 'open' && type.object === true) {
    // Of NULL the engine would make an empty list.
    if (type.absent === 'never') return listed(value, 'never', list => list)
    return listed(value, 'null', list => sql`(case when ${value} is not null then ${list} end)`)
  }
  const name = typeNameSql(operand)
  if (name === undefined) return undefined
  const object = sql`(case when ${jsonKind.isObject(value)} then ${value} end)`
  return {
    ...listed(object, 'null', list => sql`(case when ${jsonKind.isObject(value)} then ${list} end)`),
    fails: sql`(case when json_type(${value}) not in ('OBJECT', 'NULL') then ${bind('$objectToArray takes documents, not ', 'VARCHAR')} || ${name} end)`,
  }
}

/** A document as an array of its fields. */
export const objectToArray = eager({
  name: '$objectToArray',
  doc: {
    form: '{ $objectToArray: <document> }',
    meaning: 'The fields of a document as an array of {k: name, v: value}. Null or missing gives null.',
    example: {
      expression: { $objectToArray: '$trust' },
      document: { trust: { level: 'high', score: 0.9 } },
      result: [
        { k: 'level', v: 'high' },
        { k: 'score', v: 0.9 },
      ],
    },
  },
  arity: [1, 1],
  evaluate: value => {
    if (value === undefined || value === null) return null
    if (!isDocument(value)) throw wrongType('$objectToArray', 'documents', value)
    return Object.entries(value).map(([k, v]) => ({ k, v }))
  },
  sql: ([operand]) => {
    if (operand?.type.kind === 'struct') return ofStruct(operand)
    return operand?.type.kind === 'open' ? ofOpen(operand) : undefined
  },
})
