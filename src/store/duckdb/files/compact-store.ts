import type { DuckDBConnection } from '@duckdb/node-api'
import { Problem } from '../../../base/problem.js'
import { BATCH_CALLS } from '../../store.js'
import { countRows, countTables } from './count-rows.js'
import { dropStaleCounts } from '../counts/stale-counts.js'
import type { DuckDbStoreOptions } from '../duckdb-store-options.js'
import { closeEngine } from './close-engine.js'
import { inspectStore } from './inspect-store.js'
import { makeStore } from './make-store.js'
import { noStore, refuseNoDirectory } from './no-store.js'
import { attachFresh, openToCopy, TEMP_FOLDER } from './open-engine.js'
import { openProblem } from './open-problem.js'
import { StoreFiles } from './store-files.js'
import { refuseForeignDirectory } from '../../../base/own-directory.js'

export interface CompactReport {
  readonly data_dir: string
  readonly calls: number
  readonly bytes_before: number
  readonly bytes_after: number
}

export interface CompactOptions extends DuckDbStoreOptions {
  /** Hears how many rows of how many are copied. */
  readonly onProgress?: (done: { readonly copied: number; readonly total: number }) => void
  /**
   * Runs the work, and resolves when it is on record that it was done: while the old store is held, before the new one
   * takes its place. Not optional, so that nobody forgets. `replayed` is the highest number of the audit trail in the store.
   */
  readonly onRecord: <T>(replayed: number, work: () => Promise<T>) => Promise<T>
  /** Rows of a row group of the copy, a multiple of 2,048; by how many calls there are unless given. */
  readonly rowGroup?: number
}

/** Each statement passes over all row groups, some 2 µs each, whatever it looks for; as many more of them are worth less than a call that is read alone. */
const USUAL_ROW_GROUPS = 1_000
const LARGEST_ROW_GROUP = 10_240
/** A row group is packed as one, unpacked some tenfold: as many bytes in the file as leave it in small memory. */
const MOST_ROW_GROUP_BYTES = 12 * 1024 ** 2

/** Rows of a row group of a copy: of a large store more than imports write at once, unless its calls are large too. */
export function rowGroupOf(calls: number, bytes: number): number {
  const wanted = Math.ceil(calls / USUAL_ROW_GROUPS / BATCH_CALLS)
  const fitting = Math.floor(MOST_ROW_GROUP_BYTES / (bytes / calls) / BATCH_CALLS)
  return BATCH_CALLS * Math.max(1, Math.min(wanted, fitting, LARGEST_ROW_GROUP / BATCH_CALLS))
}

/**
 * Copies a store that no server holds into a new file, which takes the place of the old one when every table was copied
 * and counted: of what was erased or replaced nothing is left in it. The old file stays locked until then; killed half way,
 * it is as it was.
 * @throws Problem
 */
export async function compactStore({ onProgress, onRecord, ...given }: CompactOptions): Promise<CompactReport> {
  process.umask(0o077)
  refuseNoDirectory(given.dataDir)
  refuseForeignDirectory(given.dataDir)
  const files = StoreFiles.at(given.dataDir)
  const options = { ...given, dataDir: files.dataDir }
  await checkStore(options)
  const bytes = files.bytes()
  // What another compaction left that was killed makes room when this one holds the store.
  if (!files.hasRoomFor(bytes - files.leftBytes())) {
    throw new Problem(
      'store_unavailable',
      `There is not enough room in ${files.dataDir}: a copy may take ${bytes} bytes`,
    )
  }
  const fresh = files.newFile()
  try {
    await makeStore(fresh, options)
    const instance = await openToCopy(files.file, options).catch((error: unknown) => {
      throw openProblem(error, files.dataDir)
    })
    try {
      files.sweep(TEMP_FOLDER, fresh)
      const connection = await instance.connect()
      await connection.run('use earshot')
      await dropStaleCounts(connection)
      await connection.run('checkpoint')
      if (files.hasLog()) throw new Problem('conflict', 'The store could not be brought to one file; try again')
      const position = await connection.runAndReadAll('select seq from activity_position')
      const counts = await onRecord(Number(position.getRows()[0]?.[0] ?? 0), async () => {
        const found = await countTables(connection)
        await attachFresh(connection, fresh, given.rowGroup ?? rowGroupOf(found['calls'] ?? 0, bytes))
        await copyTables(connection, found, onProgress)
        await connection.run('checkpoint fresh')
        await connection.run('detach fresh')
        const copied = await countRows(fresh)
        if (JSON.stringify(copied) !== JSON.stringify(found))
          throw new Error('The copy cannot be read, or does not hold the same rows')
        return found
      })
      const after = files.replace(fresh)
      connection.closeSync()
      return { data_dir: files.dataDir, calls: counts['calls'] ?? 0, bytes_before: bytes, bytes_after: after }
    } finally {
      // By its descriptor, which is of the file that has no name any more: nothing is left of that one.
      await closeEngine(instance, files.file)
    }
  } catch (error) {
    files.discard(fresh)
    throw error
  }
}

/** A store of this version with nothing missing: all else is for a start of the server to settle. */
async function checkStore({ dataDir, expected }: DuckDbStoreOptions): Promise<void> {
  const look = await inspectStore(dataDir, expected)
  if (look === 'none') throw noStore(dataDir)
  if (look.loss !== undefined) throw look.loss
  if (look.version > look.newest) {
    throw new Problem('conflict', `The store in ${dataDir} was written by a newer program; update this one`)
  }
  if (look.version < look.newest) {
    throw new Problem(
      'conflict',
      `The store in ${dataDir} is of an older program: start the server once, which updates it`,
    )
  }
}

/** Fills the tables of `fresh`, which are those of a new store, with the rows of `earshot`, and its sequences. */
async function copyTables(
  connection: DuckDBConnection,
  counts: Readonly<Record<string, number>>,
  onProgress: CompactOptions['onProgress'],
): Promise<void> {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  let copied = 0
  // oxlint-disable no-await-in-loop -- a table at a time bounds the memory
  for (const [table, count] of Object.entries(counts)) {
    // What a new store comes with, such as a secret of its own.
    await connection.run(`delete from fresh."${table}"`)
    await connection.run(`insert into fresh."${table}" by name select * from earshot."${table}"`)
    onProgress?.({ copied: (copied += count), total })
  }
  const sequences = await connection.runAndReadAll(
    `select sequence_name, last_value from duckdb_sequences() where database_name = 'earshot' and last_value is not null`,
  )
  for (const [name, last] of sequences.getRowsJS()) {
    await connection.run(`select count(nextval('fresh.${name as string}')) from range($1)`, [Number(last)])
  }
  // oxlint-enable no-await-in-loop
}
