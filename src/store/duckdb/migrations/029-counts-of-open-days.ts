import type { Migration } from './migration.js'

export const countsOfOpenDays: Migration = {
  version: 29,
  name: 'counts of open days',
  statements: [
    // Of a day that calls still come to what is counted are the calls of writes up to this one; absent: all of the day's. No default: the
    // engine (DuckDB 1.5.6) makes several statements of such a change, and sets what may not be set.
    'alter table counted_days add column counted_to bigint',
    // The time whose calls are being counted, and likewise up to which write; whoever changes one of them takes it away.
    `create table times_being_counted (
      project_id VARCHAR NOT NULL, from_at TIMESTAMP NOT NULL, until_at TIMESTAMP NOT NULL, counted_to BIGINT
    )`,
  ],
}
