import type { Migration } from './migration.js'

/** Saved mappings, inbound webhooks, and what these took: the same is not taken again. */
export const imports: Migration = {
  version: 18,
  name: 'imports',
  statements: [
    'create table mappings (project_id VARCHAR NOT NULL, mapping_id VARCHAR NOT NULL, record JSON NOT NULL)',
    'create table inbound_webhooks (project_id VARCHAR NOT NULL, webhook_id VARCHAR NOT NULL, record JSON NOT NULL)',
    'create table inbound_taken (webhook_id VARCHAR NOT NULL, digest VARCHAR NOT NULL, taken_at TIMESTAMP NOT NULL)',
  ],
}
