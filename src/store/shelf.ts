/** Few records of one kind, read whole at start. Durable when it resolves. */
export interface Shelf<T> {
  /** By project and id. */
  all(): Promise<readonly T[]>
  /** Adds a record or replaces the one of its project and id. */
  put(record: T): Promise<void>
  /** Removes a record, if it is there. */
  remove(projectId: string, id: string): Promise<void>
}
