import { pipeline } from 'node:stream/promises'
import { openOutput } from '../export/open-output.js'
import { defineCommand } from '../define-command.js'
import { globalFlags } from '../global-options.js'
import { print } from '../print.js'
import { withOperations } from '../with-operations.js'
import { entryLine } from './project-entries.js'
import { readProject } from './read-project.js'

/** `earshot project export`: what belongs to a project beside its calls, for `project import`. */
export const projectExportCommand = defineCommand({
  command: 'export <project_id> [file]',
  describe: 'Write settings, rubric, knowledge base, alerts, webhooks and tasks as NDJSON',
  builder: yargs =>
    yargs
      .positional('project_id', { type: 'string', demandOption: true, description: 'Id of the project' })
      .positional('file', {
        type: 'string',
        description: 'File to make; a name that ends in .gz is compressed (default: standard output)',
      })
      .options({ force: { type: 'boolean', default: false, description: 'Replace the file if it is there' } })
      .example('$0 project export demo demo-project.ndjson', 'its calls: $0 export demo-calls.ndjson --project demo'),
  handler: async args => {
    const output = await openOutput(args.file, args.force)
    try {
      const entries = await withOperations(globalFlags(args), operations => readProject(operations, args.project_id))
      await pipeline(
        entries.map(entry => `${entryLine(entry)}\n`),
        output.stream,
      )
      await output.finish()
      // Standard output is the export itself then.
      if (args.file === undefined) return
      const report = { project_id: args.project_id, file: args.file, entries: entries.length }
      await print(
        args.json,
        report,
        () => `${report.entries} entries of project ${report.project_id} in ${report.file}.\n`,
      )
    } finally {
      await output.discard()
    }
  },
})
