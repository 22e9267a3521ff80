import type { Migration } from './migration.js'

/** Which calls are named in the reports of a project. */
export const reports: Migration = {
  version: 8,
  name: 'reports',
  statements: [
    `create table report_calls (project_id VARCHAR NOT NULL, session_id VARCHAR NOT NULL, file VARCHAR NOT NULL)`,
  ],
}
