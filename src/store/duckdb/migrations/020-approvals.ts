import type { Migration } from './migration.js'

/** What waits for a second administrator. */
export const approvals: Migration = {
  version: 20,
  name: 'approvals',
  statements: [
    'create table approvals (project_id VARCHAR NOT NULL, approval_id VARCHAR NOT NULL, record JSON NOT NULL)',
  ],
}
