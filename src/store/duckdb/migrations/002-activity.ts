import type { Migration } from './migration.js'

/** The audit trail as a table. */
export const activity: Migration = {
  version: 2,
  name: 'activity',
  statements: [
    // In the order of seq, which is nearly that of time: a range of time is found by each row group's extremes, and no
    // index has to fit in memory. That seq is unique holds because all writes go through one lane, behind the position.
    `create table activity (
      seq BIGINT NOT NULL,
      "at" TIMESTAMP NOT NULL,
      request_id VARCHAR NOT NULL,
      source VARCHAR NOT NULL,
      credential_id VARCHAR NOT NULL,
      name VARCHAR NOT NULL,
      project_id VARCHAR,
      roles VARCHAR[] NOT NULL,
      transport VARCHAR NOT NULL,
      page VARCHAR NOT NULL,
      outcome VARCHAR NOT NULL,
      code VARCHAR,
      status INTEGER,
      duration_ms DOUBLE NOT NULL,
      "rows" BIGINT,
      session_hashes VARCHAR[],
      bytes BIGINT
    )`,
    // How far the trail was replayed stands apart from the rows, which are deleted when they are old.
    `create table activity_position (seq BIGINT NOT NULL)`,
    `insert into activity_position values (0)`,
  ],
}
