import type { Migration } from './migration.js'

/** What was sent to a language model's provider in batches, and about which calls. */
export const modelBatches: Migration = {
  version: 22,
  name: 'model batches',
  statements: [
    'create table model_batches (project_id VARCHAR NOT NULL, batch_id VARCHAR NOT NULL, record JSON NOT NULL)',
    // Only while a batch is not settled.
    `create table model_batch_calls (
      project_id VARCHAR NOT NULL, batch_id VARCHAR NOT NULL, session_id VARCHAR NOT NULL, request VARCHAR NOT NULL
    )`,
  ],
}
