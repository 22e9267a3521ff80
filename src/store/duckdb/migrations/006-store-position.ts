import type { Migration } from './migration.js'

/** How many writes the store holds; see `AcknowledgedWrites`. */
export const storePosition: Migration = {
  version: 6,
  name: 'store position',
  statements: [
    `create table store_position (writes BIGINT NOT NULL, "at" TIMESTAMP)`,
    `insert into store_position values (0, null)`,
  ],
}
