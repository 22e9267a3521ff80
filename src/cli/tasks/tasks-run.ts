import { listTaskRuns, runTask } from '../../operations/tasks.js'
import { setTimeout } from 'node:timers/promises'
import { Problem } from '../../base/problem.js'
import type { TaskRunView } from '../../store/records/task.js'
import { defineCommand } from '../define-command.js'
import { exitCode } from '../exit-code.js'
import { globalFlags } from '../global-options.js'
import type { Client } from '../../control/client.js'
import { print } from '../print.js'
import { projectOption } from '../project-option.js'
import { untilInterrupted } from '../until-signal.js'
import { withClient } from '../with-client.js'
import { taskIdOption } from './task-id-option.js'
import { taskRunLines } from './task-lines.js'

/** After how long it is asked again whether the run has ended: at first, and at most. Milliseconds. */
const FIRST_POLL_MS = 200
const LONGEST_POLL_MS = 5_000
/** Runs among which it is looked for. */
const LOOKED_AT = 20

/** `earshot tasks run`: exits with 0 only when the run ended well. */
export const tasksRunCommand = defineCommand({
  command: 'run <task_id>',
  describe: 'Run a task now and wait for its end',
  builder: yargs =>
    yargs
      .positional('task_id', taskIdOption)
      .options(projectOption)
      .option('wait', { type: 'boolean', default: true, description: '--no-wait: leave it to the running server' })
      .example('$0 tasks run task_7f3a --project shop', 'exits with 0 when the run ended well'),
  handler: async args => {
    const interrupted = untilInterrupted().then(() => true)
    const run = await withClient(globalFlags(args), async client => {
      const begun = await client.run(runTask, { project: args.project, task_id: args.task_id })
      return args.wait ? await ended(client, args.project, begun, interrupted) : begun
    })
    await print(args.json, run, () => taskRunLines(run))
    if (run.state === 'failed' || run.state === 'interrupted') process.exitCode = exitCode.failed
  },
})

async function ended(
  client: Client,
  project: string,
  { run_id: runId, task_id: taskId }: TaskRunView,
  interrupted: Promise<boolean>,
): Promise<TaskRunView> {
  for (let pause = FIRST_POLL_MS; ; pause = Math.min(LONGEST_POLL_MS, pause * 1.5)) {
    if (await Promise.race([interrupted, setTimeout(pause, false)])) {
      throw new Problem('cancelled', `No longer waiting for run ${runId}: a running server goes on with it`)
    }
    const { runs } = await client.run(listTaskRuns, { project, task_id: taskId, query: { limit: LOOKED_AT } })
    const run = runs.find(one => one.run_id === runId)
    if (run === undefined) throw new Problem('not_found', `Run ${runId} is no longer in the history of its task`)
    if (run.state !== 'running') return run
  }
}
