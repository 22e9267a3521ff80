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
