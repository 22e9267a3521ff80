import type { Migration } from './migration.js'

/** What language models answered about calls. */
export const modelAnswers: Migration = {
  version: 9,
  name: 'model answers',
  statements: [
    // Found like calls: by a scan of the 8 bytes of the hash, without an index in memory.
    `create table model_answers (
      project_id VARCHAR NOT NULL, session_key UBIGINT NOT NULL, session_id VARCHAR NOT NULL,
      request VARCHAR NOT NULL, answer JSON NOT NULL
    )`,
  ],
}
