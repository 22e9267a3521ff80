import { resolve } from 'node:path'
import { backUp } from '../operations/maintenance.js'
import { backupLines } from './backup/backup-lines.js'
import { defineCommand } from './define-command.js'
import { globalFlags } from './global-options.js'
import { print } from './print.js'
import { type Progress, startProgress } from './progress.js'
import { textOption } from './text-option.js'
import { withClient } from './with-client.js'

/** `earshot backup`: a copy of everything, also while the server runs. */
export const backupCommand = defineCommand({
  command: 'backup <directory>',
  describe: 'Copy everything into an empty directory, also while the server runs',
  builder: yargs =>
    yargs
      .positional('directory', { type: 'string', demandOption: true, description: 'A new or empty directory' })
      .option('max-copy', {
        // What it was called while writing stood still for it.
        alias: 'max-pause',
        type: 'number',
        default: 3_600,
        description: 'Longest time in seconds, 1 to 86400, that copying the store may take',
      })
      .option('recipient', textOption('Seal it to this public key of age (age1…): only its identity opens it'))
      .example('$0 backup /backups/earshot-2026-11-21', '')
      .example(
        '$0 backup /backups/monday --recipient age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p',
        '',
      ),
  handler: async args => {
    const directory = resolve(args.directory)
    let bar: Progress | undefined
    try {
      const report = await withClient(globalFlags(args), client =>
        client.run(
          backUp,
          {
            query: {
              directory,
              max_copy: args.maxCopy,
              ...(args.recipient !== undefined && { recipient: args.recipient }),
            },
          },
          {
            onProgress: ({ copied, total }) => {
              bar ??= startProgress('Copying', 'bytes', total)
              bar.update(copied)
            },
          },
        ),
      )
      bar?.stop()
      await print(args.json, report, () => backupLines(report))
    } finally {
      bar?.stop()
    }
  },
})
