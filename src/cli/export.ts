import { defineCommand } from './define-command.js'
import { exportLines } from './export/export-lines.js'
import { openOutput } from './export/open-output.js'
import { writeLines } from './export/write-lines.js'
import { globalFlags } from './global-options.js'
import { print } from './print.js'
import { projectOption } from './project-option.js'
import { untilSignal } from './until-signal.js'
import { withOperations } from './with-operations.js'

/** `earshot export`: every call of a project, as the import takes them again. */
export const exportCommand = defineCommand({
  command: 'export [file]',
  describe: 'Write every call of a project as NDJSON that can be imported again',
  builder: yargs =>
    yargs
      .positional('file', {
        type: 'string',
        description: 'File to make; a name that ends in .gz is compressed (default: standard output)',
      })
      .options({
        ...projectOption,
        force: { type: 'boolean', default: false, description: 'Replace the file if it is there' },
      })
      .example('$0 export calls.ndjson.gz --project demo', '')
      .example('$0 export --project demo | jq -r .session_id', '')
      .example('$0 project export demo project.ndjson', 'what else belongs to the project'),
  handler: async args => {
    const output = await openOutput(args.file, args.force)
    try {
      const stop = new AbortController()
      void untilSignal().then(() => stop.abort())
      const written = await withOperations(globalFlags(args), async operations =>
        writeLines(await operations.export(args.project), output.stream, stop.signal),
      )
      await output.finish()
      // Standard output is the export itself then.
      if (args.file === undefined) return
      const report = { project_id: args.project, file: args.file, ...written }
      await print(args.json, report, () => exportLines(report))
    } finally {
      await output.discard()
    }
  },
})
