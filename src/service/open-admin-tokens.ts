import type { Logger } from 'pino'
import { AdminTokens } from '../access/admin-tokens.js'
import type { Config } from '../config.js'
import { adminSecret } from './admin-secret.js'

/** How admin tokens are verified: by an identity provider's key set when one is configured, else by the secret. */
export async function openAdminTokens(config: Config, log: Logger): Promise<AdminTokens> {
  const options = { maxLifetimeS: Math.floor(config.adminJwtMaxLifetime / 1000), log }
  const { adminJwksUrl, adminJwtIssuer, adminJwtAudience } = config
  if (adminJwksUrl === undefined) return AdminTokens.withSecret(await adminSecret(config), options)
  if (adminJwtIssuer === undefined || adminJwtAudience === undefined) {
    throw new Error('a key set without issuer and audience passed the configuration')
  }
  const rules = { ...options, issuer: adminJwtIssuer, audience: adminJwtAudience }
  return AdminTokens.withKeySet(new URL(adminJwksUrl), rules)
}
