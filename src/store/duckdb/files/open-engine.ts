import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { join } from 'node:path'
import { BATCH_CALLS } from '../../store.js'
import type { DuckDbStoreOptions } from '../duckdb-store-options.js'

/** Folder below the data directory for what does not fit in memory. */
export const TEMP_FOLDER = 'tmp'

/** Name of the store's database inside the engine. */
export const DATABASE = 'earshot'

/**
 * Calls per row group, the unit the engine writes and skips. Its default of 122,880 suits narrow rows: 6 kB calls make
 * row groups of 700 MB, which every batch of an import writes to the log and every checkpoint rewrites. At the size of
 * a batch each one goes straight to the file, in small memory, and leaves next to nothing in the log. Measured against
 * 10,240 in batches of 4,000: half the processor time of an import, queries equally fast, the file a fifth larger.
 */
const ROW_GROUP_SIZE = BATCH_CALLS

/** When the log is folded into the file: batches of a few calls must not rewrite their row group each time. */
const CHECKPOINT_THRESHOLD = '64MB'

/**
 * Memory let go of at once, from which on the process gives it back. The engine's own 128 and 512 MB let eight heavy questions one after the
 * other take 1.8 GiB where its limit is 1 GiB, and with 32 MB they take 1.7; with these they stay below 1.2. What small questions take
 * is less, and stays for the next one. Measured: only gathering long lists takes more processor time for it.
 */
const GIVE_BACK_FROM = '8MB'

function settings(options: DuckDbStoreOptions): Record<string, string> {
  return {
    memory_limit: options.memoryLimit,
    threads: String(options.threads),
    temp_directory: join(options.dataDir, TEMP_FOLDER),
    max_temp_directory_size: options.tempDirectoryLimit ?? '10GB',
    checkpoint_threshold: options.checkpointFrom ?? CHECKPOINT_THRESHOLD,
    autoload_known_extensions: 'false',
    autoinstall_known_extensions: 'false',
    allow_community_extensions: 'false',
    allocator_background_threads: 'true',
    allocator_flush_threshold: GIVE_BACK_FROM,
    allocator_bulk_deallocation_flush_threshold: options.giveBackFrom ?? GIVE_BACK_FROM,
  }
}

/** The statement that attaches a file: attached, not opened, since only attaching takes a size of row groups. Those that are there stay as they are. */
const attach = (file: string, name: string, rowGroup = ROW_GROUP_SIZE) =>
  `attach '${file.replaceAll("'", "''")}' as ${name} (storage_version 'v1.5.0', row_group_size ${rowGroup})`

/** A connection whose tables are the store's. */
export async function connectTo(instance: DuckDBInstance): Promise<DuckDBConnection> {
  const connection = await instance.connect()
  await connection.run(`use ${DATABASE}`)
  return connection
}

/** An engine over a store's file, after some statements. Rejects with the engine's own error, and leaves nothing open then. */
async function opened(
  file: string,
  options: DuckDbStoreOptions,
  statements: readonly string[],
): Promise<DuckDBInstance> {
  const instance = await DuckDBInstance.create(':memory:', settings(options))
  try {
    const connection = await instance.connect()
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    for (const statement of [attach(file, DATABASE), ...statements]) await connection.run(statement)
    connection.closeSync()
    return instance
  } catch (error) {
    instance.closeSync()
    throw error
  }
}

/** Closing must change nothing: it ends a look at the files too, and an engine whose files failed it. */
const CLOSING_CHANGES_NOTHING = 'pragma disable_checkpoint_on_shutdown'

/**
 * Opens the engine over a file with its time zone UTC and its configuration locked: from then on no statement can reach
 * another file, load code or raise a limit. Rejects with the engine's own error.
 */
export async function openEngine(file: string, options: DuckDbStoreOptions): Promise<DuckDBInstance> {
  return await opened(file, options, [
    // Turned off here and not at the start, which would forbid attaching; what is attached by now stays reachable.
    'set global enable_external_access = false',
    // The time zone belongs to an extension that is part of the engine but not loaded while it opens.
    `set global TimeZone = 'UTC'`,
    CLOSING_CHANGES_NOTHING,
    'set global lock_configuration = true',
  ])
}

/** An engine over a store's file for copying it into another (`attachFresh`), with no caller's statement. Rejects with the engine's own error. */
export async function openToCopy(file: string, options: DuckDbStoreOptions): Promise<DuckDBInstance> {
  return await opened(file, options, [CLOSING_CHANGES_NOTHING])
}

/** Adds a second file, whose tables are those of `fresh`. @param rowGroup rows that one written there has at most, a multiple of 2,048 */
export async function attachFresh(connection: DuckDBConnection, file: string, rowGroup: number): Promise<void> {
  await connection.run(attach(file, 'fresh', rowGroup))
}
