import type { Migration } from './migration.js'

/**
 * The tables of the first version. A migration is history: its text never changes, also where it once came from the
 * record's schema. A new field of the record is a new migration (test/store/duckdb/files/migrate.test.ts tells).
 */
export const firstTables: Migration = {
  version: 1,
  name: 'first tables',
  statements: [
    // No primary key: its index would have to fit in memory, and the lookup by session scans session_key. That
    // (project_id, session_id) is unique is upsert's work, in the one lane for writes. search_text is the largest column:
    // zstd writes it in half the time and keeps it in a quarter of the room of the engine's own choice (1.5.6), for which whoever
    // reads all of it pays a third more; words that are looked for have an index of their own.
    // (Added before the first release; a store made earlier keeps what it has and means the same.)
    `create table calls (
      "project_id" VARCHAR NOT NULL,
        "session_key" UBIGINT NOT NULL,
        "session_id" VARCHAR NOT NULL,
        "agent_id" VARCHAR,
        "agent_name" VARCHAR NOT NULL,
        "created_dt" TIMESTAMP NOT NULL,
        "title" VARCHAR,
        "interaction_driver" VARCHAR,
        "interaction_direction" VARCHAR,
        "channel" VARCHAR,
        "language_primary" VARCHAR,
        "customer_display_name" VARCHAR,
        "session_metadata" JSON,
        "score" DOUBLE,
        "predicted_csat" DOUBLE,
        "outcome_lift" STRUCT("lift" DOUBLE, "lift_band" VARCHAR, "p_behavioral" DOUBLE, "p_context" DOUBLE),
        "scores" STRUCT("key" VARCHAR, "display_name" VARCHAR, "value" DOUBLE, "range" DOUBLE[])[],
        "dimensions" STRUCT("key" VARCHAR, "value" VARCHAR)[],
        "signals" STRUCT("key" VARCHAR, "state" VARCHAR, "strength" DOUBLE, "confidence" DOUBLE, "evidence" STRUCT("turn" INTEGER, "quote" VARCHAR)[])[],
        "guidance" STRUCT("key" VARCHAR, "kind" VARCHAR, "priority" VARCHAR, "text" VARCHAR, "evidence" STRUCT("turn" INTEGER, "quote" VARCHAR)[])[],
        "coaching_summary" VARCHAR,
        "talk_patterns" STRUCT("total_duration_s" DOUBLE, "hold_count" INTEGER, "interruption_count" INTEGER, "talk_time_ratio" DOUBLE, "avg_response_time_ms" DOUBLE, "silence_ratio" DOUBLE),
        "trust" STRUCT("level" VARCHAR, "score" DOUBLE, "reasons" VARCHAR[]),
        "conditions" STRUCT("key" VARCHAR, "turn" INTEGER, "text" VARCHAR)[],
        "transcript" STRUCT("turn" INTEGER, "actor" VARCHAR, "text" VARCHAR, "start_s" DOUBLE, "end_s" DOUBLE)[],
        "evaluation" STRUCT("evaluator" VARCHAR, "rubric" VARCHAR, "rubric_version" VARCHAR, "evaluated_at" TIMESTAMP),
        "search_text" VARCHAR NOT NULL USING COMPRESSION zstd,
        "duration_s" DOUBLE,
        "signal_count" INTEGER,
        "present_signals" VARCHAR[],
        "guidance_keys" VARCHAR[]
    )`,
    `create table projects (project_id VARCHAR PRIMARY KEY, record JSON NOT NULL)`,
    // last_used_at stands apart: it changes with use, the record when an administrator changes it.
    `create table application_keys (
      key_id VARCHAR PRIMARY KEY, project_id VARCHAR NOT NULL, record JSON NOT NULL, last_used_at TIMESTAMP
    )`,
    // Which ids were erased can be asked of the store, not read from it: a keyed hash each.
    `create table erased_calls (project_id VARCHAR NOT NULL, session_hash VARCHAR NOT NULL)`,
    `create table secrets (name VARCHAR PRIMARY KEY, secret VARCHAR NOT NULL)`,
  ],
}
