import type { Caller } from '../../access/caller.js'
import { requesterOf } from '../../access/requester-of.js'
import { FairSlots } from '../../admission/fair-slots.js'
import type { TableFormat } from '../../store/duckdb/tables/call-tables.js'
import { type TablesFolder, writeCallTables } from '../../store/duckdb/tables/write-call-tables.js'
import type { Store } from '../../store/store.js'
import { exportCalls } from './export-calls.js'

interface TableExportsParts {
  readonly store: Pick<Store, 'run' | 'stream'>
  /** Where they are made; what a process leaves there that is killed is swept at the next start. */
  readonly parent: string
}

export interface TableExportRequest {
  readonly caller: Caller
  readonly format: TableFormat
  readonly text: 'none' | 'full'
  /** Only this table. */
  readonly only?: string
  readonly signal: AbortSignal
}

/** Makes tables of projects' calls for warehouses, one at a time and projects in turn: each takes an engine, and disk for its calls. */
export class TableExports {
  readonly #parts: TableExportsParts
  readonly #places = new FairSlots({
    what: 'exports of tables',
    places: 1,
    waitingOfKey: 2,
    waitingOfProject: 6,
    retryAfterSeconds: 10,
  })

  constructor(parts: TableExportsParts) {
    this.#parts = parts
  }

  /**
   * Writes the calls of the caller's scope; whoever asked removes the folder.
   * @throws Problem `busy` where too many of its key or project wait, and as exportCalls and writeCallTables
   */
  write({ caller, text, signal, ...order }: TableExportRequest): Promise<TablesFolder> {
    const { store, parent } = this.#parts
    return this.#places.run(requesterOf(caller), { signal }, async () => {
      const { lines } = await exportCalls(store, { caller, text, signal })
      try {
        return await writeCallTables(lines, { parent, text, signal, ...order })
      } finally {
        lines.destroy()
      }
    })
  }
}
