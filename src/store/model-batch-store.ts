import type { ModelBatchRecord } from './records/model-batch.js'

/** A call in a batch, and the request that asks about it. */
export interface BatchCall {
  readonly session_id: string
  /** Hash of all that is asked, as of a ModelQuestion: what is asked about two equal calls is equal. */
  readonly request: string
}

/**
 * Remembers what was sent to a model's provider in batches, so that what is paid for is fetched, after a restart too, and not
 * sent again. The calls of a batch are remembered until it is settled, and go when they are erased.
 */
export interface ModelBatchStore {
  /** Batches of a project, newest first. */
  of(projectId: string): Promise<readonly ModelBatchRecord[]>
  /** The providers' names for all batches there are, of every project. */
  names(): Promise<ReadonlySet<string>>
  calls(projectId: string, batchId: string): Promise<readonly BatchCall[]>
  /** Before anything is sent, in place of what is known of one with its id. Durable when it resolves, as the others are. */
  begin(batch: ModelBatchRecord, calls: readonly BatchCall[]): Promise<void>
  /** Replaces what is known of a batch. One that is settled stays so, and one that is gone stays gone. */
  note(batch: ModelBatchRecord): Promise<void>
  /** Its answers are kept, or there will be none: its calls are forgotten. Once: by whoever took them over first. */
  settle(batch: ModelBatchRecord): Promise<void>
  /**
   * Forgets one that was never sent, or that its provider does not know. It stays where another run has found it to be sent since, or
   * has settled it.
   */
  remove(batch: Pick<ModelBatchRecord, 'project_id' | 'batch_id' | 'remote_id'>): Promise<void>
}
