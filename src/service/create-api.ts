import { eventRoutes } from './event-routes.js'
import { type ApiEntrance, apiServerDefaults, type ApiServerParts } from '../rest/api-server-parts.js'
import { type ApiServer, createApiServer } from '../rest/create-api-server.js'
import { eraseRoutes } from '../rest/erase-routes.js'
import { exportRoutes } from '../rest/export-routes.js'
import { importRoutes } from '../rest/import-routes.js'
import { knowledgeRoutes } from '../rest/knowledge-routes.js'
import { rubricRoutes } from '../rest/rubric-routes.js'
import { questionRoutes } from '../rest/question-routes.js'
import { taskRoutes } from '../rest/task-routes.js'
import { questions } from '../questions/questions.js'
import { allowedHosts } from './allowed-hosts.js'
import type { ListenerParts } from './listener-parts.js'

/** The API listener over the parts of this service. */
export function createApi(parts: ListenerParts): Promise<ApiServer> {
  const { answering, config, installation, knowledge, tasks } = parts
  const { events, projects, rubrics, store, threads } = installation
  const { maxImportBytes, maxImportLineBytes: maxRecordBytes } = config
  return createApiServer(apiParts(parts, 'rest', parts.gate), [
    ...eventRoutes(parts),
    ...questionRoutes({ answering, projects }),
    ...knowledgeRoutes({ knowledge, projects }),
    ...exportRoutes({ store, projects }),
    ...eraseRoutes({ calls: store.calls, events, reports: tasks.reports, projects }),
    ...rubricRoutes({ answering, projects, rubrics, threads }),
    ...importRoutes({
      store: store.calls,
      projects,
      rubrics,
      threads,
      admission: parts.admission,
      imports: parts.metrics,
      maxImportBytes,
      maxRecordBytes,
    }),
    ...taskRoutes({ ...tasks, projects }),
  ])
}

/** What the API listener and the control socket have in common. */
export function apiParts(
  { config, log, installation, metrics, name, version, ready }: ListenerParts,
  transport: 'rest' | 'control',
  gate: ApiEntrance,
): ApiServerParts {
  const { keys, projects, trail } = installation
  return {
    gate,
    keys,
    projects,
    trail,
    metrics,
    meter: metrics,
    transport,
    log: log.child({ listener: transport === 'rest' ? 'api' : 'control' }),
    ready,
    version,
    health: () => ({ status: 'ok', server: name, tools: questions.length, auth_cache_size: keys.size }),
    settings: {
      ...apiServerDefaults,
      allowedHosts: allowedHosts(config, config.host),
      allowedOrigins: config.allowedOrigins ?? [],
      corsOrigins: config.corsOrigins ?? [],
      ...(config.publicUrl === undefined ? {} : { publicUrl: config.publicUrl.replace(/\/+$/, '') }),
      maxBodyBytes: config.maxBodyBytes,
      maxHeaderBytes: config.maxHeaderBytes,
      maxPathParameter: config.maxPathParameter,
      ...(config.trustedProxies === undefined ? {} : { trustedProxies: config.trustedProxies }),
    },
  }
}
