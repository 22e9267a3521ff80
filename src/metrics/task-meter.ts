/** A run of a task that ended. */
export interface MeasuredRun {
  /** One of the registered kinds. */
  readonly kind: string
  readonly outcome: 'ok' | 'failed' | 'interrupted'
  readonly seconds: number
}

/** Where the scheduler says what became of runs. */
export interface TaskMeter {
  ran(run: MeasuredRun): void
  /** A time that passed while the same task was still running. */
  skipped(kind: string): void
}
