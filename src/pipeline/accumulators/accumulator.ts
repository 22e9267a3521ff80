import type { CompileContext, Environment, Expression, TypeOf } from '../tree.js'
import type { Fragment } from '../compile/sql.js'
import type { SqlExpression } from '../compile/types.js'
import type { OperatorDoc } from '../operator-doc.js'
import type { FieldType } from '../../calls/field-type.js'
import type { ParseContext } from '../parse-context.js'
import type { ParseExpression } from '../expressions/expression-operator.js'
import type { Value } from '../value.js'

/** Takes the documents of one group, one after the other. */
export interface Accumulation {
  add(environment: Environment): void
  result(): Value
}

/** An accumulator bound to its argument. */
export interface AccumulatorCall {
  readonly operands: readonly Expression[]
  /** The type of the value where that is known and it is not null. Absent = it may be anything. */
  gives?(typeOf: TypeOf): FieldType | undefined
  /** Over the documents of a group, which has a key, or of a window. */
  start(key?: Value): Accumulation
  /**
   * The aggregate over the group's rows, or `undefined` where it would not be exact; `fails` is over single rows, before
   * they are grouped.
   */
  sql(context: CompileContext): SqlExpression | undefined
  /** The same over a window: `over` stands behind each aggregate. Absent where the engine's windows have it otherwise. */
  over?(context: CompileContext, over: Fragment): SqlExpression | undefined
  toJson(): unknown
}

/** An accumulator of $group: one file each. */
export interface Accumulator {
  readonly name: string
  readonly doc: OperatorDoc
  parse(argument: unknown, context: ParseContext, parse: ParseExpression): AccumulatorCall
}
