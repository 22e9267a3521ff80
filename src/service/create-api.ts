import { trustedProxies } from '../access/client-address.js'
import { addConsole } from '../console/add-console.js'
import { consoleFiles } from '../console/console-files.js'
import { isSafeAddress } from '../oauth/addresses.js'
import { type ApiEntrance, apiServerDefaults, type ApiServerParts } from '../rest/api-server-parts.js'
import { type ApiServer, createApiServer } from '../rest/create-api-server.js'
import { operations } from '../operations/operations.js'
import { allowedHosts } from './allowed-hosts.js'
import type { ListenerParts } from './listener-parts.js'
import { publicApiUrl } from './public-api-url.js'

/** The API listener over the parts of this service: what is described to users. */
export function createApi(parts: ListenerParts): Promise<ApiServer> {
  const described = operations.filter(({ summary }) => summary !== undefined)
  const api = apiParts(parts, 'rest', parts.gate)
  const settings = { ...api.settings, inboundBytes: parts.config.maxImportLineBytes }
  return createApiServer({ ...api, settings, certificate: parts.certificate, console: consoleOf(parts) }, described)
}

/** The pages for people, where they are on. */
function consoleOf({
  admission,
  answering,
  company,
  config,
  gate,
  installation,
  log,
  sessions,
}: ListenerParts): ApiServerParts['console'] {
  if (sessions === undefined) return undefined
  const { trail, keys, store } = installation
  keys.onChange(({ keyId, kind }) => {
    if (kind !== 'changed') sessions.endAllOf(keyId)
  })
  const isTrustedProxy = trustedProxies(config.trustedProxies ?? [])
  const files = consoleFiles()
  const recordingOrigins = config.recordingHosts ?? []
  const signIn = company !== undefined &&
    isSafeAddress(publicApiUrl(config)) && {
      signIn: company,
      publicUrl: publicApiUrl(config),
      personMs: config.ssoMaxAge,
      administratorMs: Math.min(config.ssoMaxAge, config.adminJwtMaxLifetime),
    }
  const live = { answering, counts: store.counts, pages: admission.livePages, log }
  return app =>
    addConsole(app, {
      ...live,
      gate,
      sessions,
      trail,
      files,
      isTrustedProxy,
      recordingOrigins,
      company: signIn || undefined,
    })
}

/** What the API listener and the control socket have in common. */
export function apiParts(
  { admission, config, log, installation, services, metrics, version }: ListenerParts,
  transport: 'rest' | 'control',
  gate: ApiEntrance,
): ApiServerParts {
  const { keys, trail } = installation
  return {
    gate,
    admission,
    keys,
    services,
    trail,
    metrics,
    meter: metrics,
    transport,
    log: log.child({ listener: transport === 'rest' ? 'api' : 'control' }),
    version,
    settings: {
      ...apiServerDefaults,
      allowedHosts: allowedHosts(config, config.host),
      allowedOrigins: config.allowedOrigins ?? [],
      corsOrigins: config.corsOrigins ?? [],
      publicUrl: publicApiUrl(config),
      maxBodyBytes: config.maxBodyBytes,
      maxHeaderBytes: config.maxHeaderBytes,
      maxConnections: config.maxConnections,
      maxPathParameter: config.maxPathParameter,
      ...(config.trustedProxies === undefined ? {} : { trustedProxies: config.trustedProxies }),
    },
  }
}
