import type { Flags } from '../config.js'
import { textOption } from './text-option.js'

/** Options every command has. */
export const globalOptions = {
  'data-dir': { ...textOption('Directory of the store'), global: true },
  'log-level': { ...textOption('fatal, error, warn, info, debug, trace or silent'), global: true },
  json: { type: 'boolean', default: false, description: 'Print the result as one line of JSON', global: true },
} as const

/** The global options as yargs hands them to a command. */
export interface GlobalArguments {
  readonly dataDir?: string | undefined
  readonly logLevel?: string | undefined
  readonly json: boolean
}

/** The settings among the global options. */
export function globalFlags({ dataDir, logLevel }: GlobalArguments): Flags {
  return { dataDir, logLevel }
}
