import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { builtFolder } from '../base/built-folder.js'
import { isAuditor } from '../access/scope-of.js'
import { GRANT_MS, isSafeAddress } from '../oauth/addresses.js'
import { ClientDocuments } from '../oauth/client-documents.js'
import { OAuthEndpoints } from '../oauth/oauth-endpoints.js'
import type { Heard } from '../oauth/pages.js'
import { SecretBox } from '../base/secret-box.js'
import { sealedSessionIds } from '../mcp/session-ids.js'
import { createToolServer, type ToolServer } from '../mcp/tool-server.js'
import { toolServerDefaults } from '../mcp/tool-server-parts.js'
import { auditedAnswering } from '../questions/audited-answering.js'
import { measuredAnswering } from '../questions/measured-answering.js'
import { prompts } from '../questions/prompts/prompts.js'
import { queryUserActivity } from '../questions/query-user-activity.js'
import { questions } from '../questions/questions.js'
import { keyAsSeen, type SeenByKey } from '../questions/key-as-seen.js'
import { resources } from '../questions/resources/resources.js'
import { isLoopback } from '../config/read.js'
import { keyViewOf } from '../store/records/key.js'
import { allowedHosts } from './allowed-hosts.js'
import { instructions } from './instructions.js'
import type { ListenerParts } from './listener-parts.js'

/** Where clients sign in with the address alone: under a public address that is safe, or on this machine. */
function signIn({ company, config, gate, installation, answering, log }: ListenerParts): OAuthEndpoints | undefined {
  const { publicUrl } = config
  if (!config.oauth) return undefined
  if (!isSafeAddress(publicUrl)) {
    log.warn('Clients can sign in only under an address with https: EARSHOT_PUBLIC_URL has none, so they need a key')
    return undefined
  }
  if (publicUrl === undefined && !isLoopback(config.mcpHost)) {
    log.info(
      'Clients can sign in only where they call this service localhost or 127.0.0.1, at whatever port; for others set EARSHOT_PUBLIC_URL to the https address that they use',
    )
  }
  const { keys, connections, trail } = installation
  const audited = auditedAnswering(answering, trail, 'mcp')
  return new OAuthEndpoints({
    gate,
    keys,
    trail,
    connections,
    company,
    documents:
      config.oauthClientDocuments === undefined
        ? undefined
        : new ClientDocuments({ hosts: config.oauthClientDocuments.map(host => host.toLowerCase()) }),
    holdsMs: ({ issuer }) => (issuer === undefined ? GRANT_MS : config.ssoMaxAge),
    publicUrl,
    cookieSecret: randomBytes(32).toString('base64url'),
    log: log.child({ listener: 'mcp' }),
    heardBy: async (key, requestId) =>
      heardWords(await keyAsSeen({ answering: audited, keys }, keyViewOf(key), { requestId })),
  })
}

/** What a key hears, in words for whoever is to let a client hear it. */
function heardWords({ key, scope }: SeenByKey): Heard {
  if (scope === undefined) throw new Error('a key that is not accepted got as far as this')
  const { hears, agents, agents_total: total = agents.length, calls, tools } = scope
  const audits = isAuditor(key)
  const named = total > MOST_NAMED ? `${total} agents` : agents.map(one => one.agent_name).join(', ')
  return {
    name: key.name,
    isPerson: key.kind === 'person',
    text: hears === 'groups' || audits ? 'none' : (key.text ?? 'full'),
    trail: audits ? 'alone' : tools.includes(queryUserActivity.name) ? 'beside' : 'untold',
    project: scope.project.name,
    agents: hears === 'agents' ? named : HEARD[hears],
    calls: calls?.toLocaleString('en') ?? (hears === 'groups' ? 'groups of calls only' : 'not counted'),
    offered: agents.map(one => one.agent_name),
    notOffered: total - agents.length,
  }
}

const HEARD = { full_project: 'all of the project', groups: 'all of the project', nothing: 'none' } as const

const MOST_NAMED = 12

/** The tool server over the parts of this service. */
export async function createTools(parts: ListenerParts): Promise<ToolServer> {
  const { config, log, installation, admission, gate, answering, metrics, name, version, ready } = parts
  const oauth = signIn(parts)
  const { shared, secrets } = installation
  const sessionIds =
    shared && sealedSessionIds({ box: new SecretBox(await secrets.get('mcpSessions')), ended: shared.endedSessions })
  return createToolServer({
    ...(sessionIds && { sessionIds }),
    questions,
    resources,
    prompts,
    viewPage: readFileSync(join(builtFolder('views', 'view.html'), 'view.html'), 'utf8'),
    // Measured around audited: what a caller waits for is what is counted. There is no other way to a question.
    answering: measuredAnswering(auditedAnswering(answering, installation.trail, 'mcp'), metrics, 'mcp'),
    trail: installation.trail,
    meter: metrics,
    gate,
    admission,
    keys: installation.keys,
    ...(oauth === undefined ? {} : { oauth }),
    log: log.child({ listener: 'mcp' }),
    certificate: parts.certificate,
    ready,
    settings: {
      ...toolServerDefaults,
      name,
      version,
      instructions,
      allowedHosts: allowedHosts(config, config.mcpHost),
      allowedOrigins: config.allowedOrigins ?? [],
      ...(config.trustedProxies === undefined ? {} : { trustedProxies: config.trustedProxies }),
      maxHeaderBytes: config.maxHeaderBytes,
      maxConnections: config.maxConnections,
      maxBodyBytes: config.maxBodyBytes,
      resultBytes: config.maxResultBytes,
      maxSessionsPerKey: config.maxSessionsPerKey,
      sessionIdleMs: config.sessionIdle,
    },
  })
}
