import { Problem } from '../base/problem.js'
import { type MaskKind, maskKinds } from '../redact/mask.js'
import { type Redaction, redactProject } from '../operations/redact.js'
import { defineCommand } from './define-command.js'
import { globalFlags } from './global-options.js'
import { print, table } from './print.js'
import { type Progress, startProgress } from './progress.js'
import { projectOption } from './project-option.js'
import { untilInterrupted } from './until-signal.js'
import { UsageError } from './usage-error.js'
import { withClient } from './with-client.js'

/** `earshot redact --stored` */
export const redactCommand = defineCommand({
  command: 'redact',
  describe: 'Mask personal data in calls that are stored already',
  builder: yargs =>
    yargs
      .options(projectOption)
      .options({
        stored: {
          type: 'boolean',
          default: false,
          description: 'Calls that are stored; those that come in: import --redact',
        },
        'dry-run': {
          type: 'boolean',
          default: false,
          description: 'Only say how many calls would change, and in what',
        },
        kind: {
          type: 'array',
          string: true,
          choices: maskKinds,
          requiresArg: true,
          description: 'Only this kind, such as card; may be given again. All by default',
        },
      })
      .example('$0 redact --stored --dry-run --project demo', 'See what masking would change')
      .example('$0 redact --stored --project demo --kind card --kind cvv', 'Mask cards; go on after an interruption'),
  handler: async args => {
    if (!args.stored)
      throw new UsageError('Name what is masked: --stored. Calls that come in are masked by import --redact')
    const abort = new AbortController()
    void untilInterrupted().then(() =>
      abort.abort(new Problem('cancelled', 'It was interrupted; what was masked stays. The same command goes on')),
    )
    let bar: Progress | undefined
    const onProgress = ({ done, total }: { readonly done: number; readonly total: number }) => {
      bar ??= startProgress(args.dryRun ? 'Looking' : 'Masking', 'calls', total, { lines: true })
      bar.update(done)
    }
    const kinds = args.kind as readonly MaskKind[] | undefined
    const query = { dry_run: args.dryRun, ...(kinds !== undefined && { kinds: kinds.join(',') }) }
    try {
      const found = await withClient(globalFlags(args), client =>
        client.run(redactProject, { project_id: args.project, query }, { signal: abort.signal, onProgress }),
      )
      bar?.stop()
      await print(args.json, { project_id: args.project, ...found }, () => redactionLines(found, args.project))
    } finally {
      bar?.stop()
    }
  },
})

function redactionLines(found: Redaction, projectId: string): string {
  const { dry_run: dryRun, looked, masked, left, feedback, places, calls } = found
  const rows = maskKinds
    .filter(kind => (places[kind] ?? 0) > 0)
    .map(kind => [kind, String(calls[kind] ?? 0), String(places[kind] ?? 0)])
  return [
    `${masked} of ${looked} calls of project ${projectId} ${dryRun ? 'would be changed' : 'were masked'}; words of people on calls: ${feedback}.`,
    ...(rows.length === 0 ? [] : ['', table(['KIND', 'CALLS', 'PLACES'], rows)]),
    ...(left === 0
      ? []
      : [
          `${left} calls were left: under a legal hold, or replaced meanwhile. The same command masks those that are free.`,
        ]),
    ...(dryRun || masked === 0
      ? []
      : ['The file still holds what was masked until `earshot compact`; backups and exports of before hold it too.']),
    '',
  ].join('\n')
}
