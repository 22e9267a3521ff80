import { generatedSecrets, type GivenSecrets, givenSecrets, type Secrets } from '../access/secrets.js'
import type { Config } from '../config.js'
import { isEmbedded } from './elsewhere.js'

/** What of the configuration says where they are. */
export type SecretsConfig = Pick<Config, 'storeUrl' | 'dataDir'> & GivenSecrets

/** Where the secrets of the configured installation are: those of many processes come from outside. */
export function secretsOf(config: SecretsConfig): Secrets {
  return isEmbedded(config) ? generatedSecrets(config.dataDir) : givenSecrets(config)
}
