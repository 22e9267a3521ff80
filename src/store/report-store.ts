/** Knows which calls the reports name that tasks wrote into files: what erasing a call has to change. */
export interface ReportStore {
  /**
   * Notes that a file is to name calls, before it is written; durable when it resolves. Gives back which of them are
   * there: one that was erased meanwhile is not to be named.
   * @param file name below the report directory
   */
  note(projectId: string, file: string, sessionIds: readonly string[]): Promise<ReadonlySet<string>>
  /** Which calls a file is on record to name. */
  named(projectId: string, file: string): Promise<ReadonlySet<string>>
  /** Files of a project that name any of these calls. Erasing the calls forgets it. */
  naming(projectId: string, sessionIds: readonly string[]): Promise<readonly string[]>
}
