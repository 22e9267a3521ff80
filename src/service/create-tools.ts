import { createToolServer, type ToolServer } from '../mcp/tool-server.js'
import { toolServerDefaults } from '../mcp/tool-server-parts.js'
import { auditedAnswering } from '../questions/audited-answering.js'
import { measuredAnswering } from '../questions/measured-answering.js'
import { prompts } from '../questions/prompts/prompts.js'
import { questions } from '../questions/questions.js'
import { resources } from '../questions/resources/resources.js'
import { allowedHosts } from './allowed-hosts.js'
import { instructions } from './instructions.js'
import type { ListenerParts } from './listener-parts.js'

/** The tool server over the parts of this service. */
export function createTools({
  config,
  log,
  installation,
  admission,
  gate,
  answering,
  metrics,
  name,
  version,
  ready,
}: ListenerParts): ToolServer {
  return createToolServer({
    questions,
    resources,
    prompts,
    // Measured around audited: what a caller waits for is what is counted. There is no other way to a question.
    answering: measuredAnswering(auditedAnswering(answering, installation.trail, 'mcp'), metrics, 'mcp'),
    trail: installation.trail,
    meter: metrics,
    gate,
    admission,
    keys: installation.keys,
    log: log.child({ listener: 'mcp' }),
    ready,
    settings: {
      ...toolServerDefaults,
      name,
      version,
      instructions,
      allowedHosts: allowedHosts(config, config.mcpHost),
      allowedOrigins: config.allowedOrigins ?? [],
      ...(config.trustedProxies === undefined ? {} : { trustedProxies: config.trustedProxies }),
      maxHeaderBytes: config.maxHeaderBytes,
      maxConnections: config.maxConnections,
      maxBodyBytes: config.maxBodyBytes,
      resultBytes: config.maxResultBytes,
      maxSessionsPerKey: config.maxSessionsPerKey,
      sessionIdleMs: config.sessionIdle,
    },
  })
}
