import type { DuckDBConnection } from '@duckdb/node-api'
import { AcknowledgedWrites } from './acknowledged-writes.js'
import type { DuckDbStoreOptions } from '../duckdb-store-options.js'
import { lossProblem, lossSentence, lostWrites } from './lost-writes.js'
import type { StoreFiles } from './store-files.js'
import { type StorePosition, readPosition, writePosition } from './store-position.js'

/**
 * Compares an opened store with the record of what was acknowledged, and gives back where it stands. A store that holds
 * less is refused, unless the operator has named just this loss. A record that is gone can't tell: it is begun anew, and
 * the log says so.
 * @throws Problem `conflict` when acknowledged writes are missing
 */
export async function reconcile(
  connection: DuckDBConnection,
  files: StoreFiles,
  acknowledged: AcknowledgedWrites,
  { acceptLoss, log, onLossAccepted }: Pick<DuckDbStoreOptions, 'acceptLoss' | 'log' | 'onLossAccepted'>,
): Promise<StorePosition> {
  const found = await readPosition(connection)
  const recorded = await AcknowledgedWrites.read(files.acknowledged)
  const loss = lostWrites(found, recorded)
  if (loss === undefined) {
    if (typeof recorded === 'string' && found.writes > 0) {
      const what = `The record of acknowledged writes is ${recorded}: whether any is missing cannot be told`
      log?.warn({ file: files.acknowledged, writes: found.writes }, `${what}; it begins anew`)
    }
    if (typeof recorded === 'string') await acknowledged.start(found)
    return found
  }
  if (acceptLoss !== loss.name) throw lossProblem(loss, files.dataDir)
  log?.error({ found, acknowledged: loss.acknowledged }, `${lossSentence(loss)}. The operator has accepted that`)
  // Numbers go on behind the lost ones: one given twice would hide the next loss.
  const position = { writes: loss.acknowledged.writes, at: new Date().toISOString() }
  await writePosition(connection, position)
  await acknowledged.start(position)
  onLossAccepted?.(loss.name)
  return position
}
