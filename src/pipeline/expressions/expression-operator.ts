import type { OperatorDoc } from '../operator-doc.js'
import type { Expression, OperatorCall } from '../tree.js'
import type { ParseContext } from '../parse-context.js'

/** Parses a sub-expression at the context's place. Handed to operators so that no operator imports the parser. */
export type ParseExpression = (json: unknown, context: ParseContext) => Expression

/** An operator of expressions: its name and how its argument becomes a call. One file each; see eager.ts, named.ts. */
export interface ExpressionOperator {
  readonly name: string
  readonly doc: OperatorDoc
  /** The names of its arguments, where it has some; `short` is the one that may stand alone. */
  readonly takes?: { readonly names: readonly string[]; readonly short?: string | undefined }
  parse(argument: unknown, context: ParseContext, parse: ParseExpression): OperatorCall
}
