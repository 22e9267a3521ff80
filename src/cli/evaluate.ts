import { Problem } from '../base/problem.js'
import { defineCommand } from './define-command.js'
import type { EvaluationProgress, EvaluationReport } from '../evaluation/run/evaluation-report.js'
import { agreementLines } from './evaluate/agreement-lines.js'
import { batchRunLines, batchStatusLines } from './evaluate/batch-lines.js'
import { budgetOptions, budgetQuery } from './evaluate/budget-options.js'
import { evaluationLines } from './evaluate/evaluation-lines.js'
import {
  cancelBatches,
  compareOnSample,
  evaluateByBatches,
  evaluateProject,
  listBatches,
} from '../operations/evaluation.js'
import { exitCode } from './exit-code.js'
import { globalFlags } from './global-options.js'
import { print } from './print.js'
import { type Progress, startProgress } from './progress.js'
import { projectOption } from './project-option.js'
import { untilInterrupted } from './until-signal.js'
import { UsageError } from './usage-error.js'
import { withClient } from './with-client.js'

/** `earshot evaluate` */
export const evaluateCommand = defineCommand({
  command: 'evaluate',
  describe: 'Evaluate calls: find signals, scores and coaching in their transcripts',
  builder: yargs =>
    yargs
      .options(projectOption)
      .options({
        with: {
          choices: ['rules', 'model'] as const,
          requiresArg: true,
          description:
            'What evaluates: the rules of the rubric, or the configured language model (it is sent transcripts); by default what the project is set to',
        },
        against: {
          choices: ['rules'] as const,
          requiresArg: true,
          description:
            'Show how far the model and the rules agree on a sample, where they differ with quotes, and what it cost; the calls stay as they are',
        },
        ...budgetOptions,
        batch: {
          type: 'boolean',
          default: false,
          description:
            'With a model: by the batches of its provider, at half the price and within a day; what was sent before is found again',
        },
        wait: {
          type: 'boolean',
          default: true,
          description:
            'With --batch: stay until all has come; --no-wait takes over what has, and the next run the rest',
        },
        'batch-status': { type: 'boolean', default: false, description: 'Show the batches, and how far they are' },
        'batch-cancel': {
          type: 'boolean',
          default: false,
          description: 'Have the provider end the batches; what is answered by then the next --batch takes over',
        },
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
        sample: {
          type: 'number',
          requiresArg: true,
          description: 'Only so many calls, chosen evenly; with --against 50 unless given',
        },
      })
      .example('$0 evaluate --project demo', 'Evaluate what is not evaluated yet; go on after an interruption')
      .example('$0 evaluate --project demo --all', 'Score everything again, after the rubric has changed')
      .example('$0 evaluate --project demo --against rules --sample 200', 'Try a language model first'),
  handler: async args => {
    const { all, stale, sample, replaceImported, batch } = args
    if (args.batchStatus || args.batchCancel) return await tellOfBatches(args)
    if (sample !== undefined && !(Number.isInteger(sample) && sample > 0)) {
      throw new UsageError('--sample must be a whole number from 1')
    }
    if (all && stale) throw new UsageError('Give --all or --stale, not both')
    if (replaceImported && !all) throw new UsageError('--replace-imported needs --all')
    const { against } = args
    if (batch && args.with === 'rules') throw new UsageError('--batch is of a model: leave out --with rules')
    if (batch && against !== undefined) throw new UsageError('Give --batch or --against, not both')
    if (!args.wait && !batch) throw new UsageError('--no-wait needs --batch')
    const byModel = batch || against !== undefined
    const budget = budgetQuery({ ...args, with: args.with ?? (byModel ? 'model' : undefined) })
    if (against !== undefined) {
      if (args.with === 'rules')
        throw new UsageError('--against rules compares a model with the rules: leave out --with rules')
      if (all || stale) throw new UsageError('--against looks at a sample of all calls: leave out --all and --stale')
      if (sample !== undefined && sample > 1_000) throw new UsageError('--sample must be at most 1000 with --against')
    }
    const abort = new AbortController()
    void untilInterrupted().then(() =>
      abort.abort(
        new Problem(
          'cancelled',
          `The evaluation was interrupted; what was evaluated stays. The same command ${all ? 'begins again' : 'goes on'}`,
        ),
      ),
    )
    const which = replaceImported ? 'everything' : all ? 'all' : stale ? 'stale' : 'pending'
    const { project: project_id } = args
    const query = { which, with: args.with, sample, ...budget } as const
    let bar: Progress | undefined
    const onProgress = ({ done, total }: EvaluationProgress) => {
      bar ??= startProgress(
        batch ? 'Waiting for batches' : against === undefined ? 'Evaluating' : 'Comparing',
        'calls',
        total,
        { lines: true },
      )
      bar.update(done)
    }
    const { signal } = abort
    try {
      if (against !== undefined) {
        const found = await withClient(globalFlags(args), client =>
          client.run(compareOnSample, { project_id, query: { sample, ...budget } }, { signal, onProgress }),
        )
        bar?.stop()
        await print(args.json, { project_id: args.project, ...found }, () => agreementLines(found, args.project))
        if (found.model?.stopped?.failed === true) process.exitCode = exitCode.failed
        return
      }
      if (batch) {
        const report = await withClient(globalFlags(args), client =>
          client.run(
            evaluateByBatches,
            { project_id, query: { which, sample, wait: args.wait, ...budget } },
            { signal, onProgress },
          ),
        )
        bar?.stop()
        await print(args.json, { project_id, ...report }, () => batchRunLines(report, project_id, which))
        failWhereFailed(report)
        return
      }
      const report = await withClient(globalFlags(args), client =>
        client.run(evaluateProject, { project_id, query }, { signal, onProgress }),
      )
      bar?.stop()
      await print(args.json, { project_id: args.project, ...report }, () =>
        evaluationLines(report, args.project, which),
      )
      failWhereFailed(report)
    } finally {
      bar?.stop()
    }
  },
})

/** Something has to be mended before the rest can be evaluated. */
function failWhereFailed({ model, evaluated }: Pick<EvaluationReport, 'model' | 'evaluated'>): void {
  const { failed = 0, stopped } = model ?? {}
  if (stopped?.failed === true || failed > evaluated) process.exitCode = exitCode.failed
}

async function tellOfBatches(
  args: Parameters<typeof globalFlags>[0] & {
    readonly project: string
    readonly json: boolean
    readonly batchCancel: boolean
  },
): Promise<void> {
  const { project: project_id, json, batchCancel } = args
  const { batches } = await withClient(globalFlags(args), client =>
    batchCancel ? client.run(cancelBatches, { project_id }) : client.run(listBatches, { project_id }),
  )
  await print(json, { project_id, batches }, () => batchStatusLines(batches, project_id))
}
