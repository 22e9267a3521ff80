import type { FieldType } from '../calls/field-type.js'
import type { Expression, TypeOf } from './tree.js'

export const DATE: FieldType = { kind: 'date' }
export const INT: FieldType = { kind: 'int' }
export const BOOL: FieldType = { kind: 'bool' }

const isNothing = (expression: Expression) =>
  expression.kind === 'remove' || (expression.kind === 'literal' && expression.value === null)

/** The type of what may be the value of any of some expressions: that of all which are not null. */
export function eitherType(expressions: readonly Expression[], typeOf: TypeOf): FieldType | undefined {
  const types = expressions.filter(one => !isNothing(one)).map(typeOf)
  for (const all of [DATE, BOOL]) if (types.length > 0 && types.every(type => type?.kind === all.kind)) return all
  const [only] = types
  return types.length === 1 && (only?.kind === 'struct' || only?.kind === 'list') ? only : undefined
}

/** A date, where that is what these give too. */
export function dateOr(others: readonly (Expression | undefined)[], typeOf: TypeOf): FieldType | undefined {
  return others.every(one => one === undefined || isNothing(one) || typeOf(one)?.kind === 'date') ? DATE : undefined
}

/** The type of an entry of what is a list. */
export function entryType(list: Expression | undefined, typeOf: TypeOf): FieldType | undefined {
  const type = list && typeOf(list)
  return type?.kind === 'list' ? type.of : undefined
}

/** The type of a list of the values of an expression. */
export function listType(expression: Expression, typeOf: TypeOf): FieldType | undefined {
  const of = eitherType([expression], typeOf)
  return of && { kind: 'list', of }
}
