import { resolve } from 'node:path'
import { loadConfig } from '../config.js'
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
    const { config } = loadConfig(globalFlags(args))
    const dataDir = resolve(config.dataDir)
    // The engine is loaded when it is needed: help and completion do without.
    const { compactStore } = await import('../store/duckdb/compact-store.js')
    const { expectedStore } = await import('../service/expected-store.js')
    let bar: Progress | undefined
    try {
      const report = await compactStore({
        dataDir,
        memoryLimit: `${Math.floor(config.memoryLimit / 1024)}KiB`,
        threads: config.threads,
        expected: await expectedStore(dataDir),
        onProgress: ({ copied, total }) => {
          bar ??= startProgress('Copying', 'rows', total)
          bar.update(copied)
        },
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
