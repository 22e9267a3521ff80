import { resolve } from 'node:path'
import { loadCommandConfig } from '../config.js'
import { elsewhere, isEmbedded } from '../service/elsewhere.js'
import { defineCommand } from './define-command.js'
import { globalFlags } from './global-options.js'
import { print } from './print.js'
import { type Progress, startProgress } from './progress.js'
import { textOption } from './text-option.js'

/** `earshot restore`: a backup into an empty data directory. */
export const restoreCommand = defineCommand({
  command: 'restore <directory>',
  describe: 'Put a backup into an empty data directory',
  builder: yargs =>
    yargs
      .positional('directory', { type: 'string', demandOption: true, description: 'A directory that backup made' })
      .option('identity', textOption('File with the identity of age that opens a sealed backup'))
      .option('signed-by', textOption('Refuse it unless this key signed it, as backup said'))
      .example('$0 restore /backups/earshot-2026-11-21 --data-dir /var/lib/earshot-restored', ''),
  handler: async args => {
    const { config } = loadCommandConfig(globalFlags(args))
    if (!isEmbedded(config)) throw elsewhere('restore')
    // The engine is loaded when it is needed: help and completion do without.
    const { restoreBackup } = await import('../backup/restore-backup.js')
    let bar: Progress | undefined
    try {
      const report = await restoreBackup({
        directory: resolve(args.directory),
        dataDir: resolve(config.dataDir),
        identityFile: args.identity,
        signedBy: args.signedBy,
        onProgress: ({ copied, total }) => {
          bar ??= startProgress('Copying', 'bytes', total)
          bar.update(copied)
        },
      })
      bar?.stop()
      await print(args.json, report, () => {
        const { data_dir: place, calls, files, bytes, created_at: at, signed_by: signer } = report
        const signed = signer === undefined ? 'It was not signed.' : `It was signed by ${signer}.`
        return `${calls} calls and all else of ${at} are in ${place} (${files} files, ${bytes} bytes), checked against their hashes and counts. ${signed}\nCalls that were erased after that backup are back: erase them again. Keys, people and teams are what they were then: revoke and narrow again what was since.\n`
      })
    } finally {
      bar?.stop()
    }
  },
})
