import type { Migration } from './migration.js'

export const countsOfBegunDays: Migration = {
  version: 29,
  name: 'counts of begun days',
  statements: [
    // Of a day with many calls the beginning may be counted: `until_at` is then where that ends, not where the day does. No default: the
    // engine (DuckDB 1.5.6) makes several statements of such a change, and sets what may not be set.
    'alter table counted_days add column is_begun boolean',
    // The time whose calls are being counted; whoever changes one of them takes it away.
    `create table times_being_counted (
      project_id VARCHAR NOT NULL, from_at TIMESTAMP NOT NULL, until_at TIMESTAMP NOT NULL
    )`,
  ],
}
