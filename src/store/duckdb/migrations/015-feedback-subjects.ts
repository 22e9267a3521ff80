import type { Migration } from './migration.js'

/** Feedback on what of a call: its score, a signal, a turn, or what somebody said; not all of it rates the call. */
export const feedbackSubjects: Migration = {
  version: 15,
  name: 'feedback subjects',
  statements: [
    'alter table feedback alter column rating drop not null',
    'alter table feedback add column subject JSON',
  ],
}
