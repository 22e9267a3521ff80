/** A question that analysts ask of calls: as a pipeline, and as the SQL a practised hand writes for the same store. */
export interface AnalystQuestion {
  readonly question: string
  readonly pipeline: readonly object[]
  /**
   * Over the table `calls`, $1 being the project. Its columns are named as the documents' fields; NULL stands for null
   * and for missing. Not given where the answer differs every time.
   */
  readonly sql: string
  /** Its answer differs from run to run: a sample. */
  readonly unsteady?: true
}
