import { resolve } from 'node:path'
import { backupLines } from './backup/backup-lines.js'
import { defineCommand } from './define-command.js'
import { globalFlags } from './global-options.js'
import { print } from './print.js'
import { type Progress, startProgress } from './progress.js'
import { withOperations } from './with-operations.js'

/** `earshot backup`: a copy of everything, also while the server runs. */
export const backupCommand = defineCommand({
  command: 'backup <directory>',
  describe: 'Copy everything into an empty directory, also while the server runs',
  builder: yargs =>
    yargs
      .positional('directory', { type: 'string', demandOption: true, description: 'A new or empty directory' })
      .option('max-pause', {
        type: 'number',
        default: 300,
        description: 'Longest time in seconds, 1 to 3600, in which calls may be asked for but not written',
      })
      .example('$0 backup /backups/earshot-2026-11-21', ''),
  handler: async args => {
    const directory = resolve(args.directory)
    let bar: Progress | undefined
    try {
      const report = await withOperations(globalFlags(args), operations =>
        operations.backup(directory, args.maxPause, ({ copied, total }) => {
          bar ??= startProgress('Copying', 'bytes', total)
          bar.update(copied)
        }),
      )
      bar?.stop()
      await print(args.json, report, () => backupLines(report))
    } finally {
      bar?.stop()
    }
  },
})
