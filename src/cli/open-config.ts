import type { Logger } from 'pino'
import { type Config, type Flags, loadConfig } from '../config.js'
import { createLog } from '../log.js'
import { logMemory } from './log-memory.js'
import { writtenInFuture } from './written-in-future.js'

/**
 * The configuration of a server and the log it asks for, with a warning in it for each variable that means nothing, and for
 * memory that the process may not have, and where the clock is behind what was written.
 */
export function openConfig(flags: Flags): { readonly config: Config; readonly log: Logger } {
  const { config, warnings } = loadConfig(flags)
  const log = createLog({ level: config.logLevel, format: config.logFormat })
  for (const warning of warnings) log.warn(warning)
  logMemory(config, log)
  const written = writtenInFuture(config.dataDir, Date.now())
  if (written !== undefined) {
    log.warn(
      { written_last: new Date(written).toISOString() },
      'The clock is behind what was written here last: set it (timedatectl). Questions about the last days find nothing until then, and tokens end at other times',
    )
  }
  return { config, log }
}
