import { resolve } from 'node:path'
import { Problem } from '../base/problem.js'
import { type Config, loadCommandConfig } from '../config.js'
import { createLog } from '../log.js'
import { isEmbedded } from '../service/elsewhere.js'
import { secretsOf } from '../service/secrets-of.js'
import { servedBy } from '../service/serving.js'
import type { Store } from '../store/store.js'
import { defineCommand } from './define-command.js'
import { exitCode } from './exit-code.js'
import { globalFlags } from './global-options.js'
import { moveLines } from './move/move-lines.js'
import { compareSecrets, putSecrets } from './move/move-secrets.js'
import { isMoved } from './move/move-store.js'
import { print } from './print.js'
import { startProgress } from './progress.js'
import { textOption } from './text-option.js'
import { UsageError } from './usage-error.js'
import { untilInterrupted } from './until-signal.js'

/** `earshot move`: everything of an installation from the store of a data directory to a server, or back. */
export const moveCommand = defineCommand({
  command: 'move',
  describe: 'Move everything between the store of a data directory and the server of EARSHOT_STORE_URL',
  builder: yargs =>
    yargs
      .options({
        from: textOption('Data directory whose store moves to the server'),
        into: textOption('Data directory that gets what the server has, in a new store'),
        compare: {
          type: 'boolean',
          default: false,
          description: 'Write nothing: read both, and say where they differ',
        },
        served: {
          type: 'boolean',
          default: false,
          description:
            'Move although processes serve the store of the server: what they write meanwhile may be missing',
        },
      })
      .example('$0 move --from /var/lib/earshot', 'to the server that EARSHOT_STORE_URL names')
      .example('$0 move --into /var/lib/earshot-back', 'and back')
      .epilogue(
        'Nothing else may use either store meanwhile. A move that was cut off is begun again by the same command: what is there already is not written again. Each part is read in both stores afterwards, and the sums of the hashes of all rows have to be equal. The audit trail stays where it is, and so do files of tasks and reports.',
      ),
  handler: async args => {
    const { from, into, compare, served } = args
    const directory = from ?? into
    if (directory === undefined || (from !== undefined && into !== undefined)) {
      throw new UsageError(
        'Name one data directory: --from for what moves to the server, --into for what comes from it',
      )
    }
    const flags = globalFlags(args)
    const { config } = loadCommandConfig(flags)
    if (isEmbedded(config)) {
      throw new Problem(
        'not_configured',
        'EARSHOT_STORE_URL has to name the server that the store moves to or comes from',
      )
    }
    const log = createLog({ level: flags.logLevel ?? 'warn', format: config.logFormat })
    const there: Config = { ...config, threads: 1 }
    const here: Config = { ...there, storeUrl: 'duckdb:', dataDir: resolve(directory) }
    // The engine is loaded when it is needed: help and completion do without.
    const { openStore } = await import('../service/open-store.js')
    const { moveStore } = await import('./move/move-store.js')
    const open = async (which: Config, mustBeThere: boolean) =>
      (await openStore(which, log, { mustBeThere, onLossAccepted: () => undefined })).store
    const stop = new AbortController()
    void untilInterrupted().then(() =>
      stop.abort(new Problem('cancelled', 'The move was interrupted; the same command goes on')),
    )
    const secrets = { directory: here.dataDir, kept: secretsOf(here), given: secretsOf(there) }
    const otherSecrets = from !== undefined || compare ? await compareSecrets(secrets) : []
    const source = await open(from === undefined ? there : here, true)
    try {
      const target = await open(from === undefined ? here : there, compare)
      try {
        if (!compare && !served) await refuseServed(from === undefined ? source : target)
        if (into !== undefined && !compare) await putSecrets(secrets)
        let calls = 0
        const bar = startProgress('Moving', 'calls', undefined, { lines: true })
        const parts = await moveStore({
          source,
          target,
          compareOnly: compare,
          onPart: name => log.info({ part: name }, 'moving'),
          onCalls: more => bar.update((calls += more)),
          signal: stop.signal,
        }).finally(() => bar.stop())
        const report = { equal: parts.every(isMoved), parts, other_secrets: otherSecrets }
        if (!report.equal) process.exitCode = exitCode.failed
        await print(args.json, report, () => moveLines(report))
      } finally {
        await target.close()
      }
    } finally {
      await source.close()
    }
  },
})

/** @throws Problem `conflict` where processes serve it */
async function refuseServed({ leases }: Pick<Store, 'leases'>): Promise<void> {
  const processes = await servedBy(leases)
  if (processes.length === 0) return
  throw new Problem(
    'conflict',
    `The store of the server is served by ${processes.join('; ')}. Stop them first: one that was killed counts for as long as its lease lasts (EARSHOT_STORE_LEASE, 45 s). --served moves all the same`,
  )
}
