import type { Migration } from './migration.js'

/**
 * Counts of whole days, see counts/counts-source.ts. They begin empty: a day that `counted_days` does not name is counted
 * from its calls, and a running server makes the days one after the other. A later migration that changes calls empties
 * `counted_days`.
 */
export const dailyCounts: Migration = {
  version: 19,
  name: 'daily counts',
  statements: [
    // The days whose counts are those of their calls: local ones of a zone, with where they begin and end, and when the
    // first and last of their calls began. No index: there are as many as days.
    `create table counted_days (
      project_id VARCHAR NOT NULL, time_zone VARCHAR NOT NULL, day TIMESTAMP NOT NULL,
      from_at TIMESTAMP NOT NULL, until_at TIMESTAMP NOT NULL, first_at TIMESTAMP, last_at TIMESTAMP
    )`,
    `create table agent_days (
      project_id VARCHAR NOT NULL, day TIMESTAMP NOT NULL, trust VARCHAR, agent_id VARCHAR, agent_name VARCHAR NOT NULL,
      calls INTEGER NOT NULL, "first" TIMESTAMP NOT NULL, "last" TIMESTAMP NOT NULL, evaluated INTEGER NOT NULL,
      score_n INTEGER NOT NULL, score_sum BIGINT NOT NULL, score_squares BIGINT NOT NULL, positive INTEGER NOT NULL,
      csat_n INTEGER NOT NULL, csat_sum BIGINT NOT NULL, csat_squares BIGINT NOT NULL, csat_positive INTEGER NOT NULL,
      lift_n INTEGER NOT NULL, lift_sum BIGINT NOT NULL, lift_squares BIGINT NOT NULL,
      duration_n INTEGER NOT NULL, duration_sum BIGINT NOT NULL
    )`,
    // Of all agents together: only who hears all of them may read it.
    `create table value_days (
      project_id VARCHAR NOT NULL, counted_by VARCHAR NOT NULL, day TIMESTAMP NOT NULL, trust VARCHAR,
      key VARCHAR, value VARCHAR, number DOUBLE, calls INTEGER NOT NULL,
      score_n INTEGER NOT NULL, score_sum BIGINT NOT NULL, score_squares BIGINT NOT NULL
    )`,
    // Of each agent by itself. Agents and values have numbers, which cost a fraction of texts to group by.
    `create table counted_agents (
      project_id VARCHAR NOT NULL, agent INTEGER NOT NULL, agent_id VARCHAR, agent_name VARCHAR NOT NULL
    )`,
    `create table counted_values (
      project_id VARCHAR NOT NULL, counted_by VARCHAR NOT NULL, numbered INTEGER NOT NULL,
      key VARCHAR, value VARCHAR, number DOUBLE
    )`,
    `create table agent_value_days (
      project_id VARCHAR NOT NULL, counted_by VARCHAR NOT NULL, day TIMESTAMP NOT NULL, trust VARCHAR,
      agent INTEGER NOT NULL, numbered INTEGER NOT NULL, calls INTEGER NOT NULL, evaluated INTEGER NOT NULL,
      score_n INTEGER NOT NULL, score_sum BIGINT NOT NULL, score_squares BIGINT NOT NULL
    )`,
  ],
}
