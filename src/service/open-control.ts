import { OperatorGate } from '../access/operator-gate.js'
import { controlRoutes } from '../control/control-routes.js'
import { clearSocket, controlSocketPath, pathFault, protectSocket } from '../control/control-socket.js'
import { type ApiServer, createApiServer } from '../rest/create-api-server.js'
import { eraseRoutes } from '../rest/erase-routes.js'
import { exportRoutes } from '../rest/export-routes.js'
import { knowledgeRoutes } from '../rest/knowledge-routes.js'
import { taskRoutes } from '../rest/task-routes.js'
import { rubricRoutes } from '../rest/rubric-routes.js'
import { controlParts } from './control-parts.js'
import { apiParts } from './create-api.js'
import { eventRoutes } from './event-routes.js'
import type { ListenerParts } from './listener-parts.js'

/**
 * The control socket: the API's routes and the commands' own, with the operator's rights. Undefined, with a warning,
 * where the data directory's path is too long for a socket: the service works without, only commands can't reach it.
 */
export async function openControl(parts: ListenerParts): Promise<ApiServer | undefined> {
  const { config, log, metrics } = parts
  const path = controlSocketPath(config.dataDir)
  const fault = pathFault(path)
  if (fault !== undefined) {
    log.warn(fault)
    return undefined
  }
  await clearSocket(path)
  const shared = apiParts(parts, 'control', new OperatorGate())
  const server = await createApiServer(
    // An import takes as long as it takes, and a command may wait for what it reads.
    { ...shared, settings: { ...shared.settings, allowedHosts: ['localhost'], requestMs: 0, uploadMs: 0, idleMs: 0 } },
    [
      ...eventRoutes(parts),
      ...exportRoutes(parts.installation),
      ...eraseRoutes({ ...parts.installation, calls: parts.installation.store.calls, reports: parts.tasks.reports }),
      ...knowledgeRoutes({ knowledge: parts.knowledge, projects: parts.installation.projects }),
      ...taskRoutes({ ...parts.tasks, projects: parts.installation.projects }),
      ...rubricRoutes({
        answering: parts.answering,
        projects: parts.installation.projects,
        rubrics: parts.installation.rubrics,
        threads: parts.installation.threads,
      }),
      ...controlRoutes(controlParts({ ...parts, imports: metrics })),
    ],
  )
  await server.listenOn(path)
  protectSocket(path)
  return server
}
