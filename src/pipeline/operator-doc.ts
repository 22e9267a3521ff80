/**
 * What the reference page says of a stage or an operator. The example is run by the tests: its result is what the
 * pipeline gives over the documents.
 */
export interface OperatorDoc {
  /** How it is written, such as `{ $limit: <whole number> }`. */
  readonly form: string
  /** What it does, in a sentence or two. */
  readonly meaning: string
  readonly example: OperatorExample
}

/** Documents, pipeline and result as extended JSON. */
export interface OperatorExample {
  readonly documents: readonly object[]
  readonly pipeline: readonly object[]
  readonly result: readonly object[]
}
