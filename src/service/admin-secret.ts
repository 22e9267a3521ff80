import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { secretFile } from '../access/secret-file.js'
import { refuseForeignDirectory } from '../base/own-directory.js'
import type { Config } from '../config.js'

/** Where the generated secret of admin tokens is kept. */
export function adminSecretPath(dataDir: string): string {
  return join(dataDir, 'admin-jwt.secret')
}

/** The secret of HS256 admin tokens: the configured one, or one generated in the data directory on first use. */
export async function adminSecret(config: Config): Promise<string> {
  if (config.adminJwtSecret !== undefined) return config.adminJwtSecret
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 })
  refuseForeignDirectory(config.dataDir)
  return secretFile(adminSecretPath(config.dataDir))
}
