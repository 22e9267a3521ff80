import type { Migration } from './migration.js'

/** Connections of AI clients that signed in. */
export const oauth: Migration = {
  version: 12,
  name: 'connections of AI clients',
  statements: ['create table oauth (kind VARCHAR NOT NULL, id_hash VARCHAR NOT NULL, record JSON NOT NULL)'],
}
