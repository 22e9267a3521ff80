import { type DuckDBConnection, DuckDBTimestampValue } from '@duckdb/node-api'

/** How far a store was written: the number of its last write, which counts up by at least one, and when that was. */
export interface StorePosition {
  readonly writes: number
  /** ISO 8601 in UTC; absent before the first write. */
  readonly at?: string
}

/** The position an opened store stands at. */
export async function readPosition(connection: DuckDBConnection): Promise<StorePosition> {
  const found = await connection.runAndReadAll('select writes, "at" from store_position')
  const [writes, at] = found.getRowsJS()[0] ?? []
  return { writes: Number(writes), ...(at instanceof Date ? { at: at.toISOString() } : {}) }
}

/** Sets it; part of the transaction that is written under this number. */
export async function writePosition(connection: DuckDBConnection, { writes, at }: Required<StorePosition>) {
  await connection.run('update store_position set writes = $1, "at" = $2', [
    BigInt(writes),
    new DuckDBTimestampValue(BigInt(Date.parse(at)) * 1000n),
  ])
}

/**
 * What a write sets `write_number` of its calls to: how many writes there were before it. Numbers only grow, so that each
 * block of rows has its own, and the engine tells by a block's extremes that a number is not in it. A lookup that goes by
 * it reads one block. Without it the engine begins to read each wanted column in every block of the project, which for a
 * whole record takes a tenth of a millisecond a block, ten times what the search for the key takes. A row found is compared with the
 * key and the id all the same. What is counted of a day that goes on hangs on them too: whoever has calls stand under another number
 * says so (see counts/mark-days.ts).
 *
 * Read beforehand: a statement that looked it up itself would put all its rows together in memory once more first.
 */
export async function writeNumber(connection: DuckDBConnection): Promise<bigint> {
  return BigInt((await readPosition(connection)).writes)
}
