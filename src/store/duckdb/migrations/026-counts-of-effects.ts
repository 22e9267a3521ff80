import { countedAnew } from './021-counted-anew.js'
import type { Migration } from './migration.js'

/**
 * Days are counted by what lifts hang on too, and each counting of a day has a number, by which what was found of its counts is known to
 * be theirs still. Everything is counted anew.
 */
export const countsOfEffects: Migration = {
  version: 26,
  name: 'counts of effects',
  statements: [...countedAnew.statements, 'alter table counted_days add column counting BIGINT'],
}
