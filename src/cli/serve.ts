import { isForPeople } from '../log.js'
import { defineCommand } from './define-command.js'
import { globalFlags } from './global-options.js'
import { listenerFlags, listenerOptions } from './listener-options.js'
import { openConfig } from './open-config.js'
import { print } from './print.js'
import { logFailure } from './report-failure.js'
import { untilSignal } from './until-signal.js'
import { version } from './version.js'

/** `earshot serve` */
export const serveCommand = defineCommand({
  command: 'serve',
  describe: 'Run the service until SIGTERM or Ctrl-C',
  builder: yargs =>
    yargs
      .options({
        ...listenerOptions,
        mcp: { type: 'boolean', description: 'Start the tool server too (MCP_SERVER_ENABLED)' },
      })
      .example('$0 serve --mcp --data-dir /var/lib/earshot', 'REST on port 8000, tools on 8001'),
  handler: async args => {
    const mcpEnabled = args.mcp === undefined ? undefined : String(args.mcp)
    const { config, log } = openConfig({ ...globalFlags(args), ...listenerFlags(args), mcpEnabled })
    try {
      await serve({ config, log, json: args.json })
    } catch (error) {
      throw args.json || isForPeople(config.logFormat) ? error : logFailure(error, log)
    }
  },
})

async function serve({ config, log, json }: ReturnType<typeof openConfig> & { readonly json: boolean }): Promise<void> {
  const signal = untilSignal()
  const { openInstallation } = await import('../service/open-installation.js')
  const { refuseStart } = await import('../service/refuse-start.js')
  const { startService } = await import('../service.js')
  await refuseStart(config)
  const service = await startService(await openInstallation(config, log), { config, log, version })
  if (json) await print(true, { api_url: service.apiUrl, mcp_url: service.mcpUrl }, () => '')
  const reason = await signal
  await service.stop(reason)
  log.info({ reason }, 'Earshot has stopped')
}
