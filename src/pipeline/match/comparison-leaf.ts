import { compareValues, typeClass } from '../order.js'
import { bind, sql } from '../compile/sql.js'
import { toLiteral } from '../extended-json.js'
import type { Value } from '../value.js'
import { adviseDay } from './advise-day.js'
import { type Comparison, compareSql, isNullSql } from './compare-sql.js'
import type { LeafOperator } from './leaf-operator.js'
import type { Leaf } from './leaf.js'
import { readOperand } from './operand.js'

const HOLDS: Readonly<Record<Comparison, (order: number) => boolean>> = {
  '=': order => order === 0,
  '<': order => order < 0,
  '<=': order => order <= 0,
  '>': order => order > 0,
  '>=': order => order >= 0,
}

const isNaNValue = (value: Value | undefined): boolean => typeof value === 'number' && Number.isNaN(value)

/**
 * A comparison within one type class: `5 < "x"` never matches in a filter. Null matches null and missing by =, <= and
 * >= (rules "null in filters" and "null as a bound"); NaN equals only NaN and is neither above nor below anything.
 */
export function comparisonLeaf(op: Comparison, operand: Value): Leaf {
  const inclusive = op === '=' || op === '<=' || op === '>='
  return {
    elements: true,
    test: value => {
      if (operand === null) return inclusive && (value === undefined || value === null)
      if (value === undefined || typeClass(value) !== typeClass(operand)) return false
      if (isNaNValue(value) || isNaNValue(operand)) return inclusive && isNaNValue(value) === isNaNValue(operand)
      return HOLDS[op](compareValues(value, operand))
    },
    sql: (value, type) => {
      if (operand === null) return inclusive ? isNullSql(value, type) : sql`false`
      return compareSql(value, type, op, operand)
    },
    ...(op === '=' && typeof operand === 'string' ? equalsText(operand) : {}),
    compares: { op, operand },
    json: toLiteral(operand),
  }
}

/** What a lookup goes by, and a list of strings is searched for. */
function equalsText(operand: string): Pick<Leaf, 'equals' | 'anySql'> {
  return {
    equals: operand,
    anySql: (list, element) =>
      element.kind === 'string' ? sql`list_contains(${list}, ${bind(operand, 'VARCHAR')})` : undefined,
  }
}

const WORDS: Readonly<Record<Comparison, string>> = {
  '=': 'Equal to the value. Null also matches missing fields; numbers are equal whatever their type',
  '<': 'Below the value',
  '<=': 'Below the value or equal to it',
  '>': 'Above the value',
  '>=': 'Above the value or equal to it',
}

/** The operator of a comparison, as its file exports it. */
export function comparisonOperator(name: string, op: Comparison): LeafOperator {
  const documents = [{ a: 1 }, { a: 2 }, { a: 3 }, { a: 'x' }]
  return {
    name,
    doc: {
      form: `{ <field>: { ${name}: <value> } }`,
      meaning: `${WORDS[op]}${op === '=' ? '' : '; values of another type never match'}.`,
      example: {
        documents,
        pipeline: [{ $match: { a: { [name]: 2 } } }],
        result: documents.filter(({ a }) => typeof a === 'number' && HOLDS[op](a - 2)),
      },
    },
    parse: (argument, context) => {
      adviseDay(op, argument, context)
      return comparisonLeaf(op, readOperand(argument, context))
    },
  }
}
