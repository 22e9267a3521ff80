import { openDoor } from '../control/open-door.js'
import { type Config, type Flags, loadCommandConfig } from '../config.js'
import { createLog } from '../log.js'
import type { LocalDoorOptions } from '../service/open-local-door.js'
import { Operations } from './operations/operations.js'
import { version } from './version.js'

/**
 * Runs a command's work on what is kept. While a server holds the store the work goes through its control socket, else
 * on the store itself; the command can't tell. The one way from commands to what is kept.
 */
export async function withOperations<T>(
  flags: Flags,
  work: (operations: Operations, config: Config) => Promise<T>,
  options: LocalDoorOptions = {},
): Promise<T> {
  // A command's own output says what happened: its log starts at warnings, unless asked for more.
  const { config, warnings } = loadCommandConfig(flags)
  const log = createLog({ level: flags.logLevel ?? 'warn', format: config.logFormat })
  for (const warning of warnings) log.warn(warning)
  const door = await openDoor({
    dataDir: config.dataDir,
    version,
    // The engine is loaded when it is needed: help, completion, and a running server do without.
    openLocal: async () => (await import('../service/open-local-door.js')).openLocalDoor(config, log, version, options),
  })
  try {
    return await work(new Operations(door), config)
  } finally {
    await door.close()
  }
}
