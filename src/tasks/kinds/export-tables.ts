import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { basename, posix } from 'node:path'
import { z } from 'zod'
import { callerOfOperator } from '../../access/caller-of.js'
import { TABLE_FORMATS, tableFiles } from '../../store/duckdb/tables/call-tables.js'
import { folderName } from '../folders/folder-name.js'
import { taskKind } from '../task-kind.js'

const parameters = z.strictObject({
  folder: folderName.default('tables'),
  format: z.enum(TABLE_FORMATS).default('parquet'),
  text: z
    .enum(['full', 'none'])
    .default('none')
    .meta({ description: 'full: with what was said, and who customers are' }),
})

/** Tables of all calls for a warehouse, in place of those of the run before: a call that was erased since is not in them. */
export const exportTables = taskKind({
  name: 'export_tables',
  title: 'Write the calls as tables for a warehouse, in place of those of the run before',
  parameters,
  isHere: (_, { reports }) => reports.isSet,
  check: async ({ folder }, { services, project }) => {
    await services.reports.folder(project.project_id, folder)
  },
  run: async ({ folder: name, format, text }, { services, project, signal }) => {
    const folder = await services.reports.folder(project.project_id, name)
    const caller = callerOfOperator(project.project_id)
    const made = await services.tableExports.write({ caller, format, text, signal })
    try {
      for (const { path } of made.tables) {
        signal.throwIfAborted()
        await folder.write(basename(path), createReadStream(path))
      }
      // Those of another format, or with the texts that are left out by now.
      const written = new Set(made.tables.map(({ path }) => basename(path)))
      for (const file of tableFiles()) if (!written.has(file)) await folder.removeIfThere(file)
    } finally {
      await rm(made.folder, { recursive: true, force: true })
    }
    const rows = Object.fromEntries(made.tables.map(table => [table.name, table.rows]))
    const files = made.tables.map(({ path }) => posix.join(folder.name, basename(path)))
    const bytes = made.tables.reduce((sum, table) => sum + table.bytes, 0)
    return {
      summary: `${rows['calls'] ?? 0} calls written as ${files.length} tables to ${folder.name} (${bytes} bytes)`,
      result: { rows, files, bytes },
    }
  },
})
