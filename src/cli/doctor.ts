import { defineCommand } from './define-command.js'
import { checkAll } from './doctor/check-all.js'
import { exitCode } from './exit-code.js'
import { globalFlags } from './global-options.js'
import { listenerFlags, listenerOptions } from './listener-options.js'
import { print, table } from './print.js'
import { version } from './version.js'

/** `earshot doctor`: exits with 1 when something fails; warnings alone are no failure. */
export const doctorCommand = defineCommand({
  command: 'doctor',
  describe: 'Check configuration, data directory, store, ports and machine',
  builder: yargs => yargs.options(listenerOptions).example('$0 doctor --data-dir /var/lib/earshot', ''),
  handler: async args => {
    const findings = await checkAll({ ...globalFlags(args), ...listenerFlags(args) })
    const ok = findings.every(({ status }) => status !== 'fail')
    await print(args.json, { ok, version, findings }, () => {
      const rows = findings.map(({ check, status, found }) => [status, check, found])
      const advice = findings.flatMap(one => (one.advice === undefined ? [] : [`  ${one.check}: ${one.advice}`]))
      const todo = advice.length === 0 ? '' : `\nTo do:\n${advice.join('\n')}\n`
      return `${table(['', `Earshot ${version}`, ''], rows)}${todo}`
    })
    if (!ok) process.exitCode = exitCode.failed
  },
})
