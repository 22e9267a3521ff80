import type { Migration } from './migration.js'

/** Every version of the projects' rubrics. */
export const rubrics: Migration = {
  version: 7,
  name: 'rubrics',
  statements: [
    // Few, never changed and read whole at start: each as its JSON, and no index.
    `create table rubrics (project_id VARCHAR NOT NULL, version INTEGER NOT NULL, record JSON NOT NULL)`,
  ],
}
