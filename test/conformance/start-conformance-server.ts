import { AdminTokens } from '../../src/access/admin-tokens.js'
import { Gate } from '../../src/access/gate.js'
import type { NewKey } from '../../src/access/key-fields.js'
import { Keys } from '../../src/access/keys.js'
import { Projects } from '../../src/access/projects.js'
import { Teams } from '../../src/access/teams.js'
import { RequestRate } from '../../src/admission/request-rate.js'
import { createToolServer } from '../../src/mcp/tool-server.js'
import { toolServerDefaults } from '../../src/mcp/tool-server-parts.js'
import { prompts } from '../../src/questions/prompts/prompts.js'
import { questions } from '../../src/questions/questions.js'
import { resources } from '../../src/questions/resources/resources.js'
import { anAdmission } from '../support/an-admission.js'
import { SECRET, silent } from '../support/access.js'
import { asking } from '../support/asking.js'
import { addHeaderProxy } from './add-header-proxy.js'
import { extendServer } from './extend-server.js'
import { KeptTrail } from '../support/kept-trail.js'

export interface ConformanceServer {
  /** Base of the tool server, behind a proxy that shows a key. */
  readonly url: string
  close(): Promise<void>
}

const OPERATOR = { name: 'operator', role: 'SuperAdmin' } as const

const fullProject: NewKey = {
  name: 'conformance',
  is_supervisor: true,
  roles: ['Admin'],
  allowed_agents: [],
  require_mapping: false,
}

/**
 * The tool server with everything of ours in it (gate, keys, an embedded store, tools, resources, prompts) and the
 * fixture of the official suite beside it. Nothing of the fixture can be reached from src/.
 */
export async function startConformanceServer({
  streamedAnswers,
}: {
  readonly streamedAnswers: boolean
}): Promise<ConformanceServer> {
  const service = await asking()
  const projects = await Projects.load(service.store.projects)
  await projects.create({ project_id: 'p', timezone: 'UTC', verticals: [] })
  const teams = await Teams.load({ store: service.store.teams })
  const keys = await Keys.load({ store: service.store.keys, projects, teams, log: silent })
  const { key, key_id } = await keys.mint('p', fullProject, OPERATOR)
  const adminTokens = AdminTokens.withSecret(SECRET, { log: silent })
  const gate = new Gate({ keys, adminTokens, rate: new RequestRate({ requestsPerMinute: 1_000_000 }) })
  const server = createToolServer({
    questions,
    resources,
    prompts,
    meter: { answered: () => undefined, refused: () => undefined },
    answering: service.answering,
    trail: new KeptTrail(),
    gate,
    keys,
    admission: anAdmission(),
    log: silent,
    ready: () => Promise.resolve(undefined),
    extend: extendServer(() => keys.patch('p', key_id, { roles: ['Admin'] }, OPERATOR)),
    settings: {
      ...toolServerDefaults,
      name: 'earshot',
      version: '0.0.0',
      instructions: 'Call get_project_context first.',
      allowedHosts: ['127.0.0.1', 'localhost'],
      allowedOrigins: [],
      streamedAnswers,
    },
  })
  const { url } = await server.listen('127.0.0.1', 0)
  const proxy = await addHeaderProxy(url, key)
  return {
    url: proxy.url,
    close: async () => {
      proxy.close()
      await server.close('the suite is through')
      await keys.close()
      await service.close()
    },
  }
}
