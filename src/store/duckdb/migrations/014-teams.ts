import type { Migration } from './migration.js'

/** Named lists of agents. */
export const teams: Migration = {
  version: 14,
  name: 'teams',
  statements: ['create table teams (project_id VARCHAR NOT NULL, team_id VARCHAR NOT NULL, record JSON NOT NULL)'],
}
