import type { CompileContext } from '../tree.js'
import type { Column, Relation } from './relation.js'
import { type Fragment, sql } from './sql.js'

/** A context for conditions on elements of a list: its columns are the element's fields, or the element is JSON. */
export function elementContext(columns: readonly Column[], open?: Fragment): CompileContext {
  const noStep = () => {
    throw new TypeError('A condition on elements adds no step')
  }
  const relation: Relation = { from: { table: sql`` }, columns, order: [], ...(open === undefined ? {} : { open }) }
  return {
    relation,
    variables: new Map(),
    now: new Date(0),
    expression: () => undefined,
    step: noStep,
    over: noStep,
    bound: noStep,
    boundElements: noStep,
    perRow: false,
    mayFail: noStep,
    exactUnless: noStep,
    keptOut: () => undefined,
  }
}
