import { firstSequence, TrailFiles } from '../activity/trail-files.js'
import type { Expected } from '../store/duckdb/duckdb-store-options.js'

/**
 * A sign that a data directory had a store: its audit trail, which is begun after it. Named by where the trail stands,
 * so that beginning anew is accepted once and not for good.
 */
export async function expectedStore(dataDir: string): Promise<Expected | undefined> {
  const last = (await new TrailFiles(dataDir).segments().catch(() => [])).at(-1)
  return last === undefined ? undefined : { what: 'its audit trail', name: `all-${firstSequence(last)}` }
}
