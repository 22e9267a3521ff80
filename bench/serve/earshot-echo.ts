/**
 * The whole of our way to an answer around the same echo: gate, sessions, strict arguments, audit trail, metrics, over a
 * real data directory (first argument). Only the tool itself is not one of ours. Prints its address and a key.
 */
import { pino } from 'pino'
import { z } from 'zod'
import { Gate } from '../../src/access/gate.js'
import { Admission } from '../../src/admission/admission.js'
import { RequestRate } from '../../src/admission/request-rate.js'
import { loadConfig } from '../../src/config.js'
import { createToolServer } from '../../src/mcp/tool-server.js'
import { toolServerDefaults } from '../../src/mcp/tool-server-parts.js'
import { Metrics } from '../../src/metrics/metrics.js'
import { auditedAnswering } from '../../src/questions/audited-answering.js'
import { KnowledgeBases } from '../../src/questions/knowledge/knowledge-bases.js'
import { measuredAnswering } from '../../src/questions/measured-answering.js'
import { question } from '../../src/questions/question.js'
import { metricsOf } from '../../src/service/metrics-of.js'
import { openAdminTokens } from '../../src/service/open-core.js'
import { openAnswering } from '../../src/service/open-answering.js'
import { openInstallation } from '../../src/service/open-installation.js'

const echo = question({
  name: 'echo',
  title: 'Echo',
  description: 'Echo',
  input: z.strictObject({ text: z.string() }),
  output: z.strictObject({ text: z.string() }),
  answer: (_, { text }) => Promise.resolve({ text }),
})

const { config } = loadConfig({ dataDir: process.argv[2] })
const log = pino({ level: 'info' }, pino.destination('/dev/null'))
const installation = await openInstallation(config, log)
const { projects, keys, store, trail } = installation
const author = { name: 'bench', role: 'SuperAdmin' } as const
if (!projects.list().some(({ project_id }) => project_id === 'bench')) {
  await projects.create({ project_id: 'bench', timezone: 'UTC', verticals: [] })
}
const fields = { name: 'bench', is_supervisor: true, roles: [], allowed_agents: [], require_mapping: false }
const { key } = await keys.mint('bench', fields, author)
const knowledge = await KnowledgeBases.load({ store: store.knowledge })
const admission = new Admission(config)
const answering = await openAnswering(installation, config, () => Promise.resolve(), knowledge, admission)
const metrics = new Metrics(
  '0',
  metricsOf(installation, config, admission, () => ({})),
)
const server = createToolServer({
  questions: [echo],
  resources: [],
  prompts: [],
  answering: measuredAnswering(auditedAnswering(answering, trail, 'mcp'), metrics, 'mcp'),
  trail,
  meter: metrics,
  gate: new Gate({
    keys,
    adminTokens: await openAdminTokens(config, log),
    rate: new RequestRate({ requestsPerMinute: 100_000_000 }),
  }),
  keys,
  admission,
  log,
  ready: () => Promise.resolve(undefined),
  settings: {
    ...toolServerDefaults,
    name: 'earshot',
    version: '0',
    instructions: '',
    allowedHosts: ['127.0.0.1'],
    allowedOrigins: [],
  },
})
const { url } = await server.listen('127.0.0.1', 0)
process.stdout.write(`${url} ${key}\n`)
