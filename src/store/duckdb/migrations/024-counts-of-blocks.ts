import type { Migration } from './migration.js'

/**
 * Counts of several days together (see day-blocks.ts) stand beside those of days: each row by the number of its block, of which
 * `day` is the first. Everything is counted anew.
 */
export const countsOfBlocks: Migration = {
  version: 24,
  name: 'counts of blocks',
  statements: [
    ...['counted_days', 'counted_agents', 'counted_values'].map(table => `delete from ${table}`),
    ...['agent_days', 'value_days', 'agent_value_days'].map(table => `drop table ${table}`),
    `create table agent_days (
      project_id VARCHAR NOT NULL, day TIMESTAMP NOT NULL, block INTEGER NOT NULL,
      trust VARCHAR, agent_id VARCHAR, agent_name VARCHAR NOT NULL,
      calls INTEGER NOT NULL, "first" TIMESTAMP NOT NULL, "last" TIMESTAMP NOT NULL, evaluated INTEGER NOT NULL,
      score_n INTEGER NOT NULL, score_sum BIGINT NOT NULL, score_squares BIGINT NOT NULL, positive INTEGER NOT NULL,
      csat_n INTEGER NOT NULL, csat_sum BIGINT NOT NULL, csat_squares BIGINT NOT NULL, csat_positive INTEGER NOT NULL,
      lift_n INTEGER NOT NULL, lift_sum BIGINT NOT NULL, lift_squares BIGINT NOT NULL,
      duration_n INTEGER NOT NULL, duration_sum BIGINT NOT NULL
    )`,
    `create table value_days (
      project_id VARCHAR NOT NULL, counted_by VARCHAR NOT NULL, day TIMESTAMP NOT NULL, block INTEGER NOT NULL, trust VARCHAR,
      key VARCHAR, value VARCHAR, number DOUBLE, calls INTEGER NOT NULL,
      score_n INTEGER NOT NULL, score_sum BIGINT NOT NULL, score_squares BIGINT NOT NULL
    )`,
    `create table agent_value_days (
      project_id VARCHAR NOT NULL, counted_by VARCHAR NOT NULL, day TIMESTAMP NOT NULL, block INTEGER NOT NULL, trust VARCHAR,
      agent INTEGER NOT NULL, numbered INTEGER NOT NULL, calls INTEGER NOT NULL, evaluated INTEGER NOT NULL,
      score_n INTEGER NOT NULL, score_sum BIGINT NOT NULL, score_squares BIGINT NOT NULL
    )`,
  ],
}
