import type { Caller } from '../../access/caller.js'
import { InTurn } from '../../base/in-turn.js'
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

/** Makes tables of projects' calls for warehouses, one project at a time: each takes an engine, and disk for its calls. */
export class TableExports {
  readonly #parts: TableExportsParts
  readonly #turns = new InTurn()

  constructor(parts: TableExportsParts) {
    this.#parts = parts
  }

  /** Writes the calls of the caller's scope; whoever asked removes the folder. @throws Problem as exportCalls and writeCallTables */
  write({ caller, text, signal, ...order }: TableExportRequest): Promise<TablesFolder> {
    const { store, parent } = this.#parts
    return this.#turns.run(async () => {
      signal.throwIfAborted()
      const { lines } = await exportCalls(store, { caller, text, signal })
      try {
        return await writeCallTables(lines, { parent, text, signal, ...order })
      } finally {
        lines.destroy()
      }
    })
  }
}
