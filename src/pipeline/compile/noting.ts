import type { CompileContext } from '../tree.js'
import type { SqlExpression } from './types.js'

/** The same context, but what is compiled in it is noted. */
export function noting(context: CompileContext, compiled: SqlExpression[]): CompileContext {
  return {
    ...context,
    expression: expression => {
      const one = context.expression(expression)
      if (one !== undefined) compiled.push(one)
      return one
    },
    bound: more => noting(context.bound(more), compiled),
    boundElements: more => noting(context.boundElements(more), compiled),
  }
}
