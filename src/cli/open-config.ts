import type { Logger } from 'pino'
import { type Config, type Flags, loadConfig } from '../config.js'
import { createLog } from '../log.js'
import { logMemory } from './log-memory.js'

/**
 * The configuration of a server and the log it asks for, with a warning in it for each variable that means nothing, and for
 * memory that the process may not have.
 */
export function openConfig(flags: Flags): { readonly config: Config; readonly log: Logger } {
  const { config, warnings } = loadConfig(flags)
  const log = createLog({ level: config.logLevel, format: config.logFormat })
  for (const warning of warnings) log.warn(warning)
  logMemory(config, log)
  return { config, log }
}
