import type { Migration } from './migration.js'

/** The documents of the projects' knowledge bases. */
export const knowledge: Migration = {
  version: 3,
  name: 'knowledge bases',
  statements: [
    // Few and read whole at start: each as its JSON, and no index that an update could trip over.
    `create table knowledge (project_id VARCHAR NOT NULL, kb_id VARCHAR NOT NULL, record JSON NOT NULL)`,
  ],
}
