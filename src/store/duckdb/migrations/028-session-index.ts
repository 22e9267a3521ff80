import type { Migration } from './migration.js'

/** Where calls are that are asked for by their ids, see sessions/session-runs.ts. It begins empty: a running server fills it. */
export const sessionIndex: Migration = {
  version: 28,
  name: 'session index',
  statements: [
    `create table session_runs (
      project_id VARCHAR NOT NULL, run INTEGER NOT NULL, from_number BIGINT NOT NULL, to_number BIGINT NOT NULL, shift INTEGER NOT NULL
    )`,
    `create table session_entries (
      project_id VARCHAR NOT NULL, run INTEGER NOT NULL, first_key UBIGINT NOT NULL, last_key UBIGINT NOT NULL,
      entries STRUCT("key" UBIGINT, "number" INTEGER)[] NOT NULL
    )`,
  ],
}
