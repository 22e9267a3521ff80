import { z } from 'zod'
import { parseOptions } from '../schema-options.js'
import type { Flags } from '../../config.js'
import { createLog } from '../../log.js'
import { logMemory } from '../log-memory.js'
import { openInstallation } from '../../service/open-installation.js'
import { refuseStart } from '../../service/refuse-start.js'
import { startService } from '../../service.js'
import { print } from '../print.js'
import { untilSignal } from '../until-signal.js'
import { version } from '../version.js'
import { demoConfig } from './demo-config.js'
import { claimDemoDirectory } from './demo-marker.js'
import { DEMO_PROJECT } from './demo-project.js'
import { prepareDemo } from './prepare-demo.js'
import { welcomeText } from './welcome-text.js'

const options = z.object({ calls: z.int().min(1).max(1_000_000) })

interface DemoOptions {
  readonly flags: Flags
  readonly calls: number
  readonly wantsNewKey: boolean
  readonly json: boolean
}

/** Runs the demo until a signal ends it. */
export async function runDemo({ flags, calls: wanted, wantsNewKey, json }: DemoOptions): Promise<void> {
  const { config, warnings } = demoConfig(flags)
  const log = createLog({ level: config.logLevel, format: config.logFormat })
  for (const warning of warnings) log.warn(warning)
  logMemory(config, log)
  const { calls } = parseOptions(options, { calls: wanted })
  // Before seconds go into filling a store that nobody could then reach, and before anything is written.
  await refuseStart(config)
  const marker = await claimDemoDirectory(config.dataDir, calls)

  const signal = untilSignal()
  const installation = await openInstallation(config, log)
  const { key, token } = await prepareDemo(installation, { config, marker, wantsNewKey, signal })
  if (key.is === 'replaced') log.warn('The key of the starts before is revoked or unknown; there is a new one')
  const service = await startService(installation, { config, log, version })
  if (service.mcpUrl === undefined) throw new Error('the demo started without its tool server')
  const consoleUrl = service.signInUrl(key.key)
  const ready = {
    api_url: service.apiUrl,
    mcp_url: service.mcpUrl,
    mcp_endpoint: `${service.mcpUrl}/mcp`,
    project_id: DEMO_PROJECT,
    ...(consoleUrl !== undefined && { console_url: consoleUrl }),
    application_key: key.key,
    admin_token: token,
  }
  await print(json, ready, () => welcomeText(ready, marker.calls, key.is))
  const reason = await signal
  await service.stop(reason)
  log.info({ reason }, 'Earshot has stopped')
}
