import { questions } from '../questions/questions.js'
import { apiServerDefaults } from '../rest/api-server-parts.js'
import { type ApiServer, createApiServer } from '../rest/create-api-server.js'
import { allowedHosts } from './allowed-hosts.js'
import type { ListenerParts } from './listener-parts.js'

/** The API listener over the parts of this service. */
export function createApi({ config, log, installation, gate, trail, name, ready }: ListenerParts): Promise<ApiServer> {
  const { keys, projects } = installation
  return createApiServer({
    gate,
    keys,
    projects,
    trail,
    log: log.child({ listener: 'api' }),
    ready,
    health: () => ({ status: 'ok', server: name, tools: questions.length, auth_cache_size: keys.size }),
    settings: {
      ...apiServerDefaults,
      allowedHosts: allowedHosts(config, config.host),
      allowedOrigins: config.allowedOrigins ?? [],
      maxBodyBytes: config.maxBodyBytes,
      maxHeaderBytes: config.maxHeaderBytes,
      maxPathParameter: config.maxPathParameter,
      ...(config.trustedProxies === undefined ? {} : { trustedProxies: config.trustedProxies }),
    },
  })
}
