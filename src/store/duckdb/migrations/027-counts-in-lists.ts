import { countedAnew } from './021-counted-anew.js'
import type { Migration } from './migration.js'

/**
 * What an agent's values count in a block is one row of lists, in place of a row each: hundreds of millions of short rows are more row
 * groups than the engine can look over for each question. Everything is counted anew.
 */
export const countsInLists: Migration = {
  version: 27,
  name: 'counts in lists',
  statements: [
    ...countedAnew.statements,
    'drop table agent_value_days',
    `create table agent_value_days (
      project_id VARCHAR NOT NULL, counted_by VARCHAR NOT NULL, day TIMESTAMP NOT NULL, block INTEGER NOT NULL, trust VARCHAR,
      agent INTEGER NOT NULL, numbered INTEGER[] NOT NULL, calls INTEGER[] NOT NULL, evaluated INTEGER[] NOT NULL,
      score_n INTEGER[] NOT NULL, score_sum BIGINT[] NOT NULL, score_squares BIGINT[] NOT NULL
    )`,
  ],
}
