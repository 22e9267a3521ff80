import type { Migration } from './migration.js'

/** Scheduled tasks and the history of their runs. */
export const tasks: Migration = {
  version: 4,
  name: 'tasks',
  statements: [
    // Few, read whole at start, changed with every run: each as its JSON, and no index that an update could trip over.
    `create table tasks (task_id VARCHAR NOT NULL, record JSON NOT NULL)`,
    // seq is the order in which runs began, also where clocks went back.
    `create sequence task_run_seq`,
    `create table task_runs (
      task_id VARCHAR NOT NULL, run_id VARCHAR NOT NULL, seq BIGINT NOT NULL DEFAULT nextval('task_run_seq'),
      record JSON NOT NULL
    )`,
  ],
}
