import { z } from 'zod'
import { keyPatch, keyRotation, newKey } from '../access/key-fields.js'
import type { ApiServerParts } from './api-server-parts.js'
import { keyAnswer, mintedKeyAnswer } from './key-answer.js'
import { type Route, route } from './route.js'

const KEYS = '/projects/:project_id/mcp-keys'
const KEY = `${KEYS}/:key_id`

const listQuery = z.strictObject({
  include_revoked: z
    .enum(['true', 'false'])
    .default('false')
    .transform(text => text === 'true'),
})

/** Key administration. What a handler looks up before it reads the body decides that 404 comes before 422. */
export function keyRoutes({ keys, projects }: Pick<ApiServerParts, 'keys' | 'projects'>): readonly Route[] {
  return [
    route({
      method: 'POST',
      url: KEYS,
      access: 'project_admin',
      summary: 'Mint an application key',
      description:
        'The key itself is in this answer only. What is left out takes its default, field by field: the whole project, with the role Admin.',
      answer: mintedKeyAnswer,
      status: 201,
      body: newKey,
      handle: (request, admin) => {
        const { project_id: projectId } = projects.get(request.param('project_id'))
        return keys.mint(projectId, request.body(), admin)
      },
    }),
    route({
      method: 'GET',
      url: KEYS,
      access: 'project_admin',
      summary: 'List application keys',
      description: 'Active keys; with include_revoked=true all of them.',
      answer: z.strictObject({ keys: z.array(keyAnswer) }),
      query: listQuery,
      handle: request => {
        const { project_id: projectId } = projects.get(request.param('project_id'))
        return { keys: keys.list(projectId, { includeRevoked: request.query().include_revoked }) }
      },
    }),
    route({
      method: 'GET',
      url: KEY,
      access: 'project_admin',
      summary: 'Get one application key',
      answer: keyAnswer,
      handle: request => keys.get(request.param('project_id'), request.param('key_id')),
    }),
    route({
      method: 'PATCH',
      url: KEY,
      access: 'project_admin',
      summary: 'Change an application key',
      description: 'Holds from the key’s next request on. `active: false` revokes it for good.',
      answer: keyAnswer,
      body: keyPatch,
      handle: (request, admin) => {
        const { key_id: keyId, project_id: projectId } = keys.get(request.param('project_id'), request.param('key_id'))
        return keys.patch(projectId, keyId, request.body(), admin)
      },
    }),
    route({
      method: 'POST',
      url: `${KEY}/rotate`,
      access: 'project_admin',
      summary: 'Rotate an application key',
      description: 'Mints a key with the same rights; the old one is accepted for grace_seconds more.',
      conflicts: 'The key was rotated before and is in its grace time',
      answer: mintedKeyAnswer,
      status: 201,
      body: keyRotation.prefault({}),
      handle: (request, admin) => {
        const { key_id: keyId, project_id: projectId } = keys.get(request.param('project_id'), request.param('key_id'))
        return keys.rotate(projectId, keyId, request.body().grace_seconds, admin)
      },
    }),
    route({
      method: 'DELETE',
      url: KEY,
      access: 'project_admin',
      summary: 'Revoke an application key',
      description: 'The key’s document stays, with active: false.',
      answer: keyAnswer,
      handle: request => keys.revoke(request.param('project_id'), request.param('key_id')),
    }),
  ]
}
