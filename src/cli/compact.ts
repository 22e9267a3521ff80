import { resolve } from 'node:path'
import { loadCommandConfig } from '../config.js'
import { createLog } from '../log.js'
import { defineCommand } from './define-command.js'
import { globalFlags } from './global-options.js'
import { print } from './print.js'
import { type Progress, startProgress } from './progress.js'

/** `earshot compact`: the store in a new file, free of what was erased. */
export const compactCommand = defineCommand({
  command: 'compact',
  describe: 'Rewrite the store without what was erased, while the server is stopped',
  builder: yargs => yargs.example('$0 compact --data-dir /var/lib/earshot', ''),
  handler: async args => {
    const flags = globalFlags(args)
    const { config } = loadCommandConfig(flags)
    const log = createLog({ level: flags.logLevel ?? 'warn', format: config.logFormat })
    // The engine is loaded when it is needed: help and completion do without.
    const { compactOnRecord } = await import('../service/compact-on-record.js')
    let bar: Progress | undefined
    try {
      const whole = { ...config, dataDir: resolve(config.dataDir) }
      const report = await compactOnRecord(whole, log, ({ copied, total }) => {
        bar ??= startProgress('Copying', 'rows', total)
        bar.update(copied)
      })
      bar?.stop()
      await print(args.json, report, () => {
        const { data_dir: place, calls, bytes_before: before, bytes_after: after } = report
        return `The store in ${place} is in a new file: ${calls} calls and all else, ${before} bytes before and ${after} now.\nNothing that was erased is left in it.\n`
      })
    } finally {
      bar?.stop()
    }
  },
})
