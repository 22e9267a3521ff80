import type { Migration } from './migration.js'

/** Which write put each call where it stands, by which a lookup reads one block of rows: see `writeNumber`. */
export const writeNumbers: Migration = {
  version: 10,
  name: 'write numbers',
  statements: [
    // The default lasts until the column is NOT NULL, which it can't be made once its rows are changed.
    'alter table calls add column write_number BIGINT default 0',
    'alter table calls alter column write_number set not null',
    'alter table calls alter column write_number drop default',
    // Which write put older rows there is not known: the numbers of their blocks, of 2,048 rows, serve as well. Where a
    // later write has the same number a lookup reads its block too.
    'update calls set write_number = rowid // 2048',
  ],
}
