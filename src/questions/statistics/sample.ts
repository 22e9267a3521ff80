/** What is known of a sample of a mean: enough for intervals and tests. */
export interface Sample {
  readonly count: number
  readonly mean: number
  /** Sample standard deviation (n - 1); 0 for fewer than two values. */
  readonly deviation: number
}
