import type { Client } from '../control/client.js'
import { connect } from '../control/connect.js'
import { type Config, type Flags, loadCommandConfig } from '../config.js'
import { createLog } from '../log.js'
import type { LocalClientOptions } from '../service/open-local-client.js'
import { version } from './version.js'

/**
 * Runs a command's work on what is kept. While a server holds the store the work goes through its control socket, else
 * on the store itself; the command can't tell. The one way from commands to what is kept.
 */
export async function withClient<T>(
  flags: Flags,
  work: (client: Client, config: Config) => Promise<T>,
  options: LocalClientOptions = {},
): Promise<T> {
  // A command's own output says what happened: its log starts at warnings, unless asked for more.
  const { config, warnings } = loadCommandConfig(flags)
  const log = createLog({ level: flags.logLevel ?? 'warn', format: config.logFormat })
  for (const warning of warnings) log.warn(warning)
  const client = await connect({
    dataDir: config.dataDir,
    version,
    // The engine is loaded when it is needed: help, completion, and a running server do without.
    openLocal: async () =>
      (await import('../service/open-local-client.js')).openLocalClient(config, log, version, options),
  })
  try {
    return await work(client, config)
  } finally {
    await client.close()
  }
}
