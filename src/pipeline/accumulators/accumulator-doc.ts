import type { OperatorDoc } from '../operator-doc.js'

/** What the reference page says of an accumulator. */
export interface AccumulatorDoc {
  readonly form: string
  readonly meaning: string
  readonly example: {
    readonly accumulator: object
    readonly documents: readonly object[]
    /** As extended JSON. */
    readonly result: unknown
  }
}

/** The same with its example as a pipeline that puts all documents into one group. */
export function accumulatorDoc({ form, meaning, example }: AccumulatorDoc): OperatorDoc {
  return {
    form,
    meaning,
    example: {
      documents: example.documents,
      pipeline: [{ $group: { _id: null, result: example.accumulator } }],
      result: [{ _id: null, result: example.result }],
    },
  }
}
