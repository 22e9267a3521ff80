import { join } from 'node:path'
import { makeDirectory } from '../base/make-directory.js'
import { SECRET_FILES } from '../access/secrets.js'
import { refuseForeignDirectory } from '../base/own-directory.js'
import type { Config } from '../config.js'
import { isEmbedded } from './elsewhere.js'
import { type SecretsConfig, secretsOf } from './secrets-of.js'

/** Where the generated secret of admin tokens is kept. */
export function adminSecretPath(dataDir: string): string {
  return join(dataDir, SECRET_FILES.adminTokens)
}

/** The secret of HS256 admin tokens: the configured one, or that of the installation. */
export async function adminSecret(config: SecretsConfig & Partial<Pick<Config, 'adminJwtSecret'>>): Promise<string> {
  if (config.adminJwtSecret !== undefined) return config.adminJwtSecret
  if (isEmbedded(config)) {
    await makeDirectory(config.dataDir)
    refuseForeignDirectory(config.dataDir)
  }
  return await secretsOf(config).get('adminTokens')
}
