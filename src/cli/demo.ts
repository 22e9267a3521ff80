import { defineCommand } from './define-command.js'
import { globalFlags } from './global-options.js'
import { listenerFlags, listenerOptions } from './listener-options.js'

/** Enough for every planted fact to show, and filled in seconds. */
const CALLS = 3_000

/** `earshot demo`: sample calls, a key, both listeners, and what to paste into clients. */
export const demoCommand = defineCommand({
  command: 'demo',
  describe: 'Try Earshot: sample calls, a key, and settings for AI clients',
  builder: yargs =>
    yargs
      .options({
        ...listenerOptions,
        calls: {
          type: 'number',
          requiresArg: true,
          default: CALLS,
          description: 'Sample calls a new data directory is filled with',
        },
        'new-key': {
          type: 'boolean',
          default: false,
          description: 'Make a new application key; what was handed out before is refused from then on',
        },
      })
      .example('$0 demo --calls 500 --data-dir ./demo-data', ''),
  handler: async args => {
    const { runDemo } = await import('./demo/run-demo.js')
    const flags = { ...globalFlags(args), ...listenerFlags(args) }
    await runDemo({ flags, calls: args.calls, wantsNewKey: args.newKey, json: args.json })
  },
})
