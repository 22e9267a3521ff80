import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { makeDirectory } from '../../base/make-directory.js'
import { Problem } from '../../base/problem.js'
import { syncDirectory } from '../../base/sync-directory.js'
import { type TableFormat, tableFiles } from '../../store/duckdb/tables/call-tables.js'
import { type WrittenTable, writeCallTables } from '../../store/duckdb/tables/write-call-tables.js'
import { type CallsOrder, callLines, endOf } from './write-export.js'

interface TablesOrder extends Omit<CallsOrder, 'query'> {
  /** The folder they go to; made when it is not there. */
  readonly folder: string
  readonly format: TableFormat
  readonly text: 'full' | 'none'
  /** Whether tables that are there are replaced. */
  readonly replace: boolean
}

/** Tables in their place. */
type Tables = readonly Omit<WrittenTable, 'path'>[]

/**
 * Writes a project's calls as tables into a folder of its owner's, each file whole or not at all.
 * @throws Problem `conflict` when tables are there; as an export otherwise
 */
export async function writeTables(order: TablesOrder): Promise<Tables> {
  const folder = resolve(order.folder)
  const { client, project, format, text, signal, replace } = order
  const there = tableFiles().filter(file => existsSync(join(folder, file)))
  if (there.length > 0 && !replace) {
    throw new Problem('conflict', `There are tables in ${order.folder} already (${there[0]}); --force replaces them`)
  }
  const read = { calls: 0, bytes: 0 }
  const lines = callLines({ client, project, query: { text }, signal }, read)
  const made = await writeCallTables(lines, { parent: dirname(folder), format, text, signal }).catch(
    (error: unknown) => {
      throw endOf(error, signal, read.calls)
    },
  )
  try {
    await makeDirectory(folder)
    const files = made.tables.map(({ path }) => basename(path))
    for (const file of files) await rename(join(made.folder, file), join(folder, file))
    for (const file of there) if (!files.includes(file)) await rm(join(folder, file))
    await syncDirectory(folder)
  } finally {
    await rm(made.folder, { recursive: true, force: true })
  }
  return made.tables.map(({ name, rows, bytes }) => ({ name, rows, bytes }))
}

/** What tables came to, for a reader. */
export function tablesLines({ project_id: project, folder, tables }: TablesReport): string {
  const rows = tables.map(({ name, rows: count, bytes }) => `  ${name}: ${count} rows, ${bytes} bytes\n`)
  return `The calls of project ${project} are in ${folder}, as ${tables.length} tables:\n${rows.join('')}`
}

interface TablesReport {
  readonly project_id: string
  readonly folder: string
  readonly tables: Tables
}
