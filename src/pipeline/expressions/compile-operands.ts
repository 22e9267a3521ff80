import type { CompileContext, Expression } from '../tree.js'
import type { SqlExpression } from '../compile/types.js'

/** Most operands of one operator in the engine, whose depth of expressions is bounded: a + b + c is three deep. */
const MOST_OPERANDS = 60

/** All the operands compiled, or `undefined` when one can't be. */
export function compileOperands(
  operands: readonly Expression[],
  context: CompileContext,
): readonly SqlExpression[] | undefined {
  if (operands.length > MOST_OPERANDS) return undefined
  const compiled: SqlExpression[] = []
  for (const operand of operands) {
    const one = context.expression(operand)
    if (one === undefined) return undefined
    compiled.push(one)
  }
  return compiled
}
