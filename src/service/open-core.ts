import type { Logger } from 'pino'
import { AdminTokens } from '../access/admin-tokens.js'
import { ConsoleSessions } from '../access/console-sessions.js'
import { FAILURES, Gate } from '../access/gate.js'
import type { Admission } from '../admission/admission.js'
import type { Config } from '../config.js'
import { CompanySignIn } from '../oauth/company-sign-in.js'
import { loadSsoMapping } from '../oauth/sso-mapping.js'
import { adminSecret } from './admin-secret.js'
import { openAnswering } from './open-answering.js'
import type { Installation } from './open-installation.js'
import { openKnowledge } from './open-knowledge.js'
import { openModel } from './open-model.js'
import type { StoreFollower } from './store-follower.js'

interface Given {
  readonly installation: Installation
  readonly config: Config
  readonly log: Logger
  readonly admission: Admission
  readonly others: StoreFollower | undefined
  readonly catchUp: () => Promise<void>
}

/** What both listeners share: who is asking, and how questions are answered. */
export async function openCore({ installation, config, log, admission, others, catchUp }: Given) {
  const adminTokens = await openAdminTokens(config, log)
  const sessions = config.consoleEnabled ? new ConsoleSessions(admission.consoleSessions) : undefined
  const gate = new Gate({
    keys: installation.keys,
    connections: installation.connections,
    adminTokens,
    projects: installation.projects,
    rate: admission.rate,
    failures: admission.rateLimit(config.authFailuresPerMinute, FAILURES),
    metricsToken: config.metricsToken,
    sessions,
    others,
  })
  const knowledge = await openKnowledge(installation, config, log)
  const answering = await openAnswering(installation, config, catchUp, knowledge, admission)
  const models = await openModel(config, installation.store)
  return {
    gate,
    sessions,
    company: companySignIn(config, installation.keys, sessions, log),
    answering,
    knowledge,
    models,
  }
}

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

/** @throws Problem for a mapping that can't be read */
function companySignIn(
  config: Config,
  keys: Installation['keys'],
  sessions: ConsoleSessions | undefined,
  log: Logger,
): CompanySignIn | undefined {
  const { ssoIssuer: issuer, ssoClientId: clientId, ssoMapping: file, ssoClientSecret: clientSecret } = config
  if (issuer === undefined || clientId === undefined || file === undefined) return undefined
  const settings = { issuer, clientId, clientSecret, scopes: config.ssoScopes, mapping: loadSsoMapping(file) }
  return new CompanySignIn({ settings, keys, sessions, log })
}
