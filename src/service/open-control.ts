import { OperatorGate } from '../access/operator-gate.js'
import { clearSocket, controlSocketPath, pathFault, protectSocket } from '../control/control-socket.js'
import { operations } from '../operations/operations.js'
import { type ApiServer, createApiServer } from '../rest/create-api-server.js'
import { apiParts } from './create-api.js'
import type { ListenerParts } from './listener-parts.js'

/**
 * The control socket: all operations, with the operator's rights. Undefined, with a warning,
 * where the data directory's path is too long for a socket: the service works without, only commands can't reach it.
 */
export async function openControl(parts: ListenerParts): Promise<ApiServer | undefined> {
  const { config, log } = parts
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
    operations,
  )
  await server.listenOn(path)
  protectSocket(path)
  return server
}
