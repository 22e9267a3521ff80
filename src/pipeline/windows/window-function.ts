import type { CompileContext, Environment, Expression, TypeOf } from '../tree.js'
import type { SqlExpression } from '../compile/types.js'
import type { Fragment } from '../compile/sql.js'
import type { OperatorDoc } from '../operator-doc.js'
import type { ParseContext } from '../parse-context.js'
import type { FieldType } from '../../calls/field-type.js'
import type { Value } from '../value.js'
import type { SortKey } from '../stages/sort.js'
import type { WindowFrame } from './window-frame.js'

/** The documents of one partition in their order, as a window function sees them. */
export interface Partition {
  readonly size: number
  /** What an expression is evaluated against at a place. */
  environment(place: number): Environment
  /** The value of the one field that the documents are sorted by. */
  sortValue(place: number): Value | undefined
  /** Whether the documents at two places are equal by the sort. */
  isPeer(a: number, b: number): boolean
  /** The places [from, to) of the window around a place; the whole partition when no window is given. */
  frame(place: number): readonly [from: number, to: number]
}

/** The rows of $setWindowFields in the engine. */
export interface SqlWindow {
  readonly context: CompileContext
  /** `partition by …`; empty where there is one partition. */
  readonly by: Fragment
  /** `(partition by … order by …)` with the frame that was asked for. */
  readonly framed: Fragment | undefined
  /** The same for a range by values, where equal documents have no order: for what does not depend on one. */
  readonly ranged: Fragment | undefined
  /** `(partition by … order by …)` without a frame, for functions that go by places. */
  readonly ordered: Fragment
  /** The same from the first document to the one at hand. */
  readonly running: Fragment
  /** The same from the document at hand to the last one. */
  readonly remaining: Fragment
  /** The same by the sort keys, so that equal documents are peers. */
  readonly peers: Fragment | undefined
  /** The window holds the document itself, whatever the place. */
  readonly holdsCurrent: boolean
  /** How many documents it holds at most; Infinity where that is up to the data. */
  readonly width: number
  /** `(partition by …)` where it is the whole partition: for what does not depend on an order. */
  readonly whole: Fragment | undefined
  /** The one field sorted by, where there is one and it is not the rows' place. */
  readonly sortValue: SqlExpression | undefined
  /** `framed` without its first document: for what lies between each document and the one before. */
  readonly steps: Fragment | undefined
  /** What `before` of the function gave, as a column. */
  readonly before: SqlExpression | undefined
}

/** What a function may compute in a step of its own: windows do not stand in windows. */
export type SqlWindowBefore = Pick<SqlWindow, 'context' | 'ordered' | 'running' | 'sortValue'>

/** A window function bound to its argument. */
export interface WindowCall {
  readonly operands: readonly Expression[]
  /** The type of the value where that is known and it is not null. Absent = it may be anything. */
  gives?(typeOf: TypeOf): FieldType | undefined
  /** The value for each document of a partition. */
  run(partition: Partition): readonly (Value | undefined)[]
  /** The value as SQL, or `undefined` where it would not be exact. */
  sql(window: SqlWindow): SqlExpression | undefined
  /** What its SQL makes windows of, where that is computed over windows itself; `undefined` where it would not be exact. */
  before?(window: SqlWindowBefore): SqlExpression | undefined
  toJson(): object
}

/** What a window function is asked with, beside its argument. */
export interface WindowSetup {
  readonly sortBy: readonly SortKey[]
  readonly frame: WindowFrame | undefined
}

/** A function of $setWindowFields: one file each. */
export interface WindowFunction {
  readonly name: string
  readonly doc: OperatorDoc
  /** Whether it takes a window of its own. */
  readonly window: 'optional' | 'required' | 'none'
  /** What it needs of sortBy: nothing, any, or one field. */
  readonly sort: 'free' | 'any' | 'one'
  parse(argument: unknown, context: ParseContext, setup: WindowSetup): WindowCall
}
