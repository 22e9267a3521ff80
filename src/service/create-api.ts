import { type ApiEntrance, apiServerDefaults, type ApiServerParts } from '../rest/api-server-parts.js'
import { type ApiServer, createApiServer } from '../rest/create-api-server.js'
import { operations } from '../operations/operations.js'
import { allowedHosts } from './allowed-hosts.js'
import type { ListenerParts } from './listener-parts.js'

/** The API listener over the parts of this service: what is described to users. */
export function createApi(parts: ListenerParts): Promise<ApiServer> {
  const described = operations.filter(({ summary }) => summary !== undefined)
  return createApiServer(apiParts(parts, 'rest', parts.gate), described)
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
      ...(config.publicUrl === undefined ? {} : { publicUrl: config.publicUrl.replace(/\/+$/, '') }),
      maxBodyBytes: config.maxBodyBytes,
      maxHeaderBytes: config.maxHeaderBytes,
      maxConnections: config.maxConnections,
      maxPathParameter: config.maxPathParameter,
      ...(config.trustedProxies === undefined ? {} : { trustedProxies: config.trustedProxies }),
    },
  }
}
