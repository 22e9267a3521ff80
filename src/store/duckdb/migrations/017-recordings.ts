import type { Migration } from './migration.js'

/** Where the recording of a call is. */
export const recordings: Migration = {
  version: 17,
  name: 'recordings',
  statements: ['alter table calls add column recording_url VARCHAR'],
}
