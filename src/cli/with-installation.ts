import { type Config, type Flags, loadConfig } from '../config.js'
import { createLog } from '../log.js'
import type { Installation } from '../service/open-installation.js'

/**
 * Runs a command's work on the installation, and closes it. While a server holds the store, this rejects with the
 * sentence that names the holder.
 */
export async function withInstallation<T>(
  flags: Flags,
  work: (installation: Installation, config: Config) => Promise<T>,
): Promise<T> {
  // A command's own output says what happened: its log starts at warnings, unless asked for more.
  const { config, warnings } = loadConfig(flags)
  const log = createLog({ level: flags.logLevel ?? 'warn', format: config.logFormat })
  for (const warning of warnings) log.warn(warning)
  // The engine is loaded when it is needed: help, completion and usage errors should not wait for it.
  const { openInstallation } = await import('../service/open-installation.js')
  const installation = await openInstallation(config, log)
  try {
    return await work(installation, config)
  } finally {
    await installation.close()
  }
}
