import type { Migration } from './migration.js'

/** What lifts were made of: how well it is known what signals do. */
export const liftFits: Migration = {
  version: 13,
  name: 'fits of outcome lift',
  statements: [
    'create table lift_fits (project_id VARCHAR NOT NULL, evaluator VARCHAR NOT NULL, record JSON NOT NULL)',
  ],
}
