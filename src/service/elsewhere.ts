import { Problem } from '../base/problem.js'
import type { Config } from '../config.js'

/** Whether the configuration names the store of the data directory. */
export const isEmbedded = ({ storeUrl }: Pick<Config, 'storeUrl'>): boolean => storeUrl === 'duckdb:'

/** Why a command for the files of a data directory does nothing where the store is elsewhere. @param command what was asked for */
export const elsewhere = (command: string): Problem =>
  new Problem(
    'not_configured',
    `"earshot ${command}" is for the store of a data directory. EARSHOT_STORE_URL names a server, which has tools of its own for that`,
  )
