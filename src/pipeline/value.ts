/**
 * A BSON value as the pipeline holds it. Missing is `undefined` and never stored in a document. Numbers: an integral
 * `number` within 32 bits is an int, a `bigint` is a long, every other `number` is a double; an integral double within
 * 32 bits is a `Double`.
 */
export type Value = null | boolean | number | bigint | string | Date | Double | readonly Value[] | Document

/** A document. Field order counts, so documents with integer-like keys are kept in insertion order by Map-backed code. */
export interface Document {
  readonly [field: string]: Value
}

/** A double whose value is a 32-bit integer: told apart from an int only where $type and conversions look. */
export class Double {
  readonly value: number
  constructor(value: number) {
    this.value = value
  }
}
