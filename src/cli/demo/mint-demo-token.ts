import { rm } from 'node:fs/promises'
import { mintAdminToken } from '../../access/mint-admin-token.js'
import type { Config } from '../../config.js'
import { adminSecret, adminSecretPath } from '../../service/admin-secret.js'
import { DEMO_PROJECT } from './demo-project.js'

/**
 * Mints the admin token of this start under a new secret, which ends those of the starts before: a signed token can't be
 * revoked singly. To be called before the service reads the secret.
 */
export async function mintDemoToken(config: Config): Promise<string> {
  await rm(adminSecretPath(config.dataDir), { force: true })
  return mintAdminToken(await adminSecret(config), {
    subject: 'demo',
    role: 'SuperAdmin',
    projectId: DEMO_PROJECT,
    // As long as it may be: whoever tries things out should not have to mint another one.
    lifetimeS: Math.floor(config.adminJwtMaxLifetime / 1000),
  })
}
