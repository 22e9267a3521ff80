import type { Migration } from './migration.js'

/**
 * Which words are in which calls, see words/make-segment.ts. It begins empty: a call without a place is searched by its text, and a
 * running server makes segments of those that are there, one after the other.
 */
export const words: Migration = {
  version: 25,
  name: 'words',
  statements: [
    'alter table calls add column place INTEGER',
    // Read whole by each search, so that unpacking would take longer than all else.
    `create table words (
      project_id VARCHAR NOT NULL, segment INTEGER NOT NULL, word VARCHAR NOT NULL USING COMPRESSION uncompressed,
      "rows" USMALLINT[], bits BIT
    )`,
    `create table word_segments (
      project_id VARCHAR NOT NULL, segment INTEGER NOT NULL, first_at TIMESTAMP NOT NULL, last_at TIMESTAMP NOT NULL
    )`,
  ],
}
