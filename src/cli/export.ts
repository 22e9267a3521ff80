import { defineCommand } from './define-command.js'
import { exportLines } from './export/export-lines.js'
import { openOutput } from './export/open-output.js'
import { EXPORT_PARTS, writeExport } from './export/write-export.js'
import { tablesLines, writeTables } from './export/write-tables.js'
import { CALL_LINES } from '../questions/export/export-calls.js'
import { TABLE_FORMATS } from '../store/duckdb/tables/call-tables.js'
import { globalFlags } from './global-options.js'
import { showDash } from './import/standard-input.js'
import { print } from './print.js'
import { projectOption } from './project-option.js'
import { UsageError } from './usage-error.js'
import { untilInterrupted } from './until-signal.js'
import { withClient } from './with-client.js'

/** `earshot export`: everything of a project, as the import takes it again. */
export const exportCommand = defineCommand({
  command: 'export [file]',
  describe: 'Write everything of a project as NDJSON that can be imported again',
  builder: yargs =>
    yargs
      .positional('file', {
        type: 'string',
        description:
          'File to make; a name that ends in .gz is compressed (default, and -: standard output). Of tables, the folder they go to',
      })
      .options({
        ...projectOption,
        only: {
          choices: EXPORT_PARTS,
          requiresArg: true,
          description: 'calls: a call record a line and nothing else; settings: all but calls and feedback',
        },
        format: {
          choices: [...CALL_LINES, ...TABLE_FORMATS],
          default: 'records' as const,
          requiresArg: true,
          description:
            'records: as import takes them; vcon: the calls alone, each as a vCon (IETF draft), one a line; parquet, csv: tables of the calls for warehouses',
        },
        text: {
          choices: ['full', 'none'] as const,
          default: 'full' as const,
          requiresArg: true,
          description: 'none: the calls alone, without what was said and who customers are',
        },
        force: { type: 'boolean', default: false, description: 'Replace the file if it is there' },
      })
      .example('$0 export shop.ndjson.gz --project shop', 'elsewhere: earshot project create shop, then earshot import')
      .example('$0 export shop.vcon.ndjson --format vcon --project shop', 'for other products')
      .example('$0 export tables --format parquet --project shop', 'for a warehouse')
      .example('$0 export --only calls --project shop | jq -r .session_id', '')
      .epilogue(
        'Everything is the settings, all versions of the rubric, the knowledge base, calls, feedback, alerts, webhooks and tasks. Not in it: keys and the secrets of webhooks (made anew), the audit trail, what became of deliveries, task runs and reports, which calls were erased, and how lift was fitted. "earshot backup" keeps those.',
      ),
  takesEmpty: true,
  handler: async args => {
    const { format, text, project } = args
    const [named = ''] = showDash([args.file ?? ''])
    const file = named === '' || named === '-' ? undefined : named
    const isWhole = format === 'records' && text === 'full'
    if (!isWhole && args.only === 'settings') {
      throw new UsageError(
        `Settings are no calls: ${format === 'records' ? '--text none' : `--format ${format}`} takes --only calls`,
      )
    }
    const only = isWhole ? args.only : 'calls'
    const stop = new AbortController()
    const { signal } = stop
    void untilInterrupted().then(() => stop.abort())
    if (format === 'parquet' || format === 'csv') {
      const folder = file
      if (folder === undefined) throw new UsageError('Tables are several files: name the folder they go to')
      const tables = await withClient(globalFlags(args), client =>
        writeTables({ client, project, folder, format, text, replace: args.force, signal }),
      )
      const report = { project_id: project, folder, tables }
      await print(args.json, report, () => tablesLines(report))
      return
    }
    const output = await openOutput(file, args.force)
    try {
      const { unreadable, ...written } = await withClient(globalFlags(args), client =>
        writeExport({ client, project, only, query: { format, text }, signal }, output.stream),
      )
      await output.finish()
      for (const { version, reason } of unreadable) {
        process.stderr.write(`Version ${version} of the rubric is in the export as it was set. ${reason}\n`)
      }
      // Standard output is the export itself then.
      if (file === undefined) return
      const report = {
        project_id: project,
        file,
        ...written,
        ...(unreadable.length > 0 && { unreadable }),
      }
      await print(args.json, report, () => exportLines(report))
    } finally {
      await output.discard()
    }
  },
})
