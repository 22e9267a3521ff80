import type { Migration } from './migration.js'

/** Counts of days may lack what was lost while they were made (see counts/count-days.ts): they are made anew. */
export const countedAnew: Migration = {
  version: 21,
  name: 'counted anew',
  statements: ['counted_days', 'agent_days', 'value_days', 'agent_value_days', 'counted_agents', 'counted_values'].map(
    table => `delete from ${table}`,
  ),
}
