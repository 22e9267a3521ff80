import { mintAdminToken } from '../../access/mint-admin-token.js'
import type { Config } from '../../config.js'
import { adminSecret } from '../../service/admin-secret.js'
import { DEMO_PROJECT } from './demo-project.js'

const HOUR_S = 3_600

/** Mints the admin token of this start, for an hour. */
export async function mintDemoToken(config: Config): Promise<string> {
  return mintAdminToken(await adminSecret(config), {
    subject: 'demo',
    role: 'SuperAdmin',
    projectId: DEMO_PROJECT,
    lifetimeS: Math.min(HOUR_S, Math.floor(config.adminJwtMaxLifetime / 1000)),
  })
}
