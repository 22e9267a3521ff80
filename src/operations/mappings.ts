import { z } from 'zod'
import { mappingFields } from '../ingest/mapping/saved-mappings.js'
import { mapping } from '../store/records/mapping.js'
import { operation } from './operation.js'

const MAPPINGS = '/api/v1/mappings'
const MAPPING = `${MAPPINGS}/:mapping_id`

export const listMappings = operation({
  method: 'GET',
  url: MAPPINGS,
  access: 'overseer',
  summary: 'List mappings',
  table: 'mappings',
  answer: z.strictObject({ mappings: z.array(mapping.view) }),
  run: ({ mappings }, _, { project_id: projectId }) => ({ mappings: mappings.list(projectId).map(mapping.show) }),
})

export const getMapping = operation({
  method: 'GET',
  url: MAPPING,
  access: 'overseer',
  summary: 'Get one mapping',
  answer: mapping.view,
  run: ({ mappings }, request, { project_id: projectId }) =>
    mapping.show(mappings.get(projectId, request.param('mapping_id'))),
})

export const setMapping = operation({
  method: 'POST',
  url: MAPPINGS,
  access: 'administrator',
  summary: 'Save a mapping',
  description:
    'How files of one source are read, under a name that imports and inbound webhooks say. It replaces that of its name.',
  example: { body: { mapping_id: 'dialer', map: ['agent_name=metadata.agent'], time_zone: 'Europe/Berlin' } },
  conflicts: 'The project has as many mappings as it may',
  body: mappingFields,
  answer: mapping.view,
  run: async ({ mappings }, request, { project_id: projectId, app_name: by }) =>
    mapping.show(await mappings.set(projectId, request.body(), by)),
})

export const removeMapping = operation({
  method: 'DELETE',
  url: MAPPING,
  access: 'administrator',
  status: 204,
  summary: 'Remove a mapping',
  run: async ({ mappings }, request, { project_id: projectId }) => {
    await mappings.remove(projectId, request.param('mapping_id'))
    return {}
  },
})
export const mappingOperations = [listMappings, getMapping, setMapping, removeMapping]
