import type { Migration } from './migration.js'

/**
 * Of a day with many calls the beginning may be counted: `until_at` is then where that ends, not where the day does. No default: the engine
 * (DuckDB 1.5.6) makes several statements of such a change, and sets what may not be set.
 */
export const countsOfBegunDays: Migration = {
  version: 29,
  name: 'counts of begun days',
  statements: ['alter table counted_days add column is_begun boolean'],
}
