import type { OperatorDoc } from '../operator-doc.js'

/** What the reference page says of an operator of expressions. */
export interface ExpressionDoc {
  readonly form: string
  readonly meaning: string
  readonly example: {
    readonly expression: unknown
    /** The document it is computed over; an empty one when the expression reads no field. */
    readonly document?: object
    /** As extended JSON; `undefined` when the result is missing. */
    readonly result: unknown
  }
}

/** The same with its example as a pipeline that computes one field. */
export function expressionDoc({ form, meaning, example }: ExpressionDoc): OperatorDoc {
  return {
    form,
    meaning,
    example: {
      documents: [example.document ?? {}],
      pipeline: [{ $project: { _id: 0, result: example.expression } }],
      result: [example.result === undefined ? {} : { result: example.result }],
    },
  }
}
