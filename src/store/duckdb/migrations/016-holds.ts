import type { Migration } from './migration.js'

/** Legal holds, a row for each call or customer that one names, and a log of erasures. */
export const holds: Migration = {
  version: 16,
  name: 'holds',
  statements: [
    'create table holds (project_id VARCHAR NOT NULL, hold_id VARCHAR NOT NULL, record JSON NOT NULL)',
    `create table held (
      project_id VARCHAR NOT NULL, hold_id VARCHAR NOT NULL,
      session_id VARCHAR, customer VARCHAR, field VARCHAR, value VARCHAR
    )`,
    'create table erasures (project_id VARCHAR NOT NULL, erased_at TIMESTAMP NOT NULL, record JSON NOT NULL)',
  ],
}
