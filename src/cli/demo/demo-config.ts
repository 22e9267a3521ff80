import { type Config, type Flags, loadConfig, operatorsDirectory } from '../../config.js'

const DATA_DIR = './demo-data'

/**
 * The configuration of the demo: the tool server on, a directory of its own, and admin tokens by its own secret, since a
 * demo mints one itself and replaces the secret with the key.
 */
export function demoConfig(flags: Flags): { readonly config: Config; readonly warnings: readonly string[] } {
  const { config, warnings } = loadConfig({ ...flags, dataDir: flags.dataDir ?? DATA_DIR, mcpEnabled: '1' })
  const own = { adminJwtSecret: undefined, adminJwksUrl: undefined } as const
  const demo: Config = { ...config, ...own }
  // Sample calls do not go where somebody's own are.
  const isPassedOver = flags.dataDir === undefined && operatorsDirectory() !== ''
  const passedOver = `The demo keeps its sample calls in ${DATA_DIR}, not where EARSHOT_DATA_DIR says; --data-dir names another directory`
  return { config: Object.freeze(demo), warnings: isPassedOver ? [...warnings, passedOver] : warnings }
}
