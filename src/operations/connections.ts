import { z } from 'zod'
import type { Caller } from '../access/caller.js'
import { Problem } from '../base/problem.js'
import { echo } from '../base/text.js'
import { connection } from '../oauth/connection.js'
import { operation } from './operation.js'
import type { Services } from './services.js'

/** The keys whose connections somebody sees: their own, and an administrator those of the project. */
function keysSeenBy({ keys }: Pick<Services, 'keys'>, { source, credential_id: own, project_id: project }: Caller) {
  if (source === 'application_key') return [own]
  return keys.list(project, { includeRevoked: false }).map(({ key_id: id }) => id)
}

const CONNECTIONS = '/api/v1/connections'

/** Connections that one answer lists. */
const MOST_LISTED = 1_000

const listMyConnections = operation({
  method: 'GET',
  url: CONNECTIONS,
  access: 'caller',
  textFree: true,
  ofGroups: true,
  summary: 'List AI clients that signed in',
  description: `With the key that asks; an administrator sees those of all keys of the project, the last ${MOST_LISTED.toLocaleString('en')} that signed in.`,
  table: 'connections',
  answer: z.strictObject({ connections: z.array(connection) }),
  run: (services, _, who) => ({
    connections: services.connections.of(...keysSeenBy(services, who)).slice(-MOST_LISTED),
  }),
})

const endMyConnection = operation({
  method: 'DELETE',
  url: `${CONNECTIONS}/:connection_id`,
  access: 'caller',
  textFree: true,
  ofGroups: true,
  summary: 'End an AI client that signed in',
  description:
    'One of the key that asks, or to an administrator one of any key of the project: its next request is refused.',
  answer: connection,
  run: async (services, request, who) => {
    const id = request.param('connection_id')
    const found = services.connections.of(...keysSeenBy(services, who)).find(one => one.connection_id === id)
    if (found === undefined) throw new Problem('not_found', `Connection not found: ${echo(id)}`)
    return await services.connections.end(found.key_id, id)
  },
})

/** AI clients, to whoever let them in. */
export const connectionOperations = [listMyConnections, endMyConnection] as const
