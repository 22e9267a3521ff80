/** How a run of a task stands: `interrupted` by the end of the process, or by an administrator. */
export type TaskRunState = 'running' | 'ok' | 'failed' | 'interrupted'

/**
 * Why a run began: its time had come; its time had passed while nothing ran (`missed`); the run before was cut off by the
 * end of the process (`repeat`); somebody asked for it (`manual`).
 */
export type TaskTrigger = 'schedule' | 'missed' | 'repeat' | 'manual'

/** What a project wants done again and again. Instants are ISO 8601 in UTC with milliseconds. */
export interface TaskRecord {
  readonly task_id: string
  readonly project_id: string
  readonly name: string
  readonly kind: string
  /** A cron expression of five fields, or six with seconds first. */
  readonly cron: string
  /** IANA name of the zone the expression is read in. */
  readonly time_zone: string
  /** As its kind takes them, with defaults filled in. */
  readonly parameters: Readonly<Record<string, unknown>>
  readonly enabled: boolean
  readonly created_at: string
  readonly created_by: string
  /** When it is due; absent while it is disabled or when no time is left. */
  readonly next_run?: string
  /** A run was cut off and is owed, whatever `next_run` says. */
  readonly owed?: true
  readonly last_run?: string
  readonly last_state?: TaskRunState
}

/** One run of a task. */
export interface TaskRunRecord {
  readonly run_id: string
  readonly task_id: string
  readonly trigger: TaskTrigger
  readonly state: TaskRunState
  readonly started_at: string
  readonly ended_at?: string
  /** What came of it, in a sentence. */
  readonly summary?: string
  /** Why it failed or was cut off, in a sentence. */
  readonly error?: string
  /** Counts, and names of files it wrote. Never text of calls, names of agents or ids of sessions. */
  readonly result?: Readonly<Record<string, unknown>>
}

/** Keeps the tasks of every project and the history of their runs; running them is not the store's work. */
export interface TaskStore {
  insert(task: TaskRecord): Promise<void>
  /** Rejects with a Problem (not_found) when it is gone. */
  update(task: TaskRecord): Promise<void>
  /** Removes a task and its runs; `false` when it was not there. */
  remove(taskId: string): Promise<boolean>
  /** Every task of every project. */
  all(): Promise<readonly TaskRecord[]>
  /**
   * Writes a run, new or changed, and what it changes about its task, both or neither; durable when it resolves. Of the
   * task's runs the newest `keep` stay. Nothing is written when the task is gone.
   */
  putRun(run: TaskRunRecord, task: TaskRecord, keep: number): Promise<void>
  /** Runs of a task, newest first; of those before a run when `before` names one. */
  runs(taskId: string, page: { readonly limit: number; readonly before?: string }): Promise<readonly TaskRunRecord[]>
  /** Runs that a process began and did not end. */
  unfinished(): Promise<readonly TaskRunRecord[]>
}
