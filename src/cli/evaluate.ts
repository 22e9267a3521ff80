import { Problem } from '../base/problem.js'
import { defineCommand } from './define-command.js'
import { evaluationLines } from './evaluate/evaluation-lines.js'
import { globalFlags } from './global-options.js'
import { print } from './print.js'
import { type Progress, startProgress } from './progress.js'
import { projectOption } from './project-option.js'
import { untilSignal } from './until-signal.js'
import { UsageError } from './usage-error.js'
import { withOperations } from './with-operations.js'

/** `earshot evaluate` */
export const evaluateCommand = defineCommand({
  command: 'evaluate',
  describe: 'Evaluate calls: find signals, scores and coaching in their transcripts',
  builder: yargs =>
    yargs
      .options(projectOption)
      .options({
        with: { choices: ['rules'] as const, default: 'rules', description: 'What evaluates: the rules of the rubric' },
        stale: {
          type: 'boolean',
          default: false,
          description: 'Also calls that were evaluated by another rubric or another version of it',
        },
        all: { type: 'boolean', default: false, description: 'Also calls that were evaluated before' },
        'replace-imported': {
          type: 'boolean',
          default: false,
          description: 'With --all: also calls whose records brought their own evaluation, which is lost',
        },
        sample: { type: 'number', requiresArg: true, description: 'Only so many calls, chosen evenly' },
      })
      .example('$0 evaluate --project demo', 'Evaluate what is not evaluated yet; go on after an interruption')
      .example('$0 evaluate --project demo --all', 'Score everything again, after the rubric has changed'),
  handler: async args => {
    const { all, stale, sample, replaceImported } = args
    if (sample !== undefined && !(Number.isInteger(sample) && sample > 0)) {
      throw new UsageError('--sample must be a whole number from 1')
    }
    if (all && stale) throw new UsageError('Give --all or --stale, not both')
    if (replaceImported && !all) throw new UsageError('--replace-imported needs --all')
    const abort = new AbortController()
    void untilSignal().then(() =>
      abort.abort(
        new Problem(
          'cancelled',
          `The evaluation was interrupted; what was evaluated stays. The same command ${all ? 'begins again' : 'goes on'}`,
        ),
      ),
    )
    const which = replaceImported ? 'everything' : all ? 'all' : stale ? 'stale' : 'pending'
    const query = { which, with: args.with, ...(sample === undefined ? {} : { sample: String(sample) }) }
    let bar: Progress | undefined
    try {
      const report = await withOperations(globalFlags(args), operations =>
        operations.evaluate(args.project, query, {
          signal: abort.signal,
          onProgress: ({ done, total }) => {
            bar ??= startProgress('Evaluating', 'calls', total, { speed: true })
            bar.update(done)
          },
        }),
      )
      bar?.stop()
      await print(args.json, { project_id: args.project, ...report }, () =>
        evaluationLines(report, args.project, which),
      )
    } finally {
      bar?.stop()
    }
  },
})
