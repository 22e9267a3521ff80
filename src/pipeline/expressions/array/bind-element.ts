import { elementBulk } from '../../compile/bulk.js'
import type { CompileContext, Expression } from '../../tree.js'
import type { SqlExpression, SqlType } from '../../compile/types.js'
import { lambdaName } from '../../compile/lambda.js'
import type { Fragment } from '../../compile/sql.js'
import { type Taken, take } from '../../compile/take.js'

/** A list taken for an operator that computes something for each element. */
export interface EachElement {
  readonly taken: Taken
  readonly list: Fragment
  readonly of: SqlType
  readonly element: Fragment
  /** The body over the element. */
  readonly body: SqlExpression
}

/** Compiles a body over the elements of a list; `undefined` where either can't be. */
export function bindElement(
  operator: string,
  input: SqlExpression,
  variable: string,
  body: Expression,
  context: CompileContext,
): EachElement | undefined {
  const taken = take([input], { operator, wanted: 'list', wants: 'an array as input', nulls: 'null' })
  const list = taken?.operands[0]
  if (taken === undefined || list?.type.kind !== 'list') return undefined
  const element = lambdaName()
  const { of } = list.type
  const compiled = context
    .boundElements(new Map([[variable, { sql: element, type: of, bulk: elementBulk(input) }]]))
    .expression(body)
  return compiled && { taken, list: list.sql, of, element, body: compiled }
}
